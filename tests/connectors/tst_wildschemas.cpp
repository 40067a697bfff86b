// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables as libraries and people make them (tests/data/schemas), on real databases: found without a
// word from us, as what they are, and every row counted in its state.
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QRegularExpression>
#include <QTimeZone>

namespace tst_wildschemas {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// A file of the folder: what is expected stands in its comments, "-- pending 2".
struct WildTable
{
    QStringList statements;
    QMap<QString, QString> expected;

    [[nodiscard]] std::optional<qint64> count(const QString &member) const
    {
        bool isNumber = false;
        const qint64 value = expected.value(member, u"0"_s).toLongLong(&isNumber);
        return isNumber ? std::optional(value) : std::nullopt;
    }
};

using Dialect = DatabaseUrl::Dialect;

/// The zone that writers are in is another one from table to table.
QString zoneOfWriters(const QString &path)
{
    static const QStringList zones{u"America/New_York"_s, u"Asia/Kolkata"_s,
                                   u"Australia/Adelaide"_s, u"UTC"_s};
    const QByteArray name = QFileInfo(path).baseName().toUtf8();
    return zones.at(qHash(name, 0) % zones.size());
}

QString inDialect(QString text, Dialect dialect, const QString &zone)
{
    const auto replaceAll = [&text](const QString &pattern, const auto &replacement) {
        const QRegularExpression expression(pattern);
        for (auto match = expression.match(text); match.hasMatch(); match = expression.match(text))
            text.replace(match.capturedStart(), match.capturedLength(),
                         QString(replacement(match.captured(1).toInt())));
    };
    const TestWords &words = testWords(dialect);
    const auto moment = [&zone](int seconds) -> QString {
        const QDateTime at = QDateTime::currentDateTimeUtc().addSecs(seconds);
        return u'\'' + at.toTimeZone(QTimeZone(zone.toLatin1())).toString(u"yyyy-MM-dd hh:mm:ss"_s)
            + u'\'';
    };
    replaceAll(u"@ago\\((\\d+)\\)"_s, [&](int seconds) { return moment(-seconds); });
    replaceAll(u"@in\\((\\d+)\\)"_s, [&](int seconds) { return moment(seconds); });
    const auto epoch = [&words](int seconds) { return words.epoch.arg(seconds); };
    replaceAll(u"@epoch\\((-?\\d+)\\)"_s, epoch);
    replaceAll(u"@epochms\\((-?\\d+)\\)"_s,
               [&](int seconds) -> QString { return u'(' + epoch(seconds) + u" * 1000)"_s; });
    replaceAll(u"@uuid\\((\\d+)\\)"_s, [](int number) -> QString {
        return u"'00000000-0000-4000-8000-%1'"_s.arg(number, 12, 10, QChar(u'0'));
    });
    static const QRegularExpression comment(u"@comment\\(([^)]*)\\)"_s);
    text.replace(comment, dialect == Dialect::MariaDb ? u"COMMENT '\\1'"_s : QString());
    text.replace(u"@bytes"_s, words.bytesType);
    if (dialect == Dialect::MariaDb) { // a key has no room for more, and few people use its uuid
        text.replace(u"varchar(767)"_s, u"varchar(255)"_s);
        text.replace(QRegularExpression(u"\\buuid( PRIMARY KEY| NOT NULL|,|\\))"_s),
                     u"char(36)\\1"_s);
    }
    return text;
}

WildTable wildTable(const QString &path, Dialect dialect, const QString &zone)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    WildTable wild;
    QString sql;
    QString behind; // what PostgreSQL says of a column after its table
    static const QRegularExpression comment(u"^  (\\w+) .*@comment\\(([^)]*)\\)"_s);
    for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        if (line.startsWith(u"-- "_s)) {
            const QString fact = line.mid(3);
            wild.expected[fact.section(u' ', 0, 0)] = fact.section(u' ', 1);
        } else {
            sql += line + u'\n';
        }
        if (const auto match = comment.match(line);
            match.hasMatch() && dialect == Dialect::PostgreSql) {
            behind += u"COMMENT ON COLUMN %1.%2 IS '%3';\n"_s.arg(
                wild.expected.value(u"table"_s), match.captured(1), match.captured(2));
        }
    }
    sql += u";\n"_s + behind;
    for (const QString &statement : inDialect(sql, dialect, zone).split(u";\n"_s)) {
        if (!statement.trimmed().isEmpty())
            wild.statements += statement;
    }
    return wild;
}

} // namespace

