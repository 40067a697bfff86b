// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Large payloads are taken apart beside the window: it does not wait, the answer to an older one is
// dropped, and what a profile says of protobuf is read there, too.
#include "app/settings/descriptorfile.h"
#include "app/system/jobs/payloadreader.h"
#include "tests/models/orderschema.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/message/decodedpane.h"
#include "views/message/payloadview.h"
#include "views/theme/theme.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

#include <sys/stat.h>

namespace tst_payloadreader {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// By what a screen reader calls it.
template <typename Part> Part *called(const QWidget &of, const QString &accessibleName)
{
    const auto all = of.findChildren<Part *>();
    for (Part *one : all) {
        if (one->accessibleName() == accessibleName)
            return one;
    }
    return nullptr;
}

/// Almost the largest that is shown as a tree.
QByteArray largeJson(char first)
{
    QByteArray json = QByteArray("[\"") + first + '"';
    while (json.size() < PayloadView::treeBytes - 100)
        json += ",\"" + QByteArray(40, 'x') + '"';
    return json + ']';
}

/// A view whose payloads are read by a reader, as the window joins them.
struct ReadView
{
    PayloadView view{u"payload"_s, PayloadMasks::none()};
    PayloadReader reader;

    ReadView()
    {
        view.decoded()->setDecodedElsewhere(true);
        QObject::connect(view.decoded(), &DecodedPane::decodeAsked, &reader,
                         &PayloadReader::decode);
        QObject::connect(view.decoded(), &DecodedPane::decodeNotWanted, &reader,
                         &PayloadReader::stop);
        QObject::connect(&reader, &PayloadReader::decoded, view.decoded(), &DecodedPane::setAnswer);
        QObject::connect(&reader, &PayloadReader::typesRead, view.decoded(),
                         &DecodedPane::setTypes);
        view.show();
    }
    void set(const QByteArray &payload, const QString &type = {})
    {
        view.setPayload(payload, payload.size(), type);
    }
    /// Of the payload as it is stored.
    [[nodiscard]] int elements() const
    {
        const QAbstractItemModel *model = called<QTreeView>(view, u"Payload as a tree"_s)->model();
        return model->rowCount(model->index(0, 0));
    }
    [[nodiscard]] QString chain() const
    {
        return view.findChild<QLabel *>(u"payloadDecodedChain"_s)->text();
    }
    [[nodiscard]] QString notes() const
    {
        const auto *bar = view.findChild<NoticeBar *>(u"payloadDecodedNotes"_s);
        return bar->isHidden() ? QString() : bar->text();
    }
};

ProtobufMapping mappingOf(const QString &file)
{
    return {file, {u"order.made=shop.v1.Order"_s}};
}

} // namespace

