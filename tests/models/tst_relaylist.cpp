// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relays of a system: one entry each, and what each of them does.
#include "models/phrases.h"
#include "models/system/relaylist.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_relaylist {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 11, 21), QTime(14, 5, 40), Qt::UTC);

RelayEntry relayOf(const QString &host, qint64 secondsAgo, const QString &version = u"0.9.0"_s)
{
    RelayAbout about;
    about.host = host;
    about.version = version;
    about.started = now.addSecs(-3600);
    return {QString(u"relay-"_s + host), about, now.addSecs(-secondsAgo)};
}

QueueSnapshot queueWith(const QString &name, const QList<RelayEntry> &relays)
{
    QueueSnapshot queue;
    queue.at = now;
    queue.name.text = name;
    queue.relays = relays;
    return queue;
}

} // namespace

class TestRelayList : public QObject
{
    Q_OBJECT

private slots:
    void eachDoesOneThing_data()
    {
        QTest::addColumn<RelayEntry>("relay");
        QTest::addColumn<std::optional<double>>("rowWaits");
        QTest::addColumn<RelayActivity>("activity");
        const auto row
            = [](const char *name, const RelayEntry &relay, std::optional<double> rowWaits,
                 RelayActivity activity) { QTest::newRow(name) << relay << rowWaits << activity; };
        const std::optional<double> notKnown;
        row("a young batch", relayOf(u"web1"_s, 3), 900.0, RelayActivity::Working);
        row("its clock is ahead", relayOf(u"web1"_s, -600), 900.0, RelayActivity::Working);
        row("a young batch, and nobody knows", relayOf(u"web1"_s, 3), notKnown,
            RelayActivity::Working);
        row("rows wait", relayOf(u"web1"_s, 180), 900.0, RelayActivity::Silent);
        row("a row has just come", relayOf(u"web1"_s, 180), 2.0, RelayActivity::Idle);
        row("no row waits", relayOf(u"web1"_s, 180), 0.0, RelayActivity::Idle);
        row("nobody knows", relayOf(u"web1"_s, 180), notKnown, RelayActivity::Unknown);
        RelayEntry ended = relayOf(u"web1"_s, 3);
        ended.about->ended = now;
        row("it said that it ended", ended, 900.0, RelayActivity::Stopped);
        RelayEntry again = ended;
        again.about->ended = again.lastBatch.addSecs(-1);
        row("its name went on", again, 900.0, RelayActivity::Working);
        RelayEntry planned = relayOf(u"web1"_s, 600);
        planned.about->bySchedule = true;
        row("it rests by its schedule", planned, 900.0, RelayActivity::Idle);
        RelayEntry nameless = relayOf(u"web1"_s, 180);
        nameless.about.reset();
        row("it says nothing of itself", nameless, 900.0, RelayActivity::Silent);
    }

    void eachDoesOneThing()
    {
        QFETCH(RelayEntry, relay);
        QFETCH(std::optional<double>, rowWaits);
        QFETCH(RelayActivity, activity);
        QCOMPARE(activityOf(relay, now, rowWaits), activity);
    }

    void whatIsReadByAGuessTellsNothing()
    {
        OutboxSnapshot outbox;
        QCOMPARE(longestWait(outbox), std::nullopt);
        outbox.pending = 0;
        QCOMPARE(longestWait(outbox), std::optional(0.0));
        outbox.pending = 5;
        QCOMPARE(longestWait(outbox), std::nullopt); // no time column
        outbox.oldestPendingSeconds = 90;
        QCOMPARE(longestWait(outbox), std::optional(90.0));
        outbox.guess = MappingGuess();
        QCOMPARE(longestWait(outbox), std::nullopt);
        outbox.guess.reset();
        outbox.standby = StandbyState();
        QCOMPARE(longestWait(outbox), std::nullopt);
    }

    /// A relay may have its last batch in any queue; one of another system does not meet ours.
    void oneEntryForEachRelayOfTheSystem()
    {
        RelayEntry old = relayOf(u"old"_s, 7200);
        old.about.reset(); // nothing is left of it but its number
        RelayEntry nameless = relayOf(u"nameless"_s, 30);
        nameless.about.reset();
        const QList<QueueSnapshot> queues{
            queueWith(u"other"_s, {relayOf(u"web1"_s, 5), relayOf(u"stranger"_s, 1)}),
            queueWith(u"default"_s,
                      {relayOf(u"web2"_s, 20), nameless, old, relayOf(u"web1"_s, 500)})};
        const QList<RelayEntry> relays = relaysOf(queues, {u"default"_s});
        QStringList names;
        for (const RelayEntry &relay : relays)
            names += relay.relay;
        QCOMPARE(names, (QStringList{u"relay-web1"_s, u"relay-web2"_s, u"relay-nameless"_s}));
        QCOMPARE(relays.first().lastBatch, now.addSecs(-5));
        QVERIFY(relaysOf(queues, {u"nobody's"_s}).isEmpty());
    }

    void theLineNamesHostsVersionsAndSilence()
    {
        QList<RelayEntry> entries{relayOf(u"web1"_s, 2), relayOf(u"web2"_s, 180, u"0.8.0"_s)};
        const auto line = [&entries] {
            return relaysText(listRelays({queueWith(u"default"_s, entries)}, {u"default"_s}, 900.0),
                              now);
        };
        const QString since = momentText(now.addSecs(-3600), now);
        QCOMPARE(line(), u"2 (web1 0.9.0 since %1; web2 0.8.0 silent for 3 min)"_s.arg(since));
        entries[0].about->worker = 2;
        QVERIFY(line().startsWith(u"2 (web1 worker 2 0.9.0 since "_s));
        entries[0].about->ended = now;
        entries[1].lastBatch = now.addDays(-2);
        QCOMPARE(line(), QString());
    }
};

} // namespace tst_relaylist

OUTBOX_TEST(tst_relaylist::TestRelayList)
#include "tst_relaylist.moc"