class TestWildSchemas : public QObject
{
    Q_OBJECT

    Databases m_databases;
    int m_right = 0;

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases, {u"timezone=UTC"_s}); }

    void isFoundAndCounted_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(SCHEMAS));
        const auto files = folder.entryInfoList({u"*.sql"_s}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 30);
        for (const QFileInfo &file : files)
            QTest::newRow(qPrintable(file.baseName())) << file.filePath();
    }

    void isFoundAndCounted()
    {
        QFETCH(QString, path);
        const QString zone = zoneOfWriters(path);
        const WildTable wild = wildTable(path, dialect(), zone);
        const QString only = wild.expected.value(u"dialect"_s);
        if ((!only.isEmpty() && only != testWords().word)
            || wild.expected.value(u"not"_s) == testWords().word)
            QSKIP("the table needs a type of another database");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        if (dialect() == Dialect::PostgreSql)
            side.run(u"SET TIME ZONE '%1'"_s.arg(zone));
        if (dialect() == Dialect::MariaDb) { // its named zones are loaded nowhere
            const QDateTime now = QDateTime::currentDateTimeUtc();
            const int ahead = QTimeZone(zone.toLatin1()).offsetFromUtc(now);
            side.run(u"SET time_zone = '%1%2'"_s.arg(
                ahead < 0 ? u"-"_s : u"+"_s,
                QTime(0, 0).addSecs(std::abs(ahead)).toString(u"hh:mm"_s)));
        }
        side.all(wild.statements);

        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto found = store.probe();
        QVERIFY_RESULT(found);
        QVERIFY2(!found->isEmpty(), "no outbox was found");
        ProbeFinding first = found->constFirst();
        const QString told = first.shape.zoneOf(u"*"_s);
        QVERIFY2(told.isEmpty() || told == zone || !first.shape.family.isEmpty(),
                 qPrintable(told + u" is not "_s + zone));
        first.shape.setTimeZone(zone); // the answer of a person
        QCOMPARE(first.shape.table.table, wild.expected.value(u"table"_s));
        const QString family = wild.expected.value(u"family"_s);
        QCOMPARE(first.shape.family, family == u"-" ? QString() : family);
        for (const QString &member : {u"table"_s, u"key"_s, u"payload"_s, u"processed"_s})
            QVERIFY2(!first.reasons.value(member).isEmpty(), qPrintable(member));
        const auto again = OutboxShape::fromJson(first.shape.toJson());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, first.shape);

        QVERIFY_RESULT(store.use(first.shape));
        const auto counts = store.snapshot();
        QVERIFY_RESULT(counts);
        QCOMPARE(counts->pending, wild.count(u"pending"_s));
        QCOMPARE(counts->waiting, wild.count(u"waiting"_s));
        if (counts->lockVisible)
            QCOMPARE(counts->locked, wild.count(u"locked"_s));
        QCOMPARE(counts->processed, wild.count(u"processed"_s));
        QCOMPARE(counts->failed, wild.count(u"failed"_s));
        QCOMPARE(counts->unknown, wild.count(u"unknown"_s));
        checkPages(store, *counts);

        OutboxShape relayed = first.shape;
        relayed.use = OutboxShape::Use::Relay;
        const QString relay = wild.expected.value(u"relay"_s);
        const bool could = relay == u"could" || relay == testWords().word;
        const QString use = first.reasons.value(u"use"_s).join(u' ');
        QCOMPARE(first.shape.use == OutboxShape::Use::Relay || use.contains(u"could be relayed"_s),
                 could);
        if (could)
            relayItsOwnWay(url, relayed, *counts);
        ++m_right;
    }

    void aNumberThatNobodyExplainedIsAsked_data()
    {
        QTest::addColumn<QString>("column");
        QTest::addColumn<double>("sure");
        QTest::newRow("a status") << u"status %1 NOT NULL DEFAULT 0"_s << 0.5;
        QTest::newRow("a status without a default") << u"status %1"_s << 0.5;
        QTest::newRow("no yes or no") << u"processed %1 NOT NULL DEFAULT 0"_s << 0.5;
        QTest::newRow("a status beside a time")
            << u"state %1 NOT NULL, sent_at timestamp NULL"_s << 0.8;
    }
    void aNumberThatNobodyExplainedIsAsked()
    {
        QFETCH(QString, column);
        QFETCH(double, sure);
        const QString name = column.section(u' ', 0, 0);
        const DatabaseUrl url = m_databases.fresh(dialect());
        const QString type = dialect() == Dialect::PostgreSql ? u"smallint"_s : u"tinyint"_s;
        QStringList statements{
            u"CREATE TABLE message_outbox (id integer PRIMARY KEY, topic "
            "varchar(80) NOT NULL, payload text NOT NULL, %1)"_s.arg(column.arg(type))};
        for (int id = 0; id < 4; ++id) {
            statements += u"INSERT INTO message_outbox (id, topic, payload, %1) "
                          "VALUES (%2, 't', '{}', %2)"_s.arg(name)
                              .arg(id);
        }
        SideSession(url).all(statements);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto found = store.probe();
        QVERIFY_RESULT(found);
        QCOMPARE(found->size(), 1);
        const ProbeFinding &finding = found->constFirst();
        QVERIFY(finding.confidence <= sure); // below what is written through unasked
        const QString questions = finding.questions.join(u'\n');
        QVERIFY2(questions.contains(u'`' + name + u'`') && questions.contains(u"mean"),
                 qPrintable(questions));
        QVERIFY(finding.shape.processedValues.isEmpty());
        QVERIFY(finding.shape.failedValues.isEmpty());
        QVERIFY(finding.shape.lockedValues.isEmpty());
        if (finding.shape.processedHow != OutboxShape::ProcessedHow::Status)
            return;
        QVERIFY(!finding.shape.canRelay());
        QVERIFY_RESULT(store.use(finding.shape));
        const auto counts = store.snapshot();
        QVERIFY_RESULT(counts);
        const int pending = column.contains(u"DEFAULT") ? 1 : 0; // new rows have the default
        QCOMPARE(counts->unknown, 4 - pending);
        QVERIFY(!counts->processed.has_value());
    }

    void cleanupTestCase() { qInfo("%d tables were found and counted as what they are", m_right); }