class TestPayloadReader : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    /// Without a room the tree would be there when `set` returns.
    void theWindowDoesNotWaitForALargeOne()
    {
        ReadView read;
        const QByteArray json = largeJson('a');
        QElapsedTimer clock;
        clock.start();
        qint64 longest = 0;
        QTimer beat;
        connect(&beat, &QTimer::timeout, &beat,
                [&] { longest = std::max(longest, clock.restart()); });
        beat.start(1);
        read.set(json);
        QVERIFY(read.view.decoded()->isReading());
        QCOMPARE(read.view.form(), PayloadView::Form::Tree);
        QCOMPARE(read.elements(), 0);
        QTRY_VERIFY(read.elements() > 40'000);
        QVERIFY(!read.view.decoded()->isReading());
        QCOMPARE(read.view.form(), PayloadView::Form::Tree);
        qInfo("longest pause of the window: %lld ms", longest);
    }

    void aSmallOneIsThereAtOnce()
    {
        ReadView read;
        read.set("[1,2,3]");
        QVERIFY(!read.view.decoded()->isReading());
        QCOMPARE(read.elements(), 3);
    }

    void theAnswerToAnOlderOneIsDropped()
    {
        ReadView read;
        QSignalSpy answered(&read.reader, &PayloadReader::decoded);
        read.set(largeJson('a'));
        read.set("[1,2,3]"); // at once
        QTRY_COMPARE(answered.count(), 1);
        QCOMPARE(read.elements(), 3);
        read.set(largeJson('b'));
        read.view.clear();
        QTRY_COMPARE(answered.count(), 2);
        QCOMPARE(read.elements(), 0);
        QVERIFY(read.chain().isEmpty());
        // Of many the newest alone is answered.
        for (const char first : {'c', 'd', 'e', 'f'})
            read.set(largeJson(first));
        QTRY_VERIFY(!read.view.decoded()->isReading());
        QCOMPARE(answered.count(), 3);
        const auto &tree = read.view.decoded()->json();
        QVERIFY(tree.has_value());
        QCOMPARE(tree->text(tree->nodes.at(1)), u"f"_s);
    }

    /// Few bytes that are many when they are unpacked.
    void whatIsLargeInsideIsReadElsewhere()
    {
        ReadView read;
        const QByteArray packed
            = qCompress(largeJson('a')).sliced(4); // its own length stands first
        QVERIFY(packed.size() < DecodedPane::atOnceBytes);
        read.set(packed);
        QTRY_VERIFY(read.view.decoded()->decoded().tree.nodes.size() > 40'000);
        QTRY_COMPARE(read.view.form(), PayloadView::Form::Decoded);
        QVERIFY2(read.chain().startsWith(u"zlib → JSON"_s), qPrintable(read.chain()));
    }

    void whoChoseAFormKeepsIt()
    {
        ReadView read;
        const QByteArray large
            = qCompress(QByteArray("{\"a\":1}").leftJustified(1'000'000)).sliced(4).toBase64();
        QByteArray many = large;
        while (many.size() <= DecodedPane::atOnceBytes) // lines of base64 may be empty
            many += "\n";
        read.set(many);
        QVERIFY(read.view.decoded()->isReading());
        called<QAbstractButton>(read.view, u"Payload as Hex"_s)->click();
        QTRY_VERIFY(!read.view.decoded()->isReading());
        QCOMPARE(read.view.form(), PayloadView::Form::Hex);
        QVERIFY(called<QAbstractButton>(read.view, u"Payload as Decoded"_s)->isEnabled());
    }

    void messagesAreShownByTheirNames()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"shop.desc"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(sample::orderSet());
        file.close();
        ReadView read;
        read.set(sample::order(), u"order.made"_s);
        read.reader.readTypes(mappingOf(path));
        QTRY_VERIFY(read.chain().startsWith(u"protobuf, "_s));
        QCOMPARE(read.view.form(), PayloadView::Form::Decoded);
        const QAbstractItemModel *model
            = called<QTreeView>(read.view, u"Decoded payload"_s)->model();
        const QModelIndex root = model->index(0, 0);
        QCOMPARE(model->index(0, 0, root).data().toString(), u"id"_s);
        QCOMPARE(model->index(0, 1, root).data().toString(), u"-7"_s);
        QCOMPARE(model->index(1, 1, root).data().toString(), u"PAID"_s);
        QVERIFY(read.notes().isEmpty());
        // Of another type nothing is said; what does not fit is told.
        read.set(sample::order(), u"other"_s);
        QVERIFY(!read.chain().startsWith(u"protobuf, "_s));
        read.set(sample::order().chopped(1), u"order.made"_s);
        QTRY_VERIFY(read.notes().contains(u"It is not read as shop.v1.Order: byte 80"_s));
        QVERIFY(!read.chain().startsWith(u"protobuf, "_s));
    }

    /// It runs when its button is pressed, and not before.
    void aDecoderOfOnesOwnIsAsked()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"ran"_s);
        ReadView read;
        read.view.decoded()->setDecoder(
            {u"/bin/sh"_s, u"-c"_s,
             u"echo >> \"$0\"; tr a-z A-Z; printf ' %s' \"$OUTBOX_ROW_TYPE\""_s, file});
        read.set("hello", u"greeting"_s);
        auto *form = called<QAbstractButton>(read.view, u"Payload as Decoded"_s);
        QVERIFY(form->isEnabled());
        form->click();
        auto *button = called<QAbstractButton>(read.view, u"Decode with sh"_s);
        QVERIFY(button != nullptr && button->isVisible() && button->isEnabled());
        QVERIFY(!QFile::exists(file));
        button->click();
        QTRY_VERIFY2(read.chain().startsWith(u"Decode with sh: text"_s), qPrintable(read.chain()));
        const QAbstractItemModel *model
            = called<QTreeView>(read.view, u"Decoded payload"_s)->model();
        QCOMPARE(model->index(0, 1).data().toString(), u"HELLO greeting"_s);
        QVERIFY(QFile::exists(file));
        // It fails: what was shown stays, and why is told.
        read.view.decoded()->setDecoder({u"/bin/sh"_s, u"-c"_s, u"echo bad magic >&2; exit 1"_s});
        button->click();
        QTRY_VERIFY2(read.notes().contains(u"bad magic"_s), qPrintable(read.notes()));
        QCOMPARE(model->index(0, 1).data().toString(), u"HELLO greeting"_s);
        // The window moves on: the answer is not wanted any more.
        QSignalSpy answered(&read.reader, &PayloadReader::decoded);
        read.view.decoded()->setDecoder({u"/bin/sh"_s, u"-c"_s, u"sleep 600"_s});
        button->click();
        read.set("[1,2]");
        QVERIFY(!read.chain().contains(u"runs"_s));
        read.view.decoded()->setDecoder({u"/bin/cat"_s});
        read.view.choose(PayloadView::Form::Decoded);
        called<QAbstractButton>(read.view, u"Decode with cat"_s)->click();
        QTRY_COMPARE(answered.count(), 1);
        QCOMPARE(model->rowCount(model->index(0, 0)), 2);
    }

    void aFileThatCannotBeReadIsTold_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("missing") << u"missing"_s << u"there is no such file"_s;
        QTest::newRow("pipe") << u"pipe"_s << u"there is no such file"_s; // and nobody waits for it
        QTest::newRow("folder") << u"."_s << u"there is no such file"_s;
        QTest::newRow("large") << u"large"_s << u"it is larger than"_s;
        QTest::newRow("text") << u"text"_s << u"it is"_s;
    }
    void aFileThatCannotBeReadIsTold()
    {
        QFETCH(QString, name);
        QFETCH(QString, why);
        const QTemporaryDir folder;
        QCOMPARE(::mkfifo(folder.filePath(u"pipe"_s).toLocal8Bit().constData(), 0600), 0);
        QFile large(folder.filePath(u"large"_s));
        QVERIFY(large.open(QIODevice::WriteOnly));
        QVERIFY(large.resize(largestDescriptorSet + 1));
        QFile text(folder.filePath(u"text"_s));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("hello, world");
        text.close();
        ReadView read;
        read.set(sample::order(), u"order.made"_s);
        read.reader.readTypes(mappingOf(folder.filePath(name)));
        QTRY_VERIFY2(read.notes().contains(why), qPrintable(read.notes()));
        QVERIFY(!read.chain().startsWith(u"protobuf, "_s));
    }
};

} // namespace tst_payloadreader

OUTBOX_TEST(tst_payloadreader::TestPayloadReader)
#include "tst_payloadreader.moc"
