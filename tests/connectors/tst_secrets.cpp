// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passwords: the order of the places, and that an unreadable one is never passed over.
#include "connectors/secrets/secretstore.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_secrets {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSecrets : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString written(const QString &name, const QByteArray &bytes) const
    {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return path;
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        for (const char *name : {"CREDENTIALS_DIRECTORY", "PGPASSWORD", "REDIS_PASSWORD",
                                 "ACTING_PGPASSWORD", "REDIS_SENTINEL_PASSWORD"})
            qunsetenv(name);
    }

    void nobodyHasIt()
    {
        const auto found = findSecret(SecretName::DatabasePassword);
        QVERIFY_RESULT(found);
        QVERIFY(found->isEmpty());
    }

    void actingRolesHavePasswordsOfTheirOwn()
    {
        qputenv("PGPASSWORD", "of the one who looks");
        qputenv("ACTING_PGPASSWORD", "of the one who acts");
        auto found = findSecret(SecretName::ActingDatabasePassword);
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"of the one who acts"_s);
        found = findSecret(SecretName::ActingRedisPassword);
        QVERIFY_RESULT(found);
        QVERIFY(found->isEmpty());
        qputenv("REDIS_SENTINEL_PASSWORD", "of the sentinels");
        found = findSecret(SecretName::SentinelPassword);
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"of the sentinels"_s);
        static_cast<void>(written(u"redis-sentinel-password"_s, "of them, from a credential\n"));
        static_cast<void>(written(u"acting-redis-password"_s, "from a credential\n"));
        qputenv("CREDENTIALS_DIRECTORY", m_folder->path().toLocal8Bit());
        found = findSecret(SecretName::ActingRedisPassword);
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"from a credential"_s);
        found = findSecret(SecretName::SentinelPassword);
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"of them, from a credential"_s);
    }

    void theFirstPlaceCounts()
    {
        qputenv("PGPASSWORD", "from the environment");
        auto found = findSecret(SecretName::DatabasePassword);
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"from the environment"_s);

        const QString file = written(u"pw"_s, " from the file \r\nsecond line\n");
        found = findSecret(SecretName::DatabasePassword, {{SecretName::DatabasePassword, file}});
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u" from the file "_s);

        qputenv("CREDENTIALS_DIRECTORY", m_folder->path().toLocal8Bit());
        (void)written(u"database-password"_s, "from systemd");
        found = findSecret(SecretName::DatabasePassword, {{SecretName::DatabasePassword, file}});
        QVERIFY_RESULT(found);
        QCOMPARE(*found, u"from systemd"_s);
    }

    void eachSecretHasItsOwnName()
    {
        qputenv("REDIS_PASSWORD", "r");
        qputenv("CREDENTIALS_DIRECTORY", m_folder->path().toLocal8Bit());
        (void)written(u"database-password"_s, "d");
        const auto redis = findSecret(SecretName::RedisPassword);
        QVERIFY_RESULT(redis);
        QCOMPARE(*redis, u"r"_s);
    }

    void aNamedFileMustBeThere()
    {
        qputenv("PGPASSWORD", "another one");
        const auto found
            = findSecret(SecretName::DatabasePassword,
                         {{SecretName::DatabasePassword, m_folder->filePath(u"no"_s)}});
        QVERIFY(!found.has_value());
        QCOMPARE(found.error().kind, Error::Kind::Refused);
    }
};

} // namespace tst_secrets

OUTBOX_TEST(tst_secrets::TestSecrets)
#include "tst_secrets.moc"