private:
    /// A relay of ours takes what is pending, nothing else, and marks it as others would.
    static void relayItsOwnWay(const DatabaseUrl &url, const OutboxShape &shape,
                               const OutboxSnapshot &before)
    {
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto claimed = store.claim(100, {});
        QVERIFY_RESULT(claimed);
        QCOMPARE(claimed->size(), before.pending);
        QVERIFY_RESULT(commitTaken(store));
        const auto after = store.snapshot();
        QVERIFY_RESULT(after);
        QCOMPARE(after->pending, 0);
        QCOMPARE(after->waiting, before.waiting);
        QCOMPARE(after->locked, before.locked);
        QCOMPARE(after->failed, before.failed);
        QCOMPARE(*after->processed, *before.processed + *before.pending);
        for (const ClaimedMessage &row : *claimed) {
            const auto marked = store.find(row.id);
            QVERIFY_RESULT(marked);
            QCOMPARE((*marked)->state, MessageState::Processed);
        }
    }

    /// The pages say of each row what the counts say of all.
    static void checkPages(OutboxStore &store, const OutboxSnapshot &counts)
    {
        const auto all = store.page({});
        QVERIFY_RESULT(all);
        QMap<MessageState, qint64> seen;
        for (const Message &row : all->rows) {
            ++seen[row.state];
            const auto same = store.find(row.id);
            QVERIFY_RESULT(same);
            QVERIFY2(same->has_value(), qPrintable(row.id.text));
            QCOMPARE((*same)->state, row.state);
        }
        for (const MessageState state : allMessageStates()) {
            PageRequest request;
            request.states = {state};
            const auto page = store.page(request);
            QVERIFY_RESULT(page);
            QCOMPARE(page->rows.size(), seen.value(state));
        }
        if (counts.pending)
            QCOMPARE(seen.value(MessageState::Pending), *counts.pending);
        if (counts.processed)
            QCOMPARE(seen.value(MessageState::Processed), *counts.processed);
        QCOMPARE(seen.value(MessageState::Waiting), *counts.waiting);
        QCOMPARE(seen.value(MessageState::Unknown), *counts.unknown);
    }
};

} // namespace tst_wildschemas

OUTBOX_TEST(tst_wildschemas::TestWildSchemas)
#include "tst_wildschemas.moc"
