// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database finds by a filter is what the predicate finds, on rows and filters by chance; and
// nothing of a filter ever stands in the text of a statement.
#include "connectors/sql/dialect/dialect.h"
#include "models/filter/cause.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "tests/connectors/filtersamples.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/randomfilters.h"
#include "tests/support/testprogram.h"

namespace tst_filtersql {

using namespace outbox;
using namespace outbox::filtersamples;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowCount = 240;
/// Of each database and form of key; OUTBOX_FILTERS sets another number.
int filterCount()
{
    bool isSet = false;
    const int asked = qEnvironmentVariableIntValue("OUTBOX_FILTERS", &isSet);
    return isSet ? asked : 200;
}

const QDateTime at(QDate(2026, 11, 21), QTime(12, 0), Qt::UTC);

} // namespace

class TestFilterSql : public QObject
{
    Q_OBJECT

    Databases m_databases;

    enum class Keys { Uuid, Number, Text };

    static bool postgres() { return dialect() == DatabaseUrl::Dialect::PostgreSql; }
    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }
    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }

    static QString keyText(Keys keys, int n)
    {
        if (keys == Keys::Number)
            return QString::number(n * 37);
        if (keys == Keys::Text)
            return u"Order%1_%2"_s.arg(n % 7).arg(n);
        return u"%1d004-2b97-4e7a-8000-%2"_s
            .arg(static_cast<unsigned>(n) * 2654435761U % 4096, 4, 16, QChar(u'0'))
            .arg(n, 12, 16, QChar(u'0'))
            .rightJustified(36, u'7');
    }

    static QString secondsAgo(qint64 seconds) { return testWords().later.arg(-seconds); }

    DatabaseUrl filled(Keys keys, RandomFilters &random)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        const bool isNative = keys == Keys::Uuid && !sqlite();
        const QString key = keys == Keys::Number ? u"bigint"_s
            : isNative                           ? (mariadb() ? u"binary(16)"_s : u"uuid"_s)
            : mariadb()                          ? u"varchar(60)"_s
                                                 : u"text"_s;
        side.run(
            u"CREATE TABLE outbox (id %1 PRIMARY KEY, type text, payload %2 NOT NULL,"
            " created_at timestamptz, completed_at timestamptz, failed_at timestamptz,"
            " due timestamptz, tries integer, last_error text, route text, tenant integer)"_s.arg(
                key, testWords().jsonType));
        for (int n = 1; n <= rowCount; ++n) {
            QString id = literal(keyText(keys, n), dialect());
            if (isNative && mariadb())
                id = u"unhex(replace(%1, '-', ''))"_s.arg(id);
            // Half hours, so that no row passes a threshold of whole hours while the test runs.
            const qint64 age = random.below(80) * 3600 + 1800;
            const bool isDone = random.below(3) == 0;
            const QString payload
                = u"{\"user\": {\"id\": %1, \"name\": \"%2\"}, \"tags\": [\"a\", \"B\"], \"no\": null, \"x\": %3}"_s
                      .arg(random.below(5))
                      .arg(random.oneOf(QStringList{u"Ana"_s, u"größe"_s, u""_s}),
                           random.oneOf(QStringList{u"1.5"_s, u"-3"_s, u"\"7\""_s, u"true"_s,
                                                    u"{\"a\": 1}"_s, u"[]"_s}));
            const auto maybe
                = [&](const QString &text) { return random.below(4) == 0 ? u"NULL"_s : text; };
            side.run(
                u"INSERT INTO outbox VALUES (%1, %2, %3, %4, %5, %6, %7, %8, %9, "_s.arg(
                    id,
                    random.below(8) == 0 ? u"NULL"_s : literal(random.oneOf(types()), dialect()),
                    literal(payload, dialect()),
                    random.below(10) == 0 ? u"NULL"_s : secondsAgo(age),
                    isDone ? secondsAgo(age - 600 * random.below(3)) : u"NULL"_s,
                    random.below(5) == 0 ? secondsAgo(60) : u"NULL"_s,
                    maybe(secondsAgo(random.below(2) ? 3600 : -36000)),
                    maybe(QString::number(random.below(6))),
                    literal(random.oneOf(errors()), dialect()))
                + literal(random.oneOf(QStringList{QString(), u""_s, u"critical"_s, u"low"_s}),
                          dialect())
                + u", %1)"_s.arg(random.below(4)));
        }
        return url;
    }

    static OutboxShape shapeOf(Keys keys)
    {
        OutboxShape shape = classicShape();
        shape.use = OutboxShape::Use::Watch;
        shape.keyForm = keys == Keys::Number ? OutboxShape::KeyForm::Integer
            : keys == Keys::Text || sqlite() ? OutboxShape::KeyForm::Text
            : mariadb()                      ? OutboxShape::KeyForm::UuidBytes
                                             : OutboxShape::KeyForm::Uuid;
        shape.payloadForm = OutboxShape::PayloadForm::Json;
        shape.createdColumn = u"created_at"_s;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"completed_at"_s;
        shape.failedHow = OutboxShape::FailedHow::Time;
        shape.failedColumn = u"failed_at"_s;
        shape.dueColumn = u"due"_s;
        shape.attemptsColumn = u"tries"_s;
        shape.errorColumn = u"last_error"_s;
        shape.queueColumn = u"route"_s;
        return shape;
    }

    static FilterTerm termOf(const QString &text) { return filterOf(text).root.parts.first().term; }

    /// A term that is right, of a field that the predicate knows too.
    static FilterTerm randomTerm(RandomFilters &random, Keys keys)
    {
        const auto quoted = [](QString text) -> QString {
            return u'"' + text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s) + u'"';
        };
        const auto cut = [](const QString &text, int from, int length) -> QString {
            const QList<uint> characters = text.toUcs4().mid(from, length);
            return QString::fromUcs4(reinterpret_cast<const char32_t *>(characters.constData()),
                                     characters.size());
        };
        const auto piece = [&](const QString &text) -> QString {
            return cut(text, random.below(qMax<int>(1, int(text.size()))), 1 + random.below(4));
        };
        const auto order = [&] {
            return random.oneOf(QStringList{u"<"_s, u"<="_s, u">"_s, u">="_s});
        };
        const auto equality = [&] { return random.oneOf(QStringList{u":"_s, u"="_s, u"!="_s}); };
        const auto textTerm = [&](const QString &field, const QStringList &values) -> QString {
            const QString value = random.oneOf(values);
            switch (random.below(6)) {
            case 0:
                return field + random.oneOf(QStringList{u":any"_s, u":none"_s, u"!=none"_s});
            case 1: {
                const QString part = piece(value);
                return field + random.oneOf(QStringList{u"~"_s, u"!~"_s})
                    + quoted(part.isEmpty()        ? u"x"_s
                                 : random.below(2) ? part.toUpper()
                                                   : part);
            }
            case 2:
                return field + u':' + quoted(u'*' + piece(value) + u"*"_s);
            case 3:
                return field + u':'
                    + quoted(value.isEmpty() ? u"?"_s : QString(u'?' + cut(value, 1, 99)));
            case 4:
                return field + equality() + quoted(value) + u',' + quoted(random.oneOf(values));
            default:
                return field + equality() + quoted(value);
            }
        };
        const QString key = keyText(keys, 1 + random.below(rowCount));
        const auto hours = [&] { return QString(QString::number(random.below(80)) + u'h'); };
        switch (random.below(18)) {
        case 0:
            return termOf(u"state"_s + equality()
                          + random.oneOf(QStringList{u"pending"_s, u"processed,failed"_s,
                                                     u"waiting"_s, u"failed"_s, u"locked,unknown"_s,
                                                     u"parked"_s, u"PENDING,waiting"_s}));
        case 1:
        case 2:
            return termOf(textTerm(u"type"_s, types()));
        case 3:
            return termOf(textTerm(u"error"_s, errors()));
        case 4:
            return termOf(textTerm(u"queue"_s, {u"critical"_s, u"low"_s, u""_s}));
        case 5:
            return termOf(u"id:"_s + quoted(key.left(1 + random.below(12)).toUpper()));
        case 6:
            return termOf(u"id"_s + random.oneOf(QStringList{u"="_s, u"!="_s, u":"_s, u"~"_s})
                          + quoted(random.below(2) ? key : key.left(6)));
        case 7:
            return termOf(u"id:"_s + quoted(key.left(3) + u'*' + key.right(2)));
        case 8:
            return termOf(u"age"_s + order() + hours());
        case 9:
            return termOf(random.oneOf(QStringList{u"wait"_s, u"age"_s}) + u":0s.."_s + hours());
        case 10:
            return termOf(random.oneOf(QStringList{u"created"_s, u"processed"_s})
                          + random.oneOf(QStringList{u":any"_s, u":none"_s, u":-1000d"_s,
                                                     u"<2026-11-21T10:00:00Z"_s, u">=today"_s,
                                                     u":2000-01-01..2100-01-01"_s}));
        case 11:
            return termOf(u"attempts"_s
                          + random.oneOf(QStringList{u":none"_s, u":any"_s, u">=3"_s, u"<2"_s,
                                                     u":1..3"_s, u"!=2"_s, u":0,4"_s, u"<2.5"_s}));
        case 12:
            return termOf(u"size"_s + order() + QString::number(60 + random.below(60)));
        case 13:
            return termOf(quoted(u"e"_s + piece(random.oneOf(types() + QStringList{key}))));
        case 14:
            return termOf(random.oneOf(
                QStringList{u"payload.user.id:3"_s, u"payload.user.id>=2"_s, u"payload.x:1..2"_s,
                            u"payload.user.name~\"GRö\""_s, u"payload.user.name:none"_s,
                            u"payload.user.name:\"\""_s, u"payload.no:none"_s, u"payload.x:any"_s,
                            u"payload.tags[1]:B"_s, u"payload.tags[2]:any"_s, u"payload.x!=7"_s,
                            u"payload.x:\"{*a*1}\""_s, u"payload.x<-1"_s, u"payload.q.r:1"_s,
                            u"payload~ana"_s, u"payload!~\"größe\""_s}));
        case 15:
        case 16: {
            QStringList causes;
            for (const QString &error : errors())
                causes += causeOf(error);
            return termOf(textTerm(u"cause"_s, causes));
        }
        default:
            return termOf(random.oneOf(
                QStringList{u"locked:any"_s, u"locked:none"_s, u"owner:none"_s, u"lockage>1s"_s}));
        }
    }

    static QList<Message> rowsOf(OutboxStore &store, const Filter &filter, QString *statement)
    {
        PageRequest request;
        request.filter = filter;
        request.at = at;
        request.limit = 10'000;
        request.payloadPrefixBytes = 4096;
        const auto page = store.page(request);
        if (!page) {
            QTest::qFail(qPrintable(filter.text() + u": "_s + oneLine(page.error())), __FILE__,
                         __LINE__);
            return {};
        }
        if (statement)
            *statement = page->statements.value(0);
        return page->rows;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void databaseAndPredicateFindTheSameRows_data()
    {
        QTest::addColumn<int>("keys");
        QTest::newRow("uuid keys") << int(Keys::Uuid);
        QTest::newRow("number keys") << int(Keys::Number);
        QTest::newRow("text keys") << int(Keys::Text);
    }

    void databaseAndPredicateFindTheSameRows()
    {
        QFETCH(int, keys);
        RandomFilters random(QTest::currentDataTag());
        const DatabaseUrl url = filled(Keys(keys), random);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shapeOf(Keys(keys))));
        const QList<Message> all = rowsOf(store, {}, nullptr);
        QCOMPARE(all.size(), rowCount);
        int found = 0;
        for (int i = 0; i < filterCount(); ++i) {
            const Filter filter = random.tree([&] { return randomTerm(random, Keys(keys)); });
            const auto checks = checksOf(filter, FilterSubject::Rows, at);
            QVERIFY2(checks.has_value(), qPrintable(filter.text()));
            const bool uuidKeys = store.shape().hasUuidKeys();
            QStringList expected;
            for (const Message &row : all) {
                const Truth truth = truthOf(*checks, row, uuidKeys);
                QVERIFY(truth != Truth::Unknown);
                if (truth == Truth::Yes)
                    expected += row.id.text;
            }
            QString statement;
            QStringList seen;
            for (const Message &row : rowsOf(store, filter, &statement))
                seen += row.id.text;
            if (seen != expected) {
                const QSet<QString> a(seen.begin(), seen.end());
                const QSet<QString> b(expected.begin(), expected.end());
                qInfo("only in SQL: %s; only by the predicate: %s\n%s",
                      qPrintable(QStringList((a - b).values()).mid(0, 3).join(u' ')),
                      qPrintable(QStringList((b - a).values()).mid(0, 3).join(u' ')),
                      qPrintable(statement));
            }
            QVERIFY2(seen == expected, qPrintable(filter.text()));
            QVERIFY(!postgres() || !statement.contains(u'?'));
            found += int(seen.size());
        }
        qInfo("%d filters, %d rows found", filterCount(), found);
        QVERIFY(found > filterCount());
    }

    void noValueStandsInAStatement()
    {
        RandomFilters random(QTest::currentTestFunction());
        const DatabaseUrl url = filled(Keys::Uuid, random);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shapeOf(Keys::Uuid)));
        const QString mark = u"Zq7Wx"_s;
        for (const QString &text : {u"type:%1"_s,
                                    u"type=%1"_s,
                                    u"type!=%1"_s,
                                    u"type~%1"_s,
                                    u"type:*%1*"_s,
                                    u"id:%1"_s,
                                    u"id=%1"_s,
                                    u"id:%1*a"_s,
                                    u"id~%1"_s,
                                    u"error~%1"_s,
                                    u"error:%1"_s,
                                    u"cause:%1"_s,
                                    u"queue:%1,%1"_s,
                                    u"payload.%1:%1"_s,
                                    u"payload.a~%1"_s,
                                    u"payload~%1"_s,
                                    u"%1"_s,
                                    u"\"%1\""_s,
                                    u"owner:%1"_s,
                                    u"col.type:%1"_s,
                                    u"col.tenant:%1"_s,
                                    u"-type:%1 or -(error~%1 x)"_s}) {
            QString statement;
            rowsOf(store, filterOf(text.arg(mark)), &statement);
            QVERIFY(!statement.isEmpty());
            QVERIFY2(!statement.contains(mark, Qt::CaseInsensitive), qPrintable(statement));
        }
        for (const QString &text :
             {u"attempts>=77123"_s, u"size<77123"_s, u"age>77123s"_s, u"wait:1s..77123s"_s,
              u"payload.x>77123"_s, u"col.tenant:77123"_s, u"col.tenant>77123"_s,
              u"created>-77123s"_s, u"due<-77123s"_s}) {
            QString statement;
            rowsOf(store, filterOf(text), &statement);
            QVERIFY2(!statement.contains(u"77123"_s), qPrintable(statement));
        }
    }

    void uuidsAreFoundByTheirRange()
    {
        if (sqlite())
            QSKIP("no uuids");
        RandomFilters random(QTest::currentTestFunction());
        const DatabaseUrl url = filled(Keys::Uuid, random);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shapeOf(Keys::Uuid)));
        for (const QString &text : {u"id:7E57d004-2B"_s, u"id:*2a"_s, u"id~2a"_s, u"7e57"_s}) {
            QString statement;
            rowsOf(store, filterOf(text), &statement);
            QCOMPARE(statement.contains(u"\"id\" BETWEEN"_s), !text.contains(u"2a"_s));
            QVERIFY(!statement.contains(u"\"id\"::text LIKE"_s));
        }
    }

    void columnsAndDueTimesAreToldByTheDatabase()
    {
        RandomFilters random(QTest::currentTestFunction());
        const DatabaseUrl url = filled(Keys::Number, random);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shapeOf(Keys::Number)));
        for (const auto &[text, where] : QList<std::pair<QString, QString>>{
                 {u"col.tenant:2"_s, u"tenant = 2"_s},
                 {u"col.tenant>1"_s, u"tenant > 1"_s},
                 {u"col.route:none"_s, u"route IS NULL"_s},
                 {u"col.route:\"\""_s, u"route = ''"_s},
                 {u"-(col.tenant:1 or col.tenant:2)"_s, u"tenant NOT IN (1, 2)"_s},
                 {u"due:none"_s, u"due IS NULL"_s},
                 {u"due:any col.tenant<2"_s, u"due IS NOT NULL AND tenant < 2"_s}}) {
            const int count = side.one(u"SELECT count(*) FROM outbox WHERE "_s + where).toInt();
            QString statement;
            const auto found = rowsOf(store, filterOf(text), &statement).size();
            QVERIFY2(found == count, qPrintable(text + u": "_s + statement));
        }
        const auto refused = [&store](const QString &text) {
            PageRequest request;
            request.filter = filterOf(text);
            request.at = at;
            const auto page = store.page(request);
            return page ? Error() : page.error();
        };
        QCOMPARE(refused(u"state:pending col.tenent:1"_s).position, 14);
        QVERIFY(refused(u"col.tenent:1"_s).hint.contains(u"col.tenant"_s));
        QCOMPARE(refused(u"due:none or payload~x"_s).kind, Error::Kind::Unsupported);
        QCOMPARE(refused(u"header.a:1"_s).kind, Error::Kind::Unsupported);
        QCOMPARE(refused(u"col.type>3"_s).kind, Error::Kind::Unsupported);
    }
};

} // namespace tst_filtersql

OUTBOX_TEST(tst_filtersql::TestFilterSql)
#include "tst_filtersql.moc"
