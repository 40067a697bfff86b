// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys as they are pasted into a SQL client: each database reads the very keys.
#include "connectors/sql/dialect/keylist.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_keylist {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestKeyList : public QObject
{
    Q_OBJECT

private slots:
    void listsKeysForSql_data()
    {
        using Form = OutboxShape::KeyForm;
        QTest::addColumn<QString>("url");
        QTest::addColumn<OutboxShape::KeyForm>("form");
        QTest::addColumn<QStringList>("keys");
        QTest::addColumn<QString>("list");
        const QString postgres = u"postgresql://ana@db1/orders"_s;
        const QString mariadb = u"mysql://ana@db1/orders"_s;
        const QString sqlite = u"sqlite:///tmp/o.db"_s;
        const QString uuid = u"7e57c0de-0000-4000-8000-00000000002a"_s;
        QTest::newRow("numbers") << postgres << Form::Integer << QStringList{u"7"_s, u"-8"_s}
                                 << u"IN (7, -8)"_s;
        QTest::newRow("no numbers")
            << postgres << Form::Integer << QStringList{u"7"_s, u"8); --"_s} << QString();
        QTest::newRow("uuid") << postgres << Form::Uuid << QStringList{uuid}
                              << u"IN ('%1')"_s.arg(uuid);
        QTest::newRow("bytes, PostgreSQL")
            << postgres << Form::UuidBytes << QStringList{uuid}
            << u"IN (decode('7e57c0de00004000800000000000002a', 'hex'))"_s;
        QTest::newRow("bytes, MariaDB") << mariadb << Form::UuidBytes << QStringList{uuid}
                                        << u"IN (X'7e57c0de00004000800000000000002a')"_s;
        QTest::newRow("no bytes") << mariadb << Form::UuidBytes << QStringList{u"'"_s} << QString();
        QTest::newRow("digits that are text")
            << mariadb << Form::Text << QStringList{u"007"_s} << u"IN ('007')"_s;
        for (const QString &url : {postgres, mariadb, sqlite}) {
            QTest::addRow("quote, %s", qPrintable(url))
                << url << Form::Text << QStringList{u"o'k"_s} << u"IN ('o''k')"_s;
        }
        const QStringList hostile{u"\\' or 1=1\n"_s};
        QTest::newRow("hostile, PostgreSQL")
            << postgres << Form::Text << hostile << u"IN (E'\\\\'' or 1=1\\u000a')"_s;
        QTest::newRow("hostile, MariaDB")
            << mariadb << Form::Text << hostile << u"IN (_utf8mb4 X'5c27206f7220313d310a')"_s;
        QTest::newRow("hostile, SQLite")
            << sqlite << Form::Text << hostile << u"IN ('\\'' or 1=1' || char(10) || '')"_s;
        QTest::newRow("another kind")
            << u"oracle://x"_s << Form::Text << QStringList{u"a"_s} << QString();
        QTest::newRow("none") << postgres << Form::Text << QStringList() << QString();
    }

    void listsKeysForSql()
    {
        QFETCH(QString, url);
        QFETCH(OutboxShape::KeyForm, form);
        QFETCH(QStringList, keys);
        QFETCH(QString, list);
        OutboxShape shape;
        shape.keyColumn = u"id"_s;
        shape.keyForm = form;
        QList<MessageId> ids;
        for (const QString &key : keys)
            ids += MessageId{key};
        QCOMPARE(sqlKeyList(ids, shape, url), list);
        shape.keyParts = {{u"a"_s, form}, {u"b"_s, form}};
        QVERIFY(sqlKeyList(ids, shape, url).isEmpty());
    }
};

} // namespace tst_keylist

OUTBOX_TEST(tst_keylist::TestKeyList)
#include "tst_keylist.moc"
