// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stays unlocked and what does not, and by which name a system is known in the record.
#include "app/operations/operationdriver.h"
#include "app/settings/folders.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_operationdriver {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperationDriver : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OperationDriver> m_driver;

    [[nodiscard]] OperatorSessionSettings settings() const
    {
        OperatorSessionSettings settings;
        settings.profile.name = u"orders"_s; // names no server: there is nothing to log in to
        settings.stateFolder = m_folder->filePath(u"state"_s);
        settings.face = u"outboxdeck"_s;
        return settings;
    }
    [[nodiscard]] bool isArmed() const
    {
        return m_driver->arming().isArmed(QDateTime::currentDateTimeUtc());
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_driver = std::make_unique<OperationDriver>(settings());
        m_driver->open({});
        QSignalSpy changed(m_driver.get(), &OperationDriver::armingChanged);
        Unlocking unlocking;
        unlocking.reason = u"ticket 7"_s;
        m_driver->unlock(unlocking);
        QVERIFY(changed.wait());
        QVERIFY(isArmed());
    }
    void cleanup() { m_driver.reset(); }

    void theSameShapeOnceMoreLocksNothing()
    {
        QSignalSpy changed(m_driver.get(), &OperationDriver::armingChanged);
        m_driver->open({});
        QCOMPARE(changed.size(), 0);
        QVERIFY(isArmed());

        OutboxShape other;
        other.keyColumn = u"id"_s;
        m_driver->open(other);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!isArmed());
    }

    void aSecondUnlockThatFailsLocks()
    {
        const QString record = Folders{{}, settings().stateFolder}.auditFile();
        QVERIFY(QFile::remove(record));
        QVERIFY(QDir().mkpath(record)); // what cannot be recorded is not unlocked
        QSignalSpy failed(m_driver.get(), &OperationDriver::unlockFailed);
        Unlocking again;
        again.reason = u"ticket 8"_s;
        m_driver->unlock(again);
        QVERIFY(failed.wait());
        QVERIFY(!isArmed());
    }

    void thePortBelongsToTheNameOfASystem()
    {
        const auto targetOf = [this](const QString &database, const QString &redis) {
            OperatorSessionSettings tunnel = settings();
            tunnel.profile.databaseUrl = database;
            tunnel.profile.redisUrl = redis;
            OperatorSession session;
            return session.open(tunnel) ? session.target() : QString();
        };
        const QString usual
            = targetOf(u"postgres://ana@localhost/shop"_s, u"redis://localhost/0"_s);
        QVERIFY(!usual.isEmpty());
        QCOMPARE(targetOf(u"postgres://ana@localhost:5432/shop"_s, u"redis://localhost:6379/0"_s),
                 usual);
        const QString database
            = targetOf(u"postgres://ana@localhost:5433/shop"_s, u"redis://localhost/0"_s);
        QVERIFY2(database.contains(u":5433/shop"_s), qPrintable(database));
        const QString redis
            = targetOf(u"postgres://ana@localhost/shop"_s, u"redis://localhost:6380/0"_s);
        QVERIFY2(redis.contains(u":6380/0"_s), qPrintable(redis));
    }
};

} // namespace tst_operationdriver

OUTBOX_TEST(tst_operationdriver::TestOperationDriver)
#include "tst_operationdriver.moc"
