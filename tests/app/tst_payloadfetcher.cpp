// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A large payload comes whole and in slices, is let go at will, and is never mixed from two.
#include "app/system/databasefeed.h"
#include "app/system/jobs/payloadfetcher.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_payloadfetcher {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPayloadFetcher : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

    static constexpr qint64 size = 9 * 1024 * 1024 + 17;

    Profile profileOf(const DatabaseUrl &url) const
    {
        Profile profile = classicProfile(m_databases, url);
        profile.refreshMs = 50;
        return profile;
    }
    DatabaseUrl tableWithLargeRow()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        const bool isMariadb = dialect() == DatabaseUrl::Dialect::MariaDb;
        side.run(
            u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload %1)"_s.arg(
                isMariadb ? u"longtext"_s : u"text"_s));
        const QString text = dialect() == DatabaseUrl::Dialect::Sqlite
            ? u"printf('%.%1c', 'y')"_s.arg(size)
            : u"repeat('y', %1)"_s.arg(size);
        side.run(u"INSERT INTO outbox VALUES (1, 'mail', %1), (2, 'mail', 'short')"_s.arg(text));
        return url;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void comesWholeAndCanBeSeenComing()
    {
        const DatabaseUrl url = tableWithLargeRow();
        PayloadFetcher fetcher(profileOf(url), {});
        QList<qint64> steps;
        std::optional<Result<QByteArray>> ended;
        connect(&fetcher, &PayloadFetcher::progressed, this,
                [&](const MessageId &id, qint64 bytes, qint64 stored) {
                    QCOMPARE(id.text, u"1"_s);
                    QCOMPARE(stored, size);
                    steps += bytes;
                });
        connect(&fetcher, &PayloadFetcher::ended, this,
                [&](const MessageId &, const Result<QByteArray> &payload) { ended = payload; });
        fetcher.start(classicShape(), {u"1"_s});
        QTRY_VERIFY_WITH_TIMEOUT(ended.has_value(), 20'000);
        QVERIFY_RESULT(*ended);
        QCOMPARE(**ended, QByteArray(size, 'y'));
        QVERIFY(steps.size() >= 3);
        for (qsizetype i = 1; i < steps.size(); ++i)
            QVERIFY(steps.at(i) - steps.at(i - 1) <= 4 * 1024 * 1024);
        QVERIFY(!fetcher.isRunning());
    }

    void isLetGoAtWill()
    {
        const DatabaseUrl url = tableWithLargeRow();
        PayloadFetcher fetcher(profileOf(url), {});
        bool isCancelled = false;
        QStringList ended;
        connect(&fetcher, &PayloadFetcher::progressed, this, [&](const MessageId &id) {
            if (id.text != u"1")
                return;
            fetcher.cancel();
            isCancelled = true;
        });
        connect(&fetcher, &PayloadFetcher::ended, this,
                [&](const MessageId &id, const Result<QByteArray> &) { ended += id.text; });
        fetcher.start(classicShape(), {u"1"_s});
        QTRY_VERIFY(isCancelled);
        QVERIFY(!fetcher.isRunning());
        fetcher.start(classicShape(), {u"2"_s}); // another row: nothing of the first comes
        QTRY_COMPARE(ended, QStringList{u"2"_s});
    }

    void isNeverMixedFromTwo()
    {
        const DatabaseUrl url = tableWithLargeRow();
        SideSession side(url);
        PayloadFetcher fetcher(profileOf(url), {});
        std::optional<Result<QByteArray>> ended;
        bool changed = false;
        connect(&fetcher, &PayloadFetcher::progressed, this, [&] {
            if (!std::exchange(changed, true))
                side.run(u"UPDATE outbox SET payload = 'shorter' WHERE id = 1"_s);
        });
        connect(&fetcher, &PayloadFetcher::ended, this,
                [&](const MessageId &, const Result<QByteArray> &payload) { ended = payload; });
        fetcher.start(classicShape(), {u"1"_s});
        QTRY_VERIFY(ended.has_value());
        QVERIFY(!*ended);
        QCOMPARE(ended->error().kind, Error::Kind::Conflict);
    }

    void aLookTakesTheBeginningOnly()
    {
        const DatabaseUrl url = tableWithLargeRow();
        DatabaseFeed feed(profileOf(url), {}, m_folder.path());
        std::optional<Message> row;
        connect(&feed, &DatabaseFeed::found, this,
                [&](const MessageId &, const Result<std::optional<Message>> &found) {
                    if (found)
                        row = *found;
                });
        QSignalSpy taken(&feed, &DatabaseFeed::taken);
        feed.setRunning(true);
        QTRY_VERIFY(taken.count() > 0);
        feed.find({u"1"_s});
        QTRY_VERIFY(row.has_value());
        QCOMPARE(row->payloadBytes, size);
        QCOMPARE(row->payload.size(), 1024 * 1024);
    }
};

} // namespace tst_payloadfetcher

OUTBOX_TEST(tst_payloadfetcher::TestPayloadFetcher)
#include "tst_payloadfetcher.moc"
