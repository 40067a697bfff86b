// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way in, on a real PostgreSQL and a real Redis that ask for passwords: the first profile, a
// password that is wrong, one that stands in the environment, no Redis, no table.
#include "app/system/jobs/connectiontest.h"
#include "tests/app/consoleground.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/connections/passworddialog.h"
#include "views/connections/profiledialog.h"
#include "views/mapping/mappingdialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_firstrun {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFirstRun : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    const QString m_right = u"moon-4711-tide"_s;

    [[nodiscard]] Profile profile() const
    {
        Profile one;
        one.name = u"clerk's"_s;
        DatabaseUrl url = *DatabaseUrl::fromUrl(m_fixture->url());
        url.user = u"clerk"_s;
        one.databaseUrl = url.shown();
        one.redisUrl = m_redis.url() + u"?user=clerk"_s;
        one.refreshMs = 250;
        return one;
    }
    [[nodiscard]] bool letsIn(const QString &password) const
    {
        PlainPostgres hand;
        const DatabaseUrl url = *DatabaseUrl::fromUrl(m_fixture->url());
        return hand
            .open(u"postgresql://clerk:%1@/%2?host=%3"_s.arg(password, url.database,
                                                             m_postgres.socketFolder()))
            .has_value();
    }
    void open(const Profile &profile, const ProfilePasswords &passwords)
    {
        m_desktop->openProfile(profile, passwords);
        window().show();
    }
    [[nodiscard]] bool isLive(Source source) const
    {
        const SystemSnapshot &seen = m_desktop->system()->snapshot();
        return (source == Source::Database ? seen.database : seen.queue).state
            == SourceHealth::State::Live;
    }
    /// The button of this accessible name beside a message of the window that says `sentence`.
    [[nodiscard]] QPushButton *offered(const QString &sentence, const QString &name) const
    {
        for (const QWidget *row : window().findChildren<QWidget *>(u"message"_s)) {
            const auto *text = row->findChild<QLabel *>(u"messageText"_s);
            if (!text || !text->text().contains(sentence))
                continue;
            for (QPushButton *one : row->findChildren<QPushButton *>()) {
                if (one->accessibleName() == name)
                    return one;
            }
        }
        return nullptr;
    }
    void enter(const QString &sentence, const QString &field)
    {
        const QString name = u"Enter password\u2026"_s;
        QTRY_VERIFY(offered(sentence, name) != nullptr);
        offered(sentence, name)->click();
        auto *dialog = window().findChild<PasswordDialog *>();
        QVERIFY(dialog != nullptr);
        auto *edit = dialog->findChild<QLineEdit *>();
        QCOMPARE(edit->accessibleName(), field);
        QCOMPARE(edit->echoMode(), QLineEdit::Password);
        QTest::keyClicks(edit, m_right);
        dialog->findChild<QPushButton *>(u"passwordLogIn"_s)->click();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres,
                                                 BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(5));
        QVERIFY(m_fixture->exec(u"drop role if exists clerk"_s));
        QVERIFY(m_fixture->exec(u"create role clerk login superuser password '%1'"_s.arg(m_right)));
        const QString rules = m_postgres.folder() + u"/data/pg_hba.conf"_s;
        const QByteArray first = "local all clerk scram-sha-256\n";
        const QByteArray before = fileBytes(rules);
        if (!before.startsWith(first))
            QVERIFY(writeFile(rules, first + before));
        QVERIFY(m_fixture->exec(u"select pg_reload_conf()"_s));
        QTRY_VERIFY(!letsIn(u"wrong"_s));
        QVERIFY(m_fixture->plainRedis()
                    .command({"ACL", "SETUSER", "clerk", "reset", "on",
                              QByteArray(">" + m_right.toUtf8()), "~*", "&*", "+@all"},
                             u"acl"_s)
                    .has_value());
        startConsole();
    }
    void cleanup()
    {
        qunsetenv("PGPASSWORD");
        qunsetenv("REDIS_PASSWORD");
        m_desktop.reset();
        m_fixture.reset();
    }

    void connectBeginsTheFirstProfile()
    {
        m_desktop->begin();
        window().show();
        window().findChild<QPushButton *>(u"welcomeConnect"_s)->click();
        auto *dialog = window().findChild<ProfileDialog *>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->profiles().size(), 1);
        auto *name = dialog->findChild<QLineEdit *>(u"profileName"_s);
        QCOMPARE(name->accessibleName(), u"Name"_s);
        QTRY_VERIFY(dialog->focusWidget() == name);
        QVERIFY(dialog->currentProfile().readOnly);
    }

    void addressAndFieldsAreOneValue()
    {
        m_desktop->openConnections();
        auto *dialog = window().findChild<ProfileDialog *>();
        QVERIFY(dialog != nullptr);
        const auto field = [dialog](const QString &spoken) {
            const QList<QLineEdit *> all = dialog->findChildren<QLineEdit *>();
            const auto found = std::find_if(all.cbegin(), all.cend(), [&](const QLineEdit *one) {
                return one->accessibleName() == spoken;
            });
            return found == all.cend() ? nullptr : *found;
        };
        for (const QString &spoken : {u"Database address"_s, u"Database host"_s, u"Database port"_s,
                                      u"Database name or file"_s, u"Database user"_s,
                                      u"Redis hosts"_s, u"Name of the master"_s})
            QVERIFY2(field(spoken) != nullptr, qPrintable(spoken));
        field(u"Database address"_s)->setText(u"postgresql://ana@db:5433/orders?sslmode=require"_s);
        QCOMPARE(field(u"Database host"_s)->text(), u"db"_s);
        QCOMPARE(field(u"Database port"_s)->text(), u"5433"_s);
        QCOMPARE(field(u"Database name or file"_s)->text(), u"orders"_s);
        QCOMPARE(field(u"Database user"_s)->text(), u"ana"_s);
        field(u"Database host"_s)->setText(u"db2"_s);
        QCOMPARE(dialog->currentProfile().databaseUrl,
                 u"postgresql://ana@db2:5433/orders?sslmode=require"_s);
        field(u"Database port"_s)->setText(u"x"_s); // told when it is tried, and not left out
        QVERIFY(!DatabaseUrl::fromUrl(dialog->currentProfile().databaseUrl).has_value());

        auto *kind = dialog->findChild<QComboBox *>(u"profileRedisKind"_s);
        QCOMPARE(kind->accessibleName(), u"Kind of Redis"_s);
        kind->setCurrentIndex(static_cast<int>(RedisParts::Kind::Sentinels));
        field(u"Redis hosts"_s)->setText(u"s1,s2:26380"_s);
        field(u"Name of the master"_s)->setText(u"main"_s);
        QCOMPARE(dialog->currentProfile().redisUrl, u"redis+sentinel://s1:26379,s2:26380/main/0"_s);
        kind->setCurrentIndex(static_cast<int>(RedisParts::Kind::None));
        QVERIFY(dialog->currentProfile().isDatabaseOnly());

        auto *tls = dialog->findChild<QCheckBox *>(u"profileRedisTls"_s);
        field(u"Redis address"_s)->setText(u"rediss://cache:6380/2?ca=/ca.pem"_s);
        QVERIFY(tls->isChecked());
        tls->setChecked(false);
        QCOMPARE(dialog->currentProfile().redisUrl, u"redis://cache:6380/2"_s);
        field(u"Number of the Redis database"_s)->setText(u"1o"_s);
        QCOMPARE(dialog->currentProfile().redisUrl, u"redis://cache:6380/1o"_s);
        // Half an address is none that was left out.
        field(u"Redis address"_s)->setText(u"redis:/"_s);
        QCOMPARE(kind->currentIndex(), static_cast<int>(RedisParts::Kind::Server));
    }

    void aWrongPasswordIsAskedForInPlace()
    {
        open(profile(), {u"wrong"_s, u"wrong"_s});
        enter(u"The database refused the log-in of \"clerk\": wrong password."_s,
              u"Database password"_s);
        QTRY_VERIFY(isLive(Source::Database));
        enter(u"Redis refused the log-in of \"clerk\": wrong user or password."_s,
              u"Redis password"_s);
        QTRY_VERIFY(isLive(Source::Queue));
        QTRY_VERIFY(isLive(Source::Database));
        // Known until the program ends, and in no file.
        open(profile(), {});
        QTRY_VERIFY(isLive(Source::Database) && isLive(Source::Queue));
        QDirIterator files(m_folder->path(), QDir::Files | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext())
            QVERIFY(!fileBytes(files.next()).contains(m_right.toUtf8()));
        startAgain();
        open(profile(), {});
        QTRY_VERIFY(offered(u"Redis refused the log-in"_s, u"Enter password\u2026"_s) != nullptr);
    }

    void thePlacesOfPasswordsAreAsked()
    {
        qputenv("PGPASSWORD", m_right.toUtf8());
        qputenv("REDIS_PASSWORD", m_right.toUtf8());
        open(profile(), {});
        QTRY_VERIFY(isLive(Source::Database) && isLive(Source::Queue));
    }

    void aTestExplainsBothFailures()
    {
        ConnectionTest test(profile(), {u"wrong"_s, u"wrong"_s});
        QList<ConnectionStep> steps;
        connect(&test, &ConnectionTest::stepsChanged, this,
                [&steps](const QList<ConnectionStep> &now) { steps = now; });
        QSignalSpy finished(&test, &ConnectionTest::finished);
        test.start();
        QTRY_COMPARE(finished.count(), 1);
        QStringList reasons;
        for (const ConnectionStep &step : std::as_const(steps)) {
            if (step.state == ConnectionStep::State::Failed)
                reasons += step.text;
        }
        QCOMPARE(reasons,
                 (QStringList{u"The database refused the log-in of \"clerk\": wrong password"_s,
                              u"Redis refused the log-in of \"clerk\": wrong user or password"_s}));
    }

    void withoutARedisTheDatabaseIsWatched()
    {
        Profile alone = profile();
        alone.redisUrl.clear();
        open(alone, {m_right, {}});
        const auto sentences = [this] {
            QStringList texts;
            const auto &health = m_desktop->system()->snapshot().health;
            for (const HealthCause &cause : health ? health->causes : QList<HealthCause>())
                texts += cause.text;
            return texts;
        };
        QTRY_VERIFY(sentences().contains(u"The queue is not watched: no Redis address is set."_s));
        QVERIFY(isLive(Source::Database));
        QVERIFY(m_desktop->system()->snapshot().queue.state == SourceHealth::State::Absent);
        QVERIFY(!m_desktop->system()->snapshot().queue.error);
    }

    void aMissingTableLeadsToTheProbe()
    {
        Profile other = profile();
        other.table = u"nowhere"_s;
        open(other, {m_right, m_right});
        const auto probe = [this] {
            return offered(u"There is no table \"nowhere\""_s, u"Probe and map\u2026"_s);
        };
        QTRY_VERIFY(probe() != nullptr);
        probe()->click();
        QVERIFY(window().findChild<MappingDialog *>() != nullptr);
    }
};

} // namespace tst_firstrun

OUTBOX_TEST(tst_firstrun::TestFirstRun)
#include "tst_firstrun.moc"
