// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Payloads of any size: what is not here is fetched on demand, what is here is paged through.
#include "models/payload/payloadmasks.h"
#include "models/phrases.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "models/trees/payloadtreemodel.h"
#include "views/message/messagepanel.h"
#include "views/message/payloadview.h"
#include "views/theme/theme.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

namespace tst_payloadview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 huge = 104'857'600;

template <typename Part> Part *part(const QWidget &of, const QString &name)
{
    return of.findChild<Part *>(name);
}

/// By what a screen reader calls it.
template <typename Part> Part *spoken(const QWidget &of, const QString &accessibleName)
{
    const auto all = of.findChildren<Part *>();
    for (Part *one : all) {
        if (one->accessibleName() == accessibleName)
            return one;
    }
    return nullptr;
}

/// {"id":9007199254740993,"card":{"number":"4111"}}, gzip in base64
const QByteArray packed = "H4sIAAAAAAACA6tWykxRsrI0MDA3tLQ0MjUxNzGwtDTWUUpOLAKKVyvlleYmpRYpWSmZGBo"
                          "aKtXWAgB9LhzeMAAAAA==";

} // namespace

class TestPayloadView : public QObject
{
    Q_OBJECT

    static QAbstractButton *action(const QWidget &of)
    {
        return part<QAbstractButton>(of, u"payloadLargeAction"_s);
    }

