// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line is public interface: every command, option and JSON member that scripts hang on
// is there. The lists are the contract; they only grow.
#include "tests/support/ctlworld.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ctlcontract {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QStringList missingIn(const QJsonObject &object, const QStringList &members)
{
    QStringList missing;
    for (const QString &member : members) {
        if (!object.contains(member))
            missing += member;
    }
    return missing;
}

} // namespace

class TestCtlContract : public QObject, protected CtlWorld
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { tearDownWorld(); }

    void everyOptionIsKnown_data()
    {
        QTest::addColumn<QStringList>("options");
        const QStringList system{u"profile"_s,   u"database"_s, u"table"_s,        u"shape"_s,
                                 u"redis"_s,     u"queue"_s,    u"retention"_s,    u"config-dir"_s,
                                 u"state-dir"_s, u"json"_s,     u"password-file"_s};
        const QStringList act{u"ids-file"_s, u"filter"_s, u"yes"_s};
        const auto row = [&](const char *command, const QStringList &own) {
            QTest::newRow(command) << system + own;
        };
        row("status", {});
        row("watch", {u"interval"_s});
        row("list", {u"state"_s, u"filter"_s, u"limit"_s, u"after"_s, u"order"_s});
        row("show",
            {u"decode"_s, u"decode-as"_s, u"descriptor-set"_s, u"message-type"_s,
             u"decode-with"_s});
        row("compare", {});
        row("tasks", {u"state"_s, u"filter"_s, u"limit"_s, u"after"_s});
        row("relay",
            {u"drain"_s, u"batch"_s, u"workers"_s, u"poll"_s, u"rate"_s, u"wait-replicas"_s,
             u"wait-aof"_s, u"metrics"_s, u"grace"_s, u"allow-duplicates"_s});
        for (const char *verb : {"replay", "purge", "park", "unpark", "release", "run", "archive",
                                 "delete", "replace", "cancel"})
            row(verb, act);
        row("edit", {u"payload-file"_s, u"type"_s, u"to-queue"_s, u"at"_s, u"yes"_s});
        row("edit-task", {u"payload-file"_s, u"type"_s, u"to-queue"_s, u"at"_s, u"yes"_s});
        row("reconcile", {u"ids-file"_s, u"yes"_s});
        row("pause", {u"yes"_s});
        row("unpause", {u"yes"_s});
        row("enqueue", {u"payload-file"_s, u"id"_s, u"retention"_s, u"in"_s, u"yes"_s});
        row("export", {u"filter"_s});
        row("import", {u"yes"_s});
        row("probe", {});
        row("check", {u"nagios"_s});
    }
    void everyOptionIsKnown()
    {
        QFETCH(QStringList, options);
        const CtlRun help = runCtl({QString::fromLatin1(QTest::currentDataTag()), u"--help"_s});
        QCOMPARE(help.exitCode, 0);
        QStringList unknown;
        for (const QString &option : std::as_const(options)) {
            const QByteArray word = "--" + option.toLatin1();
            if (!help.out.contains(QByteArray(word + ' '))
                && !help.out.contains(QByteArray(word + '\n')))
                unknown += option;
        }
        QCOMPARE(unknown, QStringList());
    }

    void everyCommandIsListed()
    {
        const CtlRun help = runCtl({u"--help"_s});
        for (const char *command :
             {"audit", "compare", "demo", "fleet", "status", "relay", "reconcile"})
            QVERIFY2(help.out.contains(command), command);
        const CtlRun fleet = runCtl({u"fleet"_s, u"--help"_s});
        for (const char *word : {"[find ID] [PROFILE...]", "--json", "--all", "--group ",
                                 "--config-dir ", "--state-dir "})
            QVERIFY2(fleet.out.contains(word), fleet.out.constData());
    }

    void everyMemberOfAStatusIsThere()
    {
        QVERIFY(setUpWorld());
        const QJsonObject status = ctl({u"status"_s, u"--json"_s}).last();
        QCOMPARE(missingIn(status,
                           {u"at"_s, u"outbox"_s, u"queue"_s, u"dedup"_s, u"relay"_s, u"relays"_s,
                            u"durability"_s, u"health"_s}),
                 QStringList());
        QCOMPARE(missingIn(status.value("outbox"_L1).toObject(),
                           {u"pending"_s, u"waiting"_s, u"locked"_s, u"processed"_s, u"failed"_s,
                            u"oldest_pending_s"_s, u"exact"_s, u"took_ms"_s}),
                 QStringList());
        QCOMPARE(
            missingIn(status.value("queue"_L1).toObject(),
                      {u"name"_s, u"pending"_s, u"active"_s, u"scheduled"_s, u"retry"_s,
                       u"archived"_s, u"completed"_s, u"paused"_s, u"servers"_s, u"took_ms"_s}),
            QStringList());
        QCOMPARE(missingIn(status.value("dedup"_L1).toObject(),
                           {u"retained"_s, u"expired"_s, u"soonest_expiry"_s, u"latest_expiry"_s,
                            u"bytes"_s, u"bytes_are"_s}),
                 QStringList());
        QVERIFY(status.value("relay"_L1).toObject().value("holders"_L1).isArray());
        const QStringList health{u"level"_s, u"sentence"_s, u"causes"_s};
        QCOMPARE(missingIn(status.value("health"_L1).toObject(), health), QStringList());
        QCOMPARE(missingIn(ctl({u"check"_s, u"--json"_s}).last(), health), QStringList());
    }

    void everyMemberOfTheTotalsIsThere()
    {
        QVERIFY(setUpWorld());
        const CtlRun run = ctl({u"relay"_s, u"--drain"_s, u"--json"_s, u"--ids-never-return"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(
            missingIn(run.last(),
                      {u"enqueued"_s, u"already_queued"_s, u"already_done"_s, u"dead_in_queue"_s,
                       u"parked"_s, u"batches"_s, u"rollbacks"_s, u"seconds"_s, u"stopped"_s}),
            QStringList());
        const QJsonObject page = ctl({u"list"_s, u"--json"_s}).last();
        QVERIFY(page.contains("cursor"_L1));
    }

    void everyMemberOfAnErrorIsThere()
    {
        const CtlRun run = runCtl({u"status"_s, u"--json"_s, u"--profile"_s, u"nobody"_s,
                                   u"--config-dir"_s, u"/nonexistent"_s});
        QCOMPARE(missingIn(run.last().value("error"_L1).toObject(),
                           {u"kind"_s, u"doing"_s, u"text"_s, u"code"_s, u"hint"_s}),
                 QStringList());
    }
};

} // namespace tst_ctlcontract

OUTBOX_TEST(tst_ctlcontract::TestCtlContract)
#include "tst_ctlcontract.moc"
