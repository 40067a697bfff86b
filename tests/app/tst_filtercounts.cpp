// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules on filters counted again and again: for a hundredth of the time at most, alike in the
// window and in `watch`, and never silently quiet where nobody can count.
#include "app/cli/run/alertwatch.h"
#include "app/cli/run/systemreader.h"
#include "app/system/alertjudge.h"
#include "app/system/filtercounts.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTimer>

namespace tst_filtercounts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

AlertRule ruleOf(const QString &text)
{
    const auto rule = AlertRule::fromText(text);
    if (!rule)
        qFatal("%s", qPrintable(oneLine(rule.error())));
    return *rule;
}

OutboxShape confirmedShape()
{
    OutboxShape shape = classicShape();
    shape.confirmed = u"by a test"_s;
    shape.failedHow = OutboxShape::FailedHow::Flag;
    shape.failedColumn = u"bad"_s;
    return shape;
}

/// What was told of counts.
struct Told
{
    explicit Told(FilterCounts &counts)
    {
        QObject::connect(&counts, &FilterCounts::counted, &counts,
                         [this](const AlertRule &rule, const FilterCount &count) {
                             all += std::pair(rule.text, count);
                         });
    }
    [[nodiscard]] FilterCount last() const
    {
        return all.isEmpty() ? FilterCount() : all.constLast().second;
    }
    QList<std::pair<QString, FilterCount>> all;
};

} // namespace