    static void readTree(const QAbstractItemModel &model, const QModelIndex &parent, QString &text)
    {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex cell = model.index(row, column, parent);
                for (int role = 0; role <= PayloadTreeModel::PathRole;
                     ++role) // what is copied, too
                    text += cell.data(role).toString() + u'\n';
            }
            readTree(model, model.index(row, 0, parent), text);
        }
    }

    /// All that is read on any face of it, and what is copied; the form stays.
    static QString seenIn(PayloadView &view)
    {
        QString text;
        const PayloadView::Form form = view.form();
        for (const QString &name : {u"Text"_s, u"Tree"_s, u"Hex"_s, u"Decoded"_s}) {
            auto *button = spoken<QAbstractButton>(view, QString(u"Payload as "_s + name));
            if (button->isEnabled())
                button->click();
        }
        const auto texts = view.findChildren<QPlainTextEdit *>();
        for (const QPlainTextEdit *one : texts)
            text += one->toPlainText() + u'\n';
        const auto labels = view.findChildren<QLabel *>();
        for (const QLabel *one : labels)
            text += one->text() + u'\n';
        const auto trees = view.findChildren<QTreeView *>();
        for (const QTreeView *one : trees)
            readTree(*one->model(), {}, text);
        QApplication::clipboard()->clear();
        if (auto *copy = part<QAbstractButton>(view, u"payloadCopy"_s); copy->isEnabled())
            copy->click();
        view.choose(form);
        return text + QApplication::clipboard()->text();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        theme::apply(ThemeChoice::Light);
    }

    void aLargeOneIsFetchedOnDemand()
    {
        MessagePanel panel;
        panel.resize(900, 400);
        panel.show();
        panel.setCurrentIndex(1);
        Message row = sample::message(1);
        row.payload = QByteArray(1024 * 1024, 'x');
        row.payloadBytes = huge;
        QSignalSpy asked(&panel, &MessagePanel::wholePayloadAsked);
        QSignalSpy dropped(&panel, &MessagePanel::payloadNotWanted);
        panel.showRow(row);
        const auto *bar = part<NoticeBar>(panel, u"payloadLarge"_s);
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(u"104,857,600 bytes"_s), qPrintable(bar->text()));
        QCOMPARE(action(panel)->text(), u"Fetch whole"_s);
        action(panel)->click();
        QCOMPARE(asked.count(), 1);
        panel.setFetched(row.id, 12'582'912, huge);
        QVERIFY2(bar->text().contains(u"12,582,912 of 104,857,600 bytes (12 %)"_s),
                 qPrintable(bar->text()));
        const qsizetype before = dropped.count();
        action(panel)->click(); // [Cancel]
        QCOMPARE(dropped.count(), before + 1);
        QCOMPARE(action(panel)->text(), u"Fetch whole"_s);
        action(panel)->click();
        panel.setWholePayload(row.id, fail(Error::Kind::Conflict, u"reading"_s, u"changed"_s));
        QVERIFY(bar->text().contains(u"changed"_s));
        action(panel)->click();
        QCOMPARE(asked.count(), 3);

        QElapsedTimer clock;
        clock.start();
        panel.setWholePayload(row.id, QByteArray(huge, 'y'));
        QVERIFY(!panel.grab().isNull());
        qInfo("showing 100 MB: %lld ms", clock.elapsed());
        QVERIFY(!bar->isVisible());
        // A look at the same row brings its beginning again; the whole stays.
        auto *on = part<QAbstractButton>(panel, u"payloadPagingOn"_s);
        QVERIFY(on->isEnabled());
        on->click();
        Message again = row;
        again.payload = QByteArray(1024 * 1024, 'y');
        IdVerdict verdict;
        verdict.message = row.id;
        verdict.row = again;
        panel.setVerdict(verdict);
        QVERIFY(part<QAbstractButton>(panel, u"payloadPagingBack"_s)->isEnabled());
        QVERIFY(!bar->isVisible());
        // Another row: what was fetched is let go.
        const qsizetype kept = dropped.count();
        panel.showRow(sample::message(2));
        QCOMPARE(dropped.count(), kept + 1);
        QVERIFY(!part<QWidget>(panel, u"payloadPaging"_s)->isVisible());
        panel.setWholePayload(row.id, QByteArray(huge, 'z')); // too late
        QVERIFY(!part<QWidget>(panel, u"payloadPaging"_s)->isVisible());
    }

    void pagesShowEveryByteOnce()
    {
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.show();
        // Characters of three bytes: no boundary of a page is one of theirs.
        const QByteArray euro("\xe2\x82\xac");
        const QByteArray whole = euro.repeated(50'000);
        view.setPayload(whole, whole.size());
        QCOMPARE(view.form(), PayloadView::Form::Text);
        const auto *text = part<QPlainTextEdit>(view, u"payloadText"_s);
        auto *on = part<QAbstractButton>(view, u"payloadPagingOn"_s);
        QString read = text->toPlainText();
        for (int page = 0; on->isEnabled() && page < 10; ++page) {
            on->click();
            read += text->toPlainText();
        }
        QCOMPARE(read, QString::fromUtf8(whole));

        view.choose(PayloadView::Form::Hex);
        const auto *hex = part<QPlainTextEdit>(view, u"payloadHex"_s);
        const QString last = hex->toPlainText().trimmed().section(u'\n', -1);
        QVERIFY2(last.startsWith(u"000249e"_s), qPrintable(last)); // 150,000 bytes: up to 0x249f0
        part<QAbstractButton>(view, u"payloadPagingBack"_s)->click();
        QVERIFY(hex->toPlainText().startsWith(u"00010000  "_s));
    }

    void aTreeOfALargeDocumentIsRefused()
    {
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.show();
        const QByteArray json = "[\"" + QByteArray(PayloadView::treeBytes, 'x') + "\"]";
        view.setPayload(json, json.size());
        QCOMPARE(view.form(), PayloadView::Form::Text); // it is JSON, but not laid out as a tree
        view.choose(PayloadView::Form::Tree);
        const QWidget *tree = part<QWidget>(view, u"payloadTree"_s);
        bool isSaid = false;
        for (const QLabel *label : tree->findChildren<QLabel *>())
            isSaid = isSaid || label->text().contains(bytesText(PayloadView::treeBytes));
        QVERIFY(isSaid);
    }

    void aPackedOneOpensDecoded()
    {
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.show();
        view.setPayload(packed, packed.size());
        QCOMPARE(view.form(), PayloadView::Form::Decoded);
        const QString chain
            = u"base64 → gzip → JSON, "_s + bytesText(packed.size()) + u" → "_s + bytesText(48);
        QCOMPARE(part<QLabel>(view, u"payloadDecodedChain"_s)->text(), chain);
        auto *tree = spoken<QTreeView>(view, u"Decoded payload"_s);
        QVERIFY(tree != nullptr && tree->isVisible());
        const QAbstractItemModel *model = tree->model();
        const QModelIndex root = model->index(0, 0);
        const QModelIndex card = model->index(1, 0, root);
        auto *copyValue = spoken<QAbstractButton>(view, u"Copy value"_s);
        auto *copyPath = spoken<QAbstractButton>(view, u"Copy path"_s);
        QVERIFY(copyValue != nullptr && copyPath != nullptr);
        tree->setCurrentIndex(card);
        QVERIFY(!copyValue->isEnabled()); // it has members, and no value of its own
        tree->setCurrentIndex(model->index(0, 0, card));
        copyValue->click();
        QCOMPARE(QApplication::clipboard()->text(), u"4111"_s);
        copyPath->click();
        QCOMPARE(QApplication::clipboard()->text(), u"$.card.number"_s);
        spoken<QAbstractButton>(view, u"As stored"_s)->click();
        QCOMPARE(view.form(), PayloadView::Form::Text);
        QCOMPARE(part<QPlainTextEdit>(view, u"payloadText"_s)->toPlainText(),
                 QString::fromLatin1(packed));
        auto *decoded = spoken<QAbstractButton>(view, u"Payload as Decoded"_s);
        QVERIFY(decoded != nullptr && decoded->isEnabled());
        decoded->click();
        QCOMPARE(view.form(), PayloadView::Form::Decoded);
        view.clear();
        QVERIFY(!decoded->isEnabled());
        QCOMPARE(model->rowCount(), 0);
        // The beginning of a payload tells nothing.
        view.setPayload(packed.first(40), packed.size());
        QCOMPARE(view.form(), PayloadView::Form::Text);
        QVERIFY(!decoded->isEnabled());
    }

    void whatIsDoubtfulIsAskedFor()
    {
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.show();
        view.setPayload("password", 8);
        QCOMPARE(view.form(), PayloadView::Form::Text);
        view.choose(PayloadView::Form::Decoded);
        auto *perhaps = spoken<QToolButton>(view, u"What else the payload may be"_s);
        QVERIFY(perhaps != nullptr && perhaps->isVisible());
        QCOMPARE(perhaps->menu()->actions().size(), 1);
        QCOMPARE(perhaps->menu()->actions().constFirst()->text(), u"base64"_s);
        perhaps->menu()->actions().constFirst()->trigger();
        QVERIFY(part<QLabel>(view, u"payloadDecodedChain"_s)->text().startsWith(u"base64 → bytes"));
        view.setPayload("hello, world", 12);
        view.choose(PayloadView::Form::Decoded);
        QVERIFY(!perhaps->isVisible());
    }

    void aLargeOneIsNotTakenApart()
    {
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.show();
        const QByteArray large(PayloadView::treeBytes + 1, 'x');
        view.setPayload(large, large.size());
        QCOMPARE(view.form(), PayloadView::Form::Text);
        view.choose(PayloadView::Form::Decoded);
        const auto *notes = part<NoticeBar>(view, u"payloadDecodedNotes"_s);
        QVERIFY(notes->isVisible());
        QVERIFY2(notes->text().contains(bytesText(PayloadView::treeBytes)),
                 qPrintable(notes->text()));
    }

    // Each face is walked by its spoken name: one that were filled from the stored bytes is red.
    void masksHideOneValueOnEveryFace()
    {
        for (const QByteArray &payload :
             {QByteArray(R"({"user":"ana","card":{"number":"4111"}})"),
              QByteArray(R"({"user":"ana","card":{"number":"4111"}})").toBase64(), packed}) {
            PayloadView view(u"payload"_s, *PayloadMasks::fromTexts({u"$.card.number"_s}));
            view.resize(900, 400);
            view.show();
            view.setPayload(payload, payload.size());
            QVERIFY2(!seenIn(view).contains(u"4111"_s), payload.constData());
            QVERIFY(!seenIn(view).contains(QString::fromLatin1(packed.first(40))));
            QVERIFY(seenIn(view).contains(maskedValue()));
            auto *bar = part<NoticeBar>(view, u"payloadMasks"_s);
            QVERIFY(bar->isVisible());
            // Unmasked on demand, which is told, and masked again.
            QSignalSpy unmasked(&view, &PayloadView::unmasked);
            spoken<QAbstractButton>(view, u"Show unmasked for a minute"_s)->click();
            QCOMPARE(unmasked.count(), 1);
            QVERIFY(seenIn(view).contains(u"4111"_s));
            spoken<QAbstractButton>(view, u"Mask again"_s)->click();
            QCOMPARE(unmasked.count(), 1);
            QVERIFY2(!seenIn(view).contains(u"4111"_s), payload.constData());
            // Another message is masked from its beginning, whatever was shown before.
            spoken<QAbstractButton>(view, u"Show unmasked for a minute"_s)->click();
            view.clear();
            view.setPayload(payload, payload.size());
            QVERIFY2(!seenIn(view).contains(u"4111"_s), payload.constData());
            spoken<QAbstractButton>(view, u"Show unmasked for a minute"_s)->click();
            view.setPayload(R"({"card":{"number":"5222"}})", 26);
            QVERIFY(!seenIn(view).contains(u"5222"_s));
        }
    }

    void whatCannotBeReadIsHiddenOnEveryFace()
    {
        const QByteArray whole = R"({"card":{"number":"4111"},"text":"and more"})";
        PayloadView view(u"payload"_s, PayloadMasks::none());
        view.resize(900, 400);
        view.show();
        view.setFetchable(true);
        view.setMasks(*PayloadMasks::fromTexts({u"$.card.number"_s}));
        view.setPayload(whole.first(30), whole.size());
        QVERIFY(!seenIn(view).contains(u"4111"_s));
        QVERIFY(seenIn(view).contains(u"it cannot be read"_s));
        QVERIFY(!spoken<QAbstractButton>(view, u"Copy the payload with its masks"_s)->isEnabled());
        QVERIFY(part<NoticeBar>(view, u"payloadLarge"_s)->isVisible()); // the rest can be fetched
        view.setPayload(whole, whole.size());
        QVERIFY(!seenIn(view).contains(u"4111"_s));
        QVERIFY(seenIn(view).contains(u"and more"_s));
        view.setPayload("card=4111", 9);
        QVERIFY(!seenIn(view).contains(u"4111"_s));
        // Masks that come later hide what is shown already.
        view.setMasks(PayloadMasks::none());
        QVERIFY(seenIn(view).contains(u"4111"_s));
        view.setMasks(*PayloadMasks::fromTexts({u"*.x"_s}));
        QVERIFY(!seenIn(view).contains(u"4111"_s));
    }

    void aTaskComesWhole()
    {
        PayloadView view(u"taskPayload"_s, PayloadMasks::none());
        view.show();
        view.setPayload("first", 500); // nobody can fetch the rest: nothing is offered
        QVERIFY(!part<NoticeBar>(view, u"taskPayloadLarge"_s)->isVisible());
    }

    void picture()
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            MessagePanel panel;
            panel.resize(1100, 260);
            panel.show();
            panel.setCurrentIndex(1);
            Message row = sample::message(1);
            row.payload = QByteArray("{\"text\":\"large \"}").repeated(65'536);
            row.payloadBytes = huge;
            panel.showRow(row);
            panel.setFetched(row.id, 12'582'912, huge);
            QCoreApplication::processEvents(); // the layout
            const QPixmap grabbed = panel.grab();
            QVERIFY(!grabbed.isNull());
            if (!folder.isEmpty()) {
                const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
                QVERIFY(grabbed.save(folder + u"/large-payload-%1.png"_s.arg(tone)));
            }
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_payloadview

OUTBOX_TEST(tst_payloadview::TestPayloadView)
#include "tst_payloadview.moc"
