// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the masks of a profile hide stands in nothing that the command line prints, but where
// somebody asked for it, which is on record.
#include "tests/support/ctlworld.h"
#include "tests/support/filebytes.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ctlmasks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray secret = R"({"user":"ana","password":"hunter2"})";

QByteArray saidBy(const CtlRun &run)
{
    return run.out + '\n' + run.err;
}

} // namespace

class TestCtlMasks : public QObject, protected CtlWorld
{
    Q_OBJECT

    QStringList m_shop; ///< names the profile with its masks

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        QVERIFY(setUpWorld());
        const auto masks = PayloadMasks::fromTexts({u"*.password"_s});
        QVERIFY_RESULT(masks);
        m_shop = profile(Environment::Development, false, {}, *masks);
        QVERIFY(m_fixture->exec(u"update outbox set payload = convert_to('%1', 'UTF8') "
                                "where id = 5"_s.arg(QString::fromLatin1(secret))));
        QVERIFY(m_fixture->exec(u"update outbox set payload = "
                                "convert_to('{\"user\":\"bob\"}', 'UTF8') where id = 6"_s));
        EnqueueRequest request = sampleRequest(u"t-secret"_s);
        request.payload = secret;
        QVERIFY(placeTask(m_fixture->plainRedis(), request, TaskState::Pending));
    }
    void cleanup() { tearDownWorld(); }

    void nothingPrintsIt_data()
    {
        QTest::addColumn<QStringList>("command");
        const QList<QStringList> commands{{u"list"_s},
                                          {u"tasks"_s},
                                          {u"show"_s, u"5"_s},
                                          {u"show"_s, u"5"_s, u"--decode"_s},
                                          {u"compare"_s, u"5"_s, u"6"_s}};
        for (const QStringList &command : commands) {
            const QString name = command.join(u' ');
            QTest::newRow(qPrintable(name)) << command;
            QTest::newRow(qPrintable(QString(name + u" --json"_s)))
                << QStringList(command + QStringList{u"--json"_s});
        }
    }

    void nothingPrintsIt()
    {
        QFETCH(QStringList, command);
        const CtlRun masked = runCtl(command + m_shop);
        QVERIFY2(!saidBy(masked).contains("hunter2"), saidBy(masked).constData());
        QVERIFY(!saidBy(masked).contains(secret.toBase64().first(20)));
        QVERIFY2(masked.out.contains("ana"), saidBy(masked).constData()); // the rest is there
        QVERIFY2(masked.err.contains("--unmasked"), masked.err.constData());
        QVERIFY(audit().isEmpty());
        // Asked for, it is printed, and that stands in the record.
        const CtlRun whole = runCtl(command + m_shop + QStringList{u"--unmasked"_s});
        QVERIFY2(whole.out.contains("hunter2"), saidBy(whole).constData());
        const QList<QJsonObject> record = audit();
        QCOMPARE(record.size(), 1);
        QVERIFY(QJsonDocument(record.constFirst()).toJson().contains("unmasked"));
    }

    void whatItIsReadAsIsNotChosenBesideMasks()
    {
        const QStringList command{u"show"_s, u"5"_s, u"--decode-as"_s, u"text"_s};
        const CtlRun refused = runCtl(command + m_shop);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY(!saidBy(refused).contains("hunter2"));
    }

    void aPlanShowsChangesWithoutIt()
    {
        const CtlRun run
            = runCtl(QStringList{u"edit"_s, u"5"_s, u"--payload-file"_s, u"-"_s} + m_shop, 60'000,
                     R"({"user":"eva","password":"hunter3"})");
        QVERIFY2(!saidBy(run).contains("hunter"), saidBy(run).constData());
        QVERIFY2(run.out.contains("eva"), saidBy(run).constData());
        QVERIFY2(run.out.contains("without masks"), saidBy(run).constData()); // the export is whole
    }

    void anExportIsWholeAndSaysSo()
    {
        const QString file = m_folder->filePath(u"five.jsonl"_s);
        const CtlRun run = runCtl(QStringList{u"export"_s, u"5"_s, u"--to"_s, file} + m_shop);
        QVERIFY2(run.err.contains("without masks"), saidBy(run).constData());
        QVERIFY(!saidBy(run).contains("hunter2"));
        QVERIFY(fileBytes(file).contains("hunter2"));
    }
};

} // namespace tst_ctlmasks

OUTBOX_TEST(tst_ctlmasks::TestCtlMasks)
#include "tst_ctlmasks.moc"