class TestFilterCounts : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

    [[nodiscard]] Profile profileOf(const DatabaseUrl &url) const
    {
        Profile profile = classicProfile(m_databases, url);
        profile.name = u"shop"_s;
        profile.shape = confirmedShape();
        profile.refreshMs = 250;
        return profile;
    }
    [[nodiscard]] Target targetOf(const DatabaseUrl &url) const
    {
        return {profileOf(url), {}, m_folder.path()};
    }
    DatabaseUrl filled()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", bad boolean NOT NULL DEFAULT false"_s));
        side.run(numbered(20, u"n, CASE WHEN n % 2 = 0 THEN 'invoice' ELSE 'mail' END, 'x', true"_s,
                          u"outbox"_s));
        return url;
    }
    /// What a command was told, but for the moments.
    [[nodiscard]] static QList<QJsonObject> eventsIn(const QString &path)
    {
        QList<QJsonObject> events;
        for (const QByteArray &line : fileBytes(path).trimmed().split('\n')) {
            QJsonObject one = QJsonDocument::fromJson(line).object();
            for (const QString &moment : {u"at"_s, u"since"_s, u"text"_s})
                one.remove(moment);
            if (!one.isEmpty())
                events += one;
        }
        return events;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    /// Whatever counts take, and however many rules there are.
    void allRulesTogetherTakeAHundredthOfTheTime()
    {
        for (const qsizetype rules : {1, 2, 7, 50, 200}) {
            for (double tookMs = 0.1; tookMs <= 1'000; tookMs *= 1.7) {
                const auto rest = FilterCounts::restAfter(tookMs, rules);
                QVERIFY(rest.count() >= FilterCounts::shortestRestMs);
                const double share = static_cast<double>(rules) * tookMs
                    / (tookMs + static_cast<double>(rest.count()));
                QVERIFY2(share <= 0.01, qPrintable(u"%1 rules of %2 ms"_s.arg(rules).arg(tookMs)));
            }
        }
    }

    /// It fails where one of the two counts otherwise, tells twice, or tells no end.
    void theWindowAndWatchTellTheSame()
    {
        const DatabaseUrl url = filled();
        const QTemporaryDir folder;
        const auto alertTo = [&folder](const QString &file) {
            Alert alert;
            alert.name = u"invoices"_s;
            alert.rule = ruleOf(u"rows \"state:failed type:invoice\" > 5"_s);
            alert.command = {u"/bin/sh"_s, u"-c"_s, u"cat >> \"$0\""_s, folder.filePath(file)};
            return alert;
        };
        SystemHistory history;
        System system(profileOf(url), {}, history, m_folder.path());
        AlertJudge judge(system);
        AlertDelivery delivery;
        connect(&judge, &AlertJudge::noticed, &delivery, &AlertDelivery::send);
        judge.setAlerts({alertTo(u"window"_s)});
        system.open();

        AlertWatch watch({alertTo(u"watch"_s)}, Printer(false));
        watch.countIn(targetOf(url));
        SystemReader reader(targetOf(url));
        QTimer looks;
        looks.setSingleShot(true);
        connect(&looks, &QTimer::timeout, this, [&] {
            const SystemReading look = reader.look();
            watch.take(look, reader.shape());
            looks.start(100);
        });
        looks.start(0);
        QTRY_COMPARE(eventsIn(folder.filePath(u"window"_s)).size(), 1);
        QTRY_COMPARE(eventsIn(folder.filePath(u"watch"_s)).size(), 1);
        SideSession(url).run(u"DELETE FROM outbox WHERE id > 4"_s);
        QTRY_COMPARE(eventsIn(folder.filePath(u"window"_s)).size(), 2);
        QTRY_COMPARE(eventsIn(folder.filePath(u"watch"_s)).size(), 2);
        looks.stop();
        const QList<QJsonObject> events = eventsIn(folder.filePath(u"window"_s));
        QVERIFY(events == eventsIn(folder.filePath(u"watch"_s)));
        QCOMPARE(events.at(0).value("event"_L1).toString(), u"raised"_s);
        QCOMPARE(events.at(0).value("value"_L1).toInteger(), 6);
        QVERIFY(events.at(0).value("at_least"_L1).toBool());
        QCOMPARE(events.at(1).value("event"_L1).toString(), u"over"_s);
        QCOMPARE(events.at(1).value("value"_L1).toInteger(), 2);
        const AlertTrial trial = judge.tried(ruleOf(u"rows \"state:failed type:invoice\" > 3"_s));
        QCOMPARE(trial.raisings.size(), 1); // by what was counted for the other limit
    }

    void whatCannotBeCountedIsToldWithItsReason()
    {
        const DatabaseUrl url = filled();
        FilterCounts counts(targetOf(url), u"test"_s);
        Told told(counts);
        counts.setRules({ruleOf(u"rows \"error~x\" > 0"_s), ruleOf(u"failed > 3"_s)});
        QVERIFY(told.all.isEmpty()); // no look has seen the outbox yet
        const Error away{Error::Kind::Unreachable, u"looking"_s, u"nobody is there"_s};
        counts.lose(away);
        QCOMPARE(told.all.size(), 1); // of the one that is on a filter
        QVERIFY(!told.last().isLasting);
        counts.setShape(confirmedShape());
        QTRY_COMPARE(told.all.size(), 2);
        QVERIFY(!told.last().reading.value); // and not 0
        QVERIFY(told.last().isLasting);
        QVERIFY2(told.last().why.contains(u"the error of a row"_s), qPrintable(told.last().why));
        // Through a mapping that nobody has confirmed nothing is counted.
        counts.setRules({ruleOf(u"rows \"type:mail\" > 0"_s)});
        counts.setRunning(false);
        OutboxShape guess = confirmedShape();
        guess.confirmed.clear();
        counts.setShape(guess);
        const auto before = told.all.size();
        counts.setRunning(true);
        QTRY_VERIFY(told.all.size() > before);
        QVERIFY(!told.last().reading.value);
    }

    /// It fails where each rule tries to connect for itself.
    void aServerThatIsAwayIsTriedOnceForAllRules()
    {
        Profile profile;
        profile.databaseUrl = u"postgresql://nobody@127.0.0.1:1/none"_s;
        FilterCounts counts({profile, {}, m_folder.path()}, u"test"_s);
        Told told(counts);
        qsizetype atOnce = 0;
        connect(&counts, &FilterCounts::counted, &counts, [&] {
            if (atOnce == 0)
                QTimer::singleShot(0, &counts, [&] { atOnce = told.all.size(); });
        });
        QList<AlertRule> rules;
        for (int n = 1; n <= 20; ++n)
            rules += ruleOf(u"rows \"id=%1\" > 0"_s.arg(n));
        counts.setRules(rules);
        counts.setShape(confirmedShape());
        QTRY_VERIFY(atOnce > 0);
        QCOMPARE(atOnce, rules.size());
        QVERIFY(!told.last().isLasting); // it may come back
    }

    void whatRunsIntoItsDeadlineIsTold()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only there an operator can be made slow");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", bad boolean NOT NULL DEFAULT false"_s)
                     .replace(u"payload text"_s, u"payload jsonb"_s));
        side.run(numbered(5'000, u"n, 'mail', jsonb_build_object('n', n)"_s,
                          u"outbox (id, type, payload)"_s));
        makeDocumentsSlow(side, url);
        FilterCounts counts(targetOf(url), u"test"_s);
        Told told(counts);
        counts.setRules({ruleOf(u"rows \"payload.n:2\" > 5"_s), ruleOf(u"rows \"id=3\" > 0"_s)});
        OutboxShape shape = confirmedShape();
        shape.payloadForm = OutboxShape::PayloadForm::Json;
        counts.setShape(shape);
        QTRY_COMPARE(told.all.size(), 2); // the one that is quick waits for the other's end alone
        const FilterCount slow = told.all.at(0).second;
        QVERIFY(!slow.reading.value);
        QVERIFY(slow.isLasting);
        QVERIFY2(slow.why.contains(u"No index"_s), qPrintable(slow.why));
        QCOMPARE(told.all.at(1).second.reading, (AlertReading{1.0, true}));
        QTRY_COMPARE(side.one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                              "current_database() AND application_name <> 'side'"_s),
                     u"1"_s); // one session
        counts.setRules({});
        QTRY_COMPARE(side.one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                              "current_database() AND application_name <> 'side'"_s),
                     u"0"_s); // which ends with the last rule
    }
};

} // namespace tst_filtercounts

OUTBOX_TEST(tst_filtercounts::TestFilterCounts)
#include "tst_filtercounts.moc"
