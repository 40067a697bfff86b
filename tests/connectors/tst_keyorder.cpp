// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys that hold the time are an order of time where all of a sample do, and say what another
// column says; one key of another kind, or another clock, and there is none.
#include "models/shape/keytime.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QUuid>

#include <functional>

namespace tst_keyorder {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 begin = 1'767'323'045'678; // 2026-01-02 03:04:05.678
constexpr int rows = 30;

QString sevenAt(qint64 ms)
{
    QString text = QUuid::createUuid().toString(QUuid::WithoutBraces);
    const QString time = u"%1"_s.arg(ms, 12, 16, QChar(u'0'));
    text.replace(0, 8, time.left(8)).replace(9, 4, time.mid(8));
    return text.replace(14, 1, u"7"_s);
}

QString ulidAt(qint64 ms)
{
    constexpr QStringView letters = u"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    QString text;
    for (int place = 9; place >= 0; --place, ms /= 32)
        text.prepend(letters.at(ms % 32));
    while (text.size() < 26)
        text += letters.at(QRandomGenerator::global()->bounded(32));
    return text;
}

QString fourOf(qint64 /*ms*/)
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

} // namespace

class TestKeyOrder : public QObject
{
    Q_OBJECT

    Databases m_databases;

    /// `keyOf` answers the key of the row of this number, written at that moment.
    DatabaseUrl tableOf(const QString &type, int count,
                        const std::function<QString(int row, qint64 ms)> &keyOf)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        QStringList lines;
        for (int row = 0; row < count; ++row) {
            const qint64 ms = begin + row * 700;
            const QString moment = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC)
                                       .toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s);
            lines += u"('%1', 'mail', '{}', %2)"_s.arg(keyOf(row, ms),
                                                       testWords().moment.arg(moment));
        }
        const QString now = dialect() == DatabaseUrl::Dialect::MariaDb ? u"CURRENT_TIMESTAMP(6)"_s
                                                                       : u"CURRENT_TIMESTAMP"_s;
        SideSession(url).all(
            {u"CREATE TABLE outbox (id %1 PRIMARY KEY, type text NOT NULL, payload text NOT NULL,"
             " created_at %2 DEFAULT %3)"_s.arg(type, testWords().timeType, now),
             u"INSERT INTO outbox (id, type, payload, created_at) VALUES "_s
                 + lines.join(u", "_s)});
        return url;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void keysTellTheirTime()
    {
        QCOMPARE(timeInKey(sevenAt(begin)), std::optional(begin));
        QCOMPARE(timeInKey(sevenAt(begin).toUpper()), std::optional(begin));
        QCOMPARE(timeInKey(ulidAt(begin)), std::optional(begin));
        QString other = sevenAt(begin);
        other.replace(19, 1, u"c"_s); // another variant
        for (const QString &key :
             {fourOf(begin), other, sevenAt(begin).mid(1), QString(36, u'7'), QString(),
              ulidAt(begin).replace(3, 1, u"U"_s), ulidAt(begin).replace(0, 1, u"8"_s),
              ulidAt(begin).replace(5, 1, QChar(0x212a)), QString(u'{' + sevenAt(begin).mid(1))})
            QVERIFY2(!timeInKey(key), qPrintable(key));
        QVERIFY(areKeysOfTime({}));
        QVERIFY(areKeysOfTime({ulidAt(begin), ulidAt(begin + 1)}));
        QVERIFY(!areKeysOfTime({sevenAt(begin), ulidAt(begin + 1)}));
        QVERIFY(!areKeysOfTime({sevenAt(begin), QString(u'A' + sevenAt(begin).mid(1))}));
        for (int time = 0; time < 500; ++time) { // texts are ordered as their times
            const qint64 one = QRandomGenerator::global()->bounded(begin);
            const qint64 two = QRandomGenerator::global()->bounded(begin);
            if (one == two)
                continue;
            QCOMPARE(sevenAt(one) < sevenAt(two), one < two);
            QCOMPARE(ulidAt(one) < ulidAt(two), one < two);
        }
    }

    void anOrderIsClaimedWhereItIs_data()
    {
        QTest::addColumn<QString>("world");
        QTest::addColumn<bool>("isOrder");
        for (const auto &[world, isOrder] :
             {std::pair("seven", true), std::pair("ulid", true), std::pair("four", false),
              std::pair("one four", false), std::pair("a ulid among them", false),
              std::pair("another clock", false), std::pair("one hour off", false),
              std::pair("two cases", false), std::pair("few", false)})
            QTest::newRow(world) << QString::fromLatin1(world) << isOrder;
    }
    void anOrderIsClaimedWhereItIs()
    {
        QFETCH(QString, world);
        QFETCH(bool, isOrder);
        constexpr qint64 hourMs = 3'600'000;
        const DatabaseUrl url
            = tableOf(u"varchar(36)"_s, world == u"few"_s ? 5 : rows, [&](int row, qint64 ms) {
                  const bool isTheOne = row == 17;
                  if (world == u"ulid"_s || (world == u"a ulid among them"_s && isTheOne))
                      return ulidAt(ms);
                  if (world == u"four"_s || (world == u"one four"_s && isTheOne))
                      return fourOf(ms);
                  if (world == u"another clock"_s || (world == u"one hour off"_s && isTheOne))
                      return sevenAt(ms + hourMs);
                  const QString key = sevenAt(ms).replace(35, 1, u"a"_s);
                  return world == u"two cases"_s && isTheOne ? key.toUpper() : key;
              });
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto found = store.probe(TableName{{}, u"outbox"_s});
        QVERIFY_RESULT(found);
        const OutboxShape &shape = found->constFirst().shape;
        QCOMPARE(shape.order, QStringList{u"id"_s});
        QCOMPARE(shape.orderIs == OutboxShape::OrderIs::Time, isOrder);
        const QString why = found->constFirst().reasons.value(u"order"_s).join(u' ');
        QCOMPARE(why.contains(u"begin with the time that `created_at` says"_s), isOrder);
    }

    /// The sample had none of them.
    void aPageWithAnotherKeyHasNoSuchOrder()
    {
        const DatabaseUrl url
            = tableOf(u"varchar(36)"_s, rows, [](int /*row*/, qint64 ms) { return sevenAt(ms); });
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::UuidText;
        shape.order = QStringList{u"id"_s};
        shape.orderIs = OutboxShape::OrderIs::Time;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape));
        const auto page = store.page(PageRequest(), {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), rows);
        QCOMPARE(page->isByTime, std::optional(true));
        SideSession(url).run(
            u"INSERT INTO outbox (id, type, payload) VALUES ('%1', 'mail', '{}')"_s.arg(fourOf(0)));
        const auto mixed = store.page(PageRequest(), {});
        QVERIFY_RESULT(mixed);
        QCOMPARE(mixed->rows.size(), rows + 1);
        QCOMPARE(mixed->isByTime, std::optional(false));
    }

    /// In Danish "aa" is the last letter: "019aa" stands behind "019b".
    void aServerThatOrdersOtherwiseHasNoSuchOrder()
    {
        if (dialect() != DatabaseUrl::Dialect::MariaDb)
            QSKIP("Only MariaDB has this collation wherever it runs.");
        constexpr qint64 doubleLetter = 0x019aa0000000;
        constexpr qint64 behind = 0x019b00000000;
        const DatabaseUrl url = tableOf(
            u"varchar(36) COLLATE utf8mb4_danish_ci"_s, rows, [&](int row, qint64 /*ms*/) {
                return sevenAt((row < rows / 2 ? doubleLetter : behind) + row);
            });
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::UuidText;
        shape.orderIs = OutboxShape::OrderIs::Time;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape));
        const auto page = store.page(PageRequest(), {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), rows);
        QCOMPARE(page->isByTime, std::optional(false));
    }
};

} // namespace tst_keyorder

OUTBOX_TEST(tst_keyorder::TestKeyOrder)
#include "tst_keyorder.moc"
