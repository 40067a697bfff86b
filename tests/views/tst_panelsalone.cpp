// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each panel fails alone: its own reason, the time of its last good value, and what it showed
// stays.
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/activity/activityview.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/outbox/outboxview.h"
#include "views/overview/overviewview.h"
#include "views/queue/queueview.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"
#include "views/theme/theme.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/sourcenotice.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace tst_panelsalone {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString reason = u"<b>no route</b> to host"_s;

QDateTime lastGood()
{
    return QDateTime::currentDateTimeUtc().addSecs(-90);
}

SourceHealth lost()
{
    SourceHealth health;
    health.state = SourceHealth::State::Failing;
    health.lastGood = lastGood();
    health.error = Error{Error::Kind::Unreachable, u"connecting"_s, reason, {}, {}};
    health.retryInMs = 4'000;
    return health;
}

/// The reason, and the minute of the last good value.
bool tells(const QString &text)
{
    return text.contains(reason) && text.contains(lastGood().toLocalTime().toString(u"HH:mm"_s));
}

template <typename Part> Part *part(const QWidget &of, const QString &name)
{
    return of.findChild<Part *>(name);
}

} // namespace

class TestPanelsAlone : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void cardsOfTheOverview()
    {
        const SystemHistory history;
        OverviewView page(&history);
        OutboxSnapshot rows;
        rows.pending = 412;
        rows.oldestPendingSeconds = 38;
        page.setOutbox(rows);
        page.setQueues({QueueSnapshot()});
        page.setStale(Source::Database, lastGood(), reason);
        for (const QString &name : {u"lagCard"_s, u"pendingCard"_s}) {
            const auto *card = part<MetricCard>(page, name);
            QVERIFY2(tells(card->accessibleDescription()),
                     qPrintable(card->accessibleDescription()));
            QVERIFY(card->toolTip().contains(u"no route"_s));
            QVERIFY(!card->toolTip().contains(u"<b>"_s));
            QVERIFY(!card->accessibleName().contains(u"not known"_s)); // the number stays
        }
        QVERIFY(!part<MetricCard>(page, u"depthCard"_s)->isStale()); // Redis answers
        page.setStale(Source::Database, std::nullopt);
        const auto *card = part<MetricCard>(page, u"lagCard"_s);
        QVERIFY(!card->accessibleDescription().contains(reason));
        QVERIFY(card->toolTip().contains(u"database's clock"_s)
                || card->toolTip().contains(u"clock"_s)); // what it said before
    }

    void rowsOfTheOutbox()
    {
        OutboxView page;
        page.resize(1100, 700);
        page.show();
        page.setPage(sample::page(page.request(), 0, 20));
        const auto *table = part<QTableView>(page, u"outboxTable"_s);
        const int rows = table->model()->rowCount();
        page.setHealth(lost());
        QVERIFY(tells(part<SourceNotice>(page, u"outboxSource"_s)->text()));
        QCOMPARE(table->model()->rowCount(), rows);
    }

    void queues()
    {
        QueueView page;
        page.show();
        QueueSnapshot one;
        one.name.text = u"default"_s;
        page.setQueues({one});
        page.setHealth(lost());
        QVERIFY(tells(part<SourceNotice>(page, u"queueSource"_s)->text()));
        QCOMPARE(part<QTableView>(page, u"queuesTable"_s)->model()->rowCount(), 1);
    }

    void idsOfTheDedupWindow()
    {
        DedupView page;
        page.show();
        DedupSnapshot ids;
        ids.at = QDateTime::currentDateTimeUtc();
        ids.retained = 77;
        page.setDedup(ids);
        QSignalSpy retry(&page, &DedupView::retryAsked);
        const auto *source = part<SourceNotice>(page, u"dedupSource"_s);
        QVERIFY(!source->isVisible());
        page.setHealth(lost());
        QVERIFY(source->isVisible());
        QVERIFY2(tells(source->text()), qPrintable(source->text()));
        part<QAbstractButton>(page, u"dedupSourceAction"_s)->click();
        QCOMPARE(retry.count(), 1);
        page.setStale(Source::Queue, lastGood());
        const auto *kept = part<MetricCard>(page, u"keptCard"_s);
        QVERIFY(kept->isStale());
        QVERIFY(kept->accessibleName().contains(u"77"_s));
        page.forget();
        QVERIFY(!source->isVisible());
    }

    void theRelayPage()
    {
        RelayView page;
        page.show();
        const auto *database = part<SourceNotice>(page, u"relayDatabase"_s);
        const auto *redis = part<SourceNotice>(page, u"relayRedis"_s);
        page.setHealth(Source::Queue, lost());
        QVERIFY2(tells(redis->text()), qPrintable(redis->text()));
        QVERIFY(redis->isVisible());
        QVERIFY(!database->isVisible()); // it answers
        page.setHealth(Source::Queue, sample::live());
        QVERIFY(!redis->isVisible());
        page.setHealth(Source::Database, lost());
        QVERIFY(tells(database->text()));
    }

    void documents()
    {
        DocumentsView page;
        page.show();
        page.setHealth(lost());
        QVERIFY(tells(part<SourceNotice>(page, u"documentsSource"_s)->text()));
    }

    void theRecord()
    {
        ActivityView page;
        page.show();
        const Error error{Error::Kind::Refused, u"reading the record"_s, reason, {}, {}};
        page.setError(error);
        const auto *problem = page.findChild<NoticeBar *>(u"activityProblem"_s);
        QVERIFY(problem != nullptr);
        QVERIFY(problem->text().contains(reason));
        QVERIFY(!problem->text().contains(u"was read at"_s)); // nothing is shown yet
        page.setActivities({});
        page.setError(error);
        QVERIFY2(problem->text().contains(u"What is shown was read at "_s),
                 qPrintable(problem->text()));
    }

    void findingsOfTheLastLook()
    {
        ReconcileView page;
        page.show();
        ScanReport report;
        report.at = lastGood();
        page.setReport(report);
        page.setError(Error{Error::Kind::Unreachable, u"looking"_s, reason, {}, {}});
        bool hasReason = false;
        bool hasTime = false;
        const QString minute = lastGood().toLocalTime().toString(u"HH:mm"_s);
        for (const QLabel *label : page.findChildren<QLabel *>()) {
            hasReason = hasReason || label->text().contains(reason);
            hasTime = hasTime || label->text().contains(minute);
        }
        QVERIFY(hasReason);
        QVERIFY(hasTime);
    }

    void pictures()
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
            const auto keep = [&](QWidget &page, const QString &name) {
                page.resize(1180, 640);
                page.show();
                QCoreApplication::processEvents(); // the layout
                const QPixmap grabbed = page.grab();
                QVERIFY(!grabbed.isNull());
                if (!folder.isEmpty())
                    QVERIFY(grabbed.save(folder + u"/failing-%1-%2.png"_s.arg(name, tone)));
            };
            const SystemHistory history;
            OverviewView overview(&history);
            OutboxSnapshot rows;
            rows.pending = 412;
            rows.oldestPendingSeconds = 38;
            overview.setOutbox(rows);
            overview.setStale(Source::Database, lastGood(), reason);
            keep(overview, u"overview"_s);
            DedupView dedup;
            DedupSnapshot ids;
            ids.at = QDateTime::currentDateTimeUtc();
            ids.retained = 77;
            dedup.setDedup(ids);
            dedup.setHealth(lost());
            dedup.setStale(Source::Queue, lastGood());
            keep(dedup, u"dedup"_s);
            RelayView relay;
            relay.setHealth(Source::Queue, lost());
            relay.setHealth(Source::Database, lost());
            keep(relay, u"relay"_s);
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_panelsalone

OUTBOX_TEST(tst_panelsalone::TestPanelsAlone)
#include "tst_panelsalone.moc"
