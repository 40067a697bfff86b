// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text and values of a statement stay in step, in whatever order its parts were made.
#include "connectors/sql/driver/sqlfragment.h"
#include "tests/support/testprogram.h"

#include <QObject>
#include <QTest>

namespace tst_sqlfragment {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlFragment : public QObject
{
    Q_OBJECT

private slots:
    void valuesFollowTheText()
    {
        const SqlFragment later = u"b = "_s + SqlFragment::of(2);
        const SqlFragment sql = u"a = "_s + SqlFragment::of(1) + u" AND "_s + later;
        QCOMPARE(sql.text, u"a = ? AND b = ?"_s);
        QCOMPARE(sql.values, (QVariantList{1, 2}));
    }

    void numbersAreCountedOn()
    {
        const SqlFragment a = SqlFragment::of(1, u"int"_s);
        const SqlFragment b = SqlFragment::of(2, u"int"_s);
        const SqlFragment sql = u"f("_s + a + u", ("_s + (b + u" + "_s + a) + u"))"_s;
        QCOMPARE(sql.text, u"f($1::int, ($2::int + $3::int))"_s);
        QCOMPARE(sql.values, (QVariantList{1, 2, 1}));
    }

    void namesAndTextsAreNoPlaceholders()
    {
        const SqlFragment named
            = u"\"cost $1\" = '$2 ''$3''' AND c = "_s + SqlFragment::of(7, u"int"_s);
        const SqlFragment sql = SqlFragment::of(5, u"int"_s) + u" = a AND "_s + named;
        QCOMPARE(sql.text, u"$1::int = a AND \"cost $1\" = '$2 ''$3''' AND c = $2::int"_s);
        QCOMPARE(sql.values, (QVariantList{5, 7}));
    }

    void aPatternTakesItsPartsInTheOrderOfTheText()
    {
        const SqlFragment sql = SqlFragment::filled(
            u"SELECT %2, '100%', %1 FROM (%2) %3"_s,
            {SqlFragment::of(1, u"int"_s), u"x + "_s + SqlFragment::of(2, u"int"_s), u"%1"_s});
        QCOMPARE(sql.text, u"SELECT x + $1::int, '100%', $2::int FROM (x + $3::int) %1"_s);
        QCOMPARE(sql.values, (QVariantList{2, 1, 2}));
    }

    void listsAreJoined()
    {
        QCOMPARE(SqlFragment::joined({}, u", "_s), SqlFragment());
        const SqlFragment sql
            = SqlFragment::joined({u"a"_s, SqlFragment::of(1), SqlFragment::of(2)}, u", "_s);
        QCOMPARE(sql, SqlFragment(u"a, ?, ?"_s, {1, 2}));
    }
};

} // namespace tst_sqlfragment

OUTBOX_TEST(tst_sqlfragment::TestSqlFragment)

#include "tst_sqlfragment.moc"
