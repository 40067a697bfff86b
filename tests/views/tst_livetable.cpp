// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that is refreshed a hundred times is still the same table to the person who reads it.
#include "models/tables/outboxmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace tst_livetable {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

OutboxRow rowOf(int number)
{
    return {sample::message(number), std::nullopt, std::nullopt};
}

/// Numbers without some of them: a smaller number is further up, as newer rows are.
QList<OutboxRow> rowsWithout(const QSet<int> &gone, int first, int last)
{
    QList<OutboxRow> rows;
    for (int number = first; number < last; ++number) {
        if (!gone.contains(number))
            rows.append(rowOf(number));
    }
    return rows;
}

QString idAt(const LiveTable &table, int row)
{
    return table.model()->index(row, OutboxModel::Id).data().toString();
}

} // namespace

class TestLiveTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void keepsSelectionScrollAndFocusOverRefreshes()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        OutboxModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        {
            const LiveTable::KeepPlace keep(table);
            model.merge(rowsWithout({}, 1000, 1200));
        }
        table.setFocus();
        table.verticalScrollBar()->setValue(90);
        table.selectRow(94);
        const QString chosen = idAt(table, 94);
        const QString top = idAt(table, table.verticalScrollBar()->value());
        QCOMPARE(table.verticalScrollBar()->value(), 90);
        QSignalSpy moved(&table, &LiveTable::rowChosen);
        for (int turn = 0; turn < 100; ++turn) {
            QSet<int> gone;
            for (int one = 0; one < 20; ++one)
                gone.insert(random.bounded(900, 1300));
            gone -= {1090, 1094}; // the row on top and the one that is chosen
            const LiveTable::KeepPlace keep(table);
            model.merge(rowsWithout(gone, random.bounded(900, 1050), random.bounded(1150, 1300)));
        }
        QCOMPARE(idAt(table, table.verticalScrollBar()->value()), top);
        QCOMPARE(idAt(table, table.currentIndex().row()), chosen);
        const QModelIndexList selected = table.selectionModel()->selectedRows();
        QCOMPARE(selected.size(), 1);
        QCOMPARE(idAt(table, selected.first().row()), chosen);
        QVERIFY(table.hasFocus());
        QCOMPARE(moved.count(), 0);
    }

    void staysNearWhenTheRowOnTopGoes()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        {
            const LiveTable::KeepPlace keep(table);
            model.merge(rowsWithout({}, 0, 200));
        }
        table.verticalScrollBar()->setValue(100);
        const QString second = idAt(table, 101);
        {
            const LiveTable::KeepPlace keep(table);
            model.merge(rowsWithout({3, 4, 5, 100}, 0, 200));
        }
        QCOMPARE(idAt(table, table.verticalScrollBar()->value() + 1), second);
    }

    void staysAtTheTopWhenItIsThere()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        model.merge(rowsWithout({}, 100, 300));
        {
            const LiveTable::KeepPlace keep(table);
            model.merge(rowsWithout({}, 90, 290));
        }
        QVERIFY(table.isAtTop());
        QCOMPARE(idAt(table, 0), sample::message(90).id.text);
    }

    void fitsItsColumnsOnce()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        {
            const LiveTable::KeepPlace keep(table);
            model.merge({rowOf(1)});
        }
        const int width = table.columnWidth(OutboxModel::Type);
        OutboxRow wide = rowOf(1);
        wide.message.type = QString(200, u'w');
        {
            const LiveTable::KeepPlace keep(table);
            model.merge({wide});
        }
        QCOMPARE(table.columnWidth(OutboxModel::Type), width);
    }

    void copiesRowsAndIds()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.setCopyColumn(OutboxModel::Id);
        OutboxRow hostile = rowOf(2);
        hostile.message.type = u"a\tb\nc"_s;
        model.merge({rowOf(1), hostile});
        table.selectAll();
        table.setColumnHidden(OutboxModel::Payload, true);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 4); // head, two rows, end
        QCOMPARE(lines.at(0).split(u'\t').size(), OutboxModel::ColumnCount - 1);
        QVERIFY(lines.at(2).contains(u"a\\tb\\nc"_s));
        table.copyIds();
        QCOMPARE(QApplication::clipboard()->text(),
                 rowOf(1).message.id.text + u'\n' + hostile.message.id.text);
    }

    void drawsHostileTextQuicklyAndPlainly()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        OutboxRow row = rowOf(1);
        row.message.type = u"<img src=\"/tmp/fifo\">"_s + QString(1024 * 1024, u'x');
        row.message.id = {QString(QChar(0xd83d)) + u"\u202e\0\u200b"_s};
        row.message.payload = QByteArray(1024 * 1024, '\x1b');
        row.message.payloadBytes = row.message.payload.size();
        row.message.note = row.message.type;
        QElapsedTimer clock;
        clock.start();
        {
            const LiveTable::KeepPlace keep(table);
            model.merge({row});
        }
        QVERIFY(!table.grab().isNull());
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString tip = model.index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY(!tip.contains(u"<img"_s));
            QVERIFY(model.index(0, column).data().toString().size() < 3000);
        }
    }

    void saysWhyItIsEmpty()
    {
        OutboxModel model;
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.emptyPane()->say(u"Nothing here."_s, u"Do"_s);
        table.resize(600, 300);
        table.QWidget::show();
        QVERIFY(table.emptyPane()->isVisible());
        {
            const LiveTable::KeepPlace keep(table);
            model.merge({rowOf(1)});
        }
        QVERIFY(!table.emptyPane()->isVisible());
    }
};

} // namespace tst_livetable

OUTBOX_TEST(tst_livetable::TestLiveTable)
#include "tst_livetable.moc"
