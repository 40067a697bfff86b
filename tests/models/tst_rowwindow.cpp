// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window that slides over a table by keyset pages shows every row once, whichever way it came.
#include "models/filter/pagerequest.h"
#include "models/tables/rowwindow.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

namespace tst_rowwindow {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Rows 0 (the newest) to `size` - 1; answers a question as a store does.
class Table
{
public:
    explicit Table(int size) : m_size(size) { }

    [[nodiscard]] MessagePage page(const PageRequest &request) const
    {
        const int way = request.newestFirst ? 1 : -1;
        int at = request.newestFirst ? 0 : m_size - 1;
        if (!request.after.isEmpty())
            at = request.after.toInt() + way;
        if (!request.filter.isEmpty()) {
            const QString age = request.filter.root.parts.constLast().term.values.at(0).text;
            const int number = age.chopped(1).toInt();
            at = request.newestFirst ? std::max(at, number) : std::min(at, number);
        }
        if (!request.ids.isEmpty()) {
            MessagePage found;
            found.rows = {row(request.ids.constFirst().text.toInt())};
            found.back = found.rows.constFirst().id.text;
            return found;
        }
        MessagePage page;
        for (; at >= 0 && at < m_size && page.rows.size() < request.limit; at += way)
            page.rows += row(at);
        if (page.rows.isEmpty())
            return page;
        page.back = page.rows.constFirst().id.text;
        page.turn = page.rows.constLast().id.text;
        if (at >= 0 && at < m_size)
            page.next = page.turn;
        for (qsizetype i = MessagePage::step; i < page.rows.size(); i += MessagePage::step)
            page.steps += page.rows.at(i - 1).id.text;
        return page;
    }

private:
    [[nodiscard]] static Message row(int number)
    {
        Message one;
        one.id.text = QString::number(number);
        return one;
    }
    int m_size;
};

/// A person in front of it.
struct Reader
{
    Table table;
    RowWindow window;
    PageRequest base;
    QList<int> shown;

    void look()
    {
        const MessagePage page = table.page(window.request(base));
        window.arrived(page);
        shown.clear();
        for (const Message &row : page.rows)
            shown += row.id.text.toInt();
    }
    void up()
    {
        window.begin(table.page(window.seekUp(base)), true);
        look();
    }
};

} // namespace

class TestRowWindow : public QObject
{
    Q_OBJECT

private slots:
    void goesDownAndUpWithoutAGap_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {1, 499, 500, 501, 1500, 1501, 2001, 7321})
            QTest::addRow("%d rows", size) << size;
    }

    void goesDownAndUpWithoutAGap()
    {
        QFETCH(int, size);
        Reader reader{Table(size), {}, {}, {}};
        reader.look();
        QCOMPARE(reader.shown.constFirst(), 0);
        while (true) {
            const int first = reader.shown.constFirst();
            const int last = reader.shown.constLast();
            QCOMPARE(reader.shown.size(), last - first + 1);
            QVERIFY(reader.shown.size() <= RowWindow::most);
            QCOMPARE(reader.window.above(), std::optional<qint64>(first));
            if (!reader.window.goDown())
                break;
            reader.look();
            QVERIFY(reader.shown.contains(last)); // what was under the eye is there
            QVERIFY(reader.shown.constLast() > last);
        }
        QCOMPARE(reader.shown.constLast(), size - 1);
        while (!reader.window.isAtStart()) {
            const int first = reader.shown.constFirst();
            reader.up();
            QVERIFY(reader.shown.contains(first));
            QVERIFY(reader.shown.constFirst() < first);
            QCOMPARE(reader.shown.size(), reader.shown.constLast() - reader.shown.constFirst() + 1);
        }
        QCOMPARE(reader.shown.constFirst(), 0);
    }

    void beginsWithTheOldest()
    {
        Reader reader{Table(7321), {}, {}, {}};
        reader.look();
        reader.window.begin(reader.table.page(RowWindow::seekLast(reader.base)), false);
        reader.look();
        QCOMPARE(reader.shown.constLast(), 7320);
        QCOMPARE(reader.shown.size(), RowWindow::step);
        QVERIFY(reader.window.isAtEnd());
        QVERIFY(!reader.window.above());
        reader.up();
        QCOMPARE(reader.shown.constLast(), 7320); // the row under the eye did not go
        QCOMPARE(reader.shown.size(), 2 * RowWindow::step);
    }

    void goesToOneRow_data()
    {
        QTest::addColumn<int>("number");
        for (const int number : {0, 3, 249, 250, 251, 4000, 7319, 7320})
            QTest::addRow("row %d", number) << number;
    }

    void goesToOneRow()
    {
        QFETCH(int, number);
        const Table table(7321);
        PageRequest oldestFirst;
        oldestFirst.newestFirst = false;
        for (const auto &[base, seek] :
             {std::pair(PageRequest(), RowWindow::seekId({}, {QString::number(number)})),
              std::pair(PageRequest(), RowWindow::seekAge({}, number)),
              std::pair(oldestFirst, RowWindow::seekId(oldestFirst, {QString::number(number)})),
              std::pair(oldestFirst, RowWindow::seekAge(oldestFirst, number))}) {
            Reader reader{table, {}, base, {}};
            reader.look();
            const MessagePage found = table.page(seek);
            QCOMPARE(found.rows.constFirst().id.text.toInt(), number);
            reader.window.begin(table.page(RowWindow::seekAround(base, found)), false);
            reader.look();
            QVERIFY(reader.shown.contains(number));
            while (!reader.window.isAtStart())
                reader.up();
            QCOMPARE(reader.shown.constFirst(), base.newestFirst ? 0 : 7320);
        }
    }

    void wandersWithoutLosingARow()
    {
        QRandomGenerator dice(20261122);
        Reader reader{Table(20'000), {}, {}, {}};
        reader.look();
        for (int i = 0; i < 300; ++i) {
            if (dice.bounded(2) == 0) {
                if (reader.window.goDown())
                    reader.look();
            } else if (!reader.window.isAtStart()) {
                reader.up();
            }
            QCOMPARE(reader.shown.size(), reader.shown.constLast() - reader.shown.constFirst() + 1);
            if (const auto above = reader.window.above())
                QCOMPARE(*above, reader.shown.constFirst());
        }
    }
};

} // namespace tst_rowwindow

OUTBOX_TEST(tst_rowwindow::TestRowWindow)
#include "tst_rowwindow.moc"
