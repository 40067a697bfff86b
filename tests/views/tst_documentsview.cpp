// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Documents page as somebody uses it who knows only the names that are read aloud.
#include "models/operations/designselection.h"
#include "tests/support/fonts.h"
#include "tests/support/sampledesign.h"
#include "tests/support/testprogram.h"
#include "views/documents/documentsview.h"
#include "views/documents/documentverbs.h"
#include "views/message/journeyline.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace tst_documentsview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestDocumentsView : public QObject
{
    Q_OBJECT

    QDateTime m_now = QDateTime::currentDateTimeUtc();
    std::unique_ptr<DocumentsView> m_view;

    template <typename Widget> [[nodiscard]] Widget *named(const QString &name) const
    {
        for (auto *one : m_view->findChildren<Widget *>()) {
            if (one->accessibleName() == name)
                return one;
        }
        return nullptr;
    }
    [[nodiscard]] QAbstractButton *button(const QString &name) const
    {
        return named<QAbstractButton>(name);
    }

    [[nodiscard]] DesignView look(Design design, DesignList list) const
    {
        DesignView view;
        view.at = m_now;
        view.list = list;
        view.entries = entriesIn(u"order-1"_s, sampleDocument(m_now), m_now, design, {u"m-2"_s});
        view.summary.documents = 4;
        view.summary.bytes = 4000;
        view.summary.largest.id = u"order-1"_s;
        view.summary.largest.bytes = 2500;
        view.summary.undispatched = 1;
        view.summary.dispatched = 1;
        view.summary.malformed = 1;
        view.summary.oldestUndispatchedSeconds = 90;
        if (design != Design::EntityState) {
            view.summary.leaked = 1;
            view.summary.store = StoreDurability{true, u"A table beside the documents."_s};
        }
        return view;
    }

    void open(Design design)
    {
        m_view->setDesign(design);
        SourceHealth health;
        health.state = SourceHealth::State::Live;
        health.lastGood = m_now;
        m_view->setHealth(health);
        ActingTerms terms;
        m_view->verbs()->setTerms(terms);
        m_view->setView(look(design, DesignList::Unsettled));
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void init()
    {
        m_view = std::make_unique<DocumentsView>();
        m_view->resize(1000, 640);
        m_view->show();
    }

    void figuresAreSaidWithTheirAges()
    {
        open(Design::EntityState);
        QVERIFY(button(u"Undispatched: 1"_s));
        QVERIFY(button(u"Undispatched: 1"_s)->accessibleDescription().contains(u"oldest"_s));
        QVERIFY(button(u"Dispatched: 1"_s)->isVisible());
        QVERIFY(button(u"Documents: 4"_s)->accessibleDescription().contains(u"1 cannot be read"_s));
        QVERIFY(!button(u"Leaked: not known"_s)->isVisible());
    }

    /// What is not known yet is not "reading" where nobody reads.
    void anEmptyPageSaysWhatIsNext()
    {
        auto *table = named<LiveTable>(u"Entries of documents"_s);
        QSignalSpy connects(m_view.get(), &DocumentsView::connectAsked);
        m_view->setHealth({});
        QCOMPARE(table->emptyPane()->sentence(), u"Not connected."_s);
        table->emptyPane()->findChild<QAbstractButton *>(u"emptyAction"_s)->click();
        QCOMPARE(connects.size(), 1);
        SourceHealth failing;
        failing.state = SourceHealth::State::Failing;
        failing.error
            = Error{Error::Kind::Unreachable, u"looking"_s, u"connection refused"_s, {}, {}};
        m_view->setHealth(failing);
        QCOMPARE(table->emptyPane()->sentence(), u"Nothing was read: see the reason above."_s);
    }

    void theOtherStoreIsToldInWords()
    {
        open(Design::DedupStore);
        QVERIFY(button(u"Leaked: 1"_s)->isVisible());
        QSignalSpy asked(m_view->verbs(), &VerbBar::operationAsked);
        button(u"Reconcile"_s)->click();
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.at(0).first().value<OperationRequest>().selection.meant,
                 Meant(DocumentPart::Unsettled));
        auto *bar = m_view->findChild<QWidget *>(u"documentStore"_s);
        QVERIFY(bar->isVisible());
        const auto words = [bar] {
            QString all;
            for (const QLabel *label : bar->findChildren<QLabel *>())
                all += label->text();
            return all;
        };
        QVERIFY(words().contains(u"A table beside the documents"_s));
        DesignView view = look(Design::DedupStore, DesignList::Unsettled);
        view.summary.store = StoreDurability{false, u"It may forget."_s};
        m_view->setView(view);
        QVERIFY(words().contains(u"Not safe: It may forget"_s));
    }

    /// Another look tells of the row that one stands on; another list of none.
    void theChosenEntryHasALineOfTime()
    {
        m_view->show();
        open(Design::EntityState);
        const auto *line = m_view->findChild<JourneyLine *>(u"journeyLine"_s);
        QVERIFY(!line->isVisible());
        named<LiveTable>(u"Entries of documents"_s)->selectRow(0);
        QTRY_VERIFY(line->isVisible());
        QVERIFY2(line->accessibleDescription().contains(u"as the document tells"_s),
                 qPrintable(line->accessibleDescription()));
        QVERIFY(line->accessibleDescription().contains(u"undispatched"_s));
        m_view->setView(look(Design::EntityState, DesignList::Unsettled));
        QVERIFY(line->isVisible());
        m_view->showList(DesignList::Dispatched);
        QVERIFY(!line->isVisible());
    }

    void theVerbMeansWhatIsSelectedOrEverything()
    {
        open(Design::EntityState);
        QSignalSpy asked(m_view->verbs(), &VerbBar::operationAsked);
        QVERIFY(button(u"Dispatch"_s)->isEnabled());
        button(u"Dispatch"_s)->click();
        QCOMPARE(asked.size(), 1);
        const auto all = asked.at(0).first().value<OperationRequest>().selection;
        QCOMPARE(all.meant, Meant(DocumentPart::Undispatched));
        QVERIFY(all.rows.isEmpty() && all.tasks.isEmpty());

        auto *table = named<LiveTable>(u"Entries of documents"_s);
        table->selectRow(0);
        button(u"Dispatch"_s)->click();
        const auto one = asked.at(1).first().value<OperationRequest>().selection;
        QCOMPARE(one.rows, QList<MessageId>{{u"order-1"_s}});
        QCOMPARE(one.tasks, QList<TaskId>{{u"m-1"_s}});
        table->selectRow(2); // nobody can read it
        QVERIFY(!button(u"Dispatch"_s)->isEnabled());
        QVERIFY(button(u"Dispatch"_s)->accessibleDescription().contains(u"cannot be read"_s));
    }

    void aChipAsksForItsList()
    {
        open(Design::EntityState);
        QSignalSpy lists(m_view.get(), &DocumentsView::listAsked);
        button(u"Dispatched"_s)->click();
        QCOMPARE(m_view->list(), DesignList::Dispatched);
        QCOMPARE(lists.size(), 1);
        auto *table = named<LiveTable>(u"Entries of documents"_s);
        QCOMPARE(table->model()->rowCount(), 0); // nothing of the other list stays
        m_view->setView(look(Design::EntityState, DesignList::Unsettled)); // too late
        QCOMPARE(table->model()->rowCount(), 0);
        m_view->setView(look(Design::EntityState, DesignList::Dispatched));
        QCOMPARE(table->model()->rowCount(), 3);
        table->selectRow(0);
        QVERIFY(!button(u"Purge"_s)->isEnabled());
        QVERIFY(button(u"Purge"_s)->accessibleDescription().contains(u"lose them"_s));
        table->selectRow(1);
        QVERIFY(button(u"Purge"_s)->isEnabled());
        QVERIFY(!button(u"Tokens"_s)->isVisible()); // this design has none
    }

    void aForcedExecutionTakesATypedToken()
    {
        open(Design::Tokens);
        QVERIFY(!button(u"Purge"_s)->isVisible());
        button(u"Tokens"_s)->click();
        QVERIFY(named<LiveTable>(u"Tokens"_s)->isVisible());
        QVERIFY(!button(u"Force execution"_s)->isEnabled());
        QTest::keyClicks(named<QLineEdit>(u"Token to execute once more"_s), u"t-7"_s);
        QSignalSpy asked(m_view->verbs(), &VerbBar::operationAsked);
        button(u"Force execution"_s)->click();
        QCOMPARE(asked.size(), 1);
        const auto selection = asked.at(0).first().value<OperationRequest>().selection;
        QCOMPARE(selection.meant, Meant(DocumentPart::Tokens));
        QCOMPARE(selection.tasks, QList<TaskId>{{u"t-7"_s}});
    }

    void nothingActsBeforeTheDocumentsAreRead()
    {
        m_view->setDesign(Design::EntityState);
        ActingTerms terms;
        m_view->verbs()->setTerms(terms);
        QVERIFY(!button(u"Dispatch"_s)->isEnabled());
    }

    void anotherSystemBeginsEmpty()
    {
        open(Design::EntityState);
        m_view->setDesign(Design::DedupStore);
        QVERIFY(button(u"Undispatched: not known"_s));
        QCOMPARE(named<LiveTable>(u"Entries of documents"_s)->model()->rowCount(), 0);
        QVERIFY(!button(u"Reconcile"_s)->isEnabled());
    }

    void everyControlHasAName()
    {
        open(Design::Tokens);
        for (const QWidget *one : m_view->findChildren<QWidget *>()) {
            if (one->focusPolicy() == Qt::NoFocus || !one->isVisibleTo(m_view.get()))
                continue;
            if (qobject_cast<const QAbstractButton *>(one) || qobject_cast<const QLineEdit *>(one)
                || qobject_cast<const LiveTable *>(one))
                QVERIFY2(!one->accessibleName().isEmpty(), qPrintable(one->objectName()));
        }
    }
};

} // namespace tst_documentsview

OUTBOX_TEST(tst_documentsview::TestDocumentsView)
#include "tst_documentsview.moc"
