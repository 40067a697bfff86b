// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that is refreshed a hundred times is still the same table to the person who reads it.
#include "models/tables/outboxmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <memory>

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

void merge(LiveTable &table, OutboxModel &model, const QList<OutboxRow> &rows)
{
    const LiveTable::KeepPlace keep(table);
    model.merge(rows);
}

/// Opens "Copy as" by keyboard, and copies in the form that is named so.
QString copiedAs(LiveTable &table, const QString &form)
{
    QApplication::clipboard()->setText(u"nothing"_s);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    std::unique_ptr<QMenu> menu(table.findChild<QMenu *>(u"copyMenu"_s));
    if (!menu)
        return u"no menu"_s;
    for (QAction *action : menu->actions()) {
        if (action->text().remove(u'&') == form)
            action->trigger();
    }
    return QApplication::clipboard()->text();
}

/// A row with something that its table does not show.
struct Masked
{
    QString name;
    QString secret;
    bool operator==(const Masked &) const = default;
};

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
        OutboxModel model(PayloadMasks::none());
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
        OutboxModel model(PayloadMasks::none());
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
        OutboxModel model(PayloadMasks::none());
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
        OutboxModel model(PayloadMasks::none());
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
        OutboxModel model(PayloadMasks::none());
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

    void keepsWhatAPersonChoseOfColumns()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        merge(table, model, {rowOf(1)});
        table.setCopyColumn(OutboxModel::Id);
        table.resize(900, 300);
        table.QWidget::show();
        table.resize(800, 300);
        QVERIFY(table.columns()->kept().isEmpty()); // nobody chose what was fitted
        QSignalSpy changed(table.columns(), &ColumnChoice::changed);
        table.horizontalHeader()->moveSection(OutboxModel::Type, 0);
        table.horizontalHeader()->resizeSection(OutboxModel::Type, 333);
        table.columns()->setShown(OutboxModel::Attempts, false);
        QCOMPARE(changed.count(), 3);
        const QJsonObject kept = table.columns()->kept();

        OutboxModel later(PayloadMasks::none());
        LiveTable again(u"table"_s);
        again.show(&later, {});
        again.columns()->restore(kept);
        merge(again, later, {rowOf(1)}); // what is fitted leaves alone what was chosen
        QCOMPARE(again.horizontalHeader()->logicalIndex(0), int(OutboxModel::Type));
        QCOMPARE(again.columnWidth(OutboxModel::Type), 333);
        QVERIFY(again.isColumnHidden(OutboxModel::Attempts));
        QVERIFY(!again.isColumnHidden(OutboxModel::Payload));
        QCOMPARE(again.columns()->kept(), kept);

        again.columns()->reset();
        QCOMPARE(again.horizontalHeader()->logicalIndex(0), int(OutboxModel::State));
        QVERIFY(!again.isColumnHidden(OutboxModel::Attempts));
        QVERIFY(again.columns()->kept().isEmpty());
    }

    void resetsColumnsFromTheMenuOfTheHeader()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        merge(table, model, {rowOf(1)});
        const int width = table.columnWidth(OutboxModel::Type);
        table.horizontalHeader()->resizeSection(OutboxModel::Type, width + 100);
        table.columns()->setShown(OutboxModel::Age, false);
        emit table.horizontalHeader()->customContextMenuRequested({5, 5});
        const std::unique_ptr<QMenu> menu(table.findChild<QMenu *>(u"columnsMenu"_s));
        QVERIFY(menu);
        menu->actions().constLast()->trigger();
        QCOMPARE(menu->actions().constLast()->text(), u"Reset columns"_s);
        QCOMPARE(table.columnWidth(OutboxModel::Type), width);
        QVERIFY(!table.isColumnHidden(OutboxModel::Age));
    }

    /// The header takes no keys: the menu key on the table offers the columns, too.
    void choosesColumnsByTheKeyboard()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        const auto menuOf = [&table](const QString &name) {
            QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
            QApplication::sendEvent(&table, &event);
            return std::unique_ptr<QMenu>(table.findChild<QMenu *>(name));
        };
        const std::unique_ptr<QMenu> ofEmpty = menuOf(u"columnsMenu"_s);
        QVERIFY(ofEmpty);
        QCOMPARE(ofEmpty->actions().constLast()->text(), u"Reset columns"_s);
        merge(table, model, {rowOf(1)});
        table.selectRow(0);
        const std::unique_ptr<QMenu> ofRow = menuOf(u"rowMenu"_s);
        QVERIFY(ofRow);
        const auto *columns = ofRow->findChild<QMenu *>(u"columnsOfRow"_s);
        QVERIFY(columns);
        const QString title
            = model.headerData(OutboxModel::Age, Qt::Horizontal, Qt::DisplayRole).toString();
        QAction *age = nullptr;
        for (QAction *one : columns->actions()) {
            if (one->text() == title)
                age = one;
        }
        QVERIFY(age && age->isEnabled() && age->isChecked());
        age->trigger();
        QVERIFY(table.isColumnHidden(OutboxModel::Age));
    }

    void columnsOfAnotherShapeKeepTheChoice()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.columns()->setOffered(OutboxModel::LastError, false);
        table.columns()->hideAtFirst(OutboxModel::Attempts);
        QVERIFY(table.columns()->kept().isEmpty());
        // As another version, or a hand, wrote it.
        table.columns()->restore(
            {{u"order"_s, QJsonArray{u"Payload"_s, u"No such column"_s, 7, u"Payload"_s}},
             {u"shown"_s, QJsonObject{{u"Attempts"_s, true}, {u"Last error"_s, true}}},
             {u"widths"_s, QJsonObject{{u"Type"_s, -5}, {u"Created"_s, u"wide"_s}}}});
        QVERIFY(!table.isColumnHidden(OutboxModel::Attempts));
        QVERIFY(table.isColumnHidden(OutboxModel::LastError));
        const QHeaderView *head = table.horizontalHeader();
        QCOMPARE(head->logicalIndex(0), int(OutboxModel::State)); // unnamed: before all others
        QCOMPARE(head->logicalIndex(head->count() - 1), int(OutboxModel::Payload));
        QVERIFY(table.columnWidth(OutboxModel::Type) > 0);
        table.columns()->setShown(OutboxModel::LastError, false);
        table.columns()->setOffered(OutboxModel::LastError, true);
        QVERIFY(table.isColumnHidden(OutboxModel::LastError));
    }

    /// Widths are fitted once; what was young then grows old.
    void cutsNoDateAndNoAge()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {0, 20, 24, 5, -5, 9, 24, 19, 30, 0});
        OutboxRow row = rowOf(1);
        row.message.ageSeconds = 1;
        row.message.created = QDateTime::currentDateTimeUtc();
        merge(table, model, {row});
        for (const double days : {0.5, 5.3, 43.8, 364.9}) {
            row.message.ageSeconds = days * 86'400;
            row.message.created = QDateTime::currentDateTimeUtc().addSecs(
                -static_cast<qint64>(*row.message.ageSeconds));
            merge(table, model, {row});
            for (const int column : {OutboxModel::Created, OutboxModel::Age}) {
                const QModelIndex cell = model.index(0, column);
                QVERIFY2(table.sizeHintForIndex(cell).width() <= table.columnWidth(column),
                         qPrintable(cell.data().toString()));
            }
        }
    }

    void copiesInOtherForms()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.setCopyColumn(OutboxModel::Id);
        table.resize(800, 300);
        table.QWidget::show();
        OutboxRow hostile = rowOf(1);
        hostile.message.type = u"=1+1,\"a\"\n"_s + QString(500, u'x');
        hostile.message.created = QDateTime(QDate(2026, 11, 21), QTime(10, 2, 3, 4), Qt::UTC);
        merge(table, model, {hostile, rowOf(2)});
        QCOMPARE(copiedAs(table, u"CSV"_s), u"no menu"_s); // nothing is selected
        table.selectRow(0);
        table.columns()->setShown(OutboxModel::State, false);
        const QString csv = copiedAs(table, u"CSV"_s);
        QVERIFY(csv.startsWith(u"Id,Type,Created,"_s));
        const QString type = u"\"'=1+1,\"\"a\"\"\n"_s + QString(500, u'x') + u'"';
        QVERIFY2(csv.contains(type), qPrintable(csv));
        QVERIFY2(csv.contains(u",2026-11-21T10:02:03.004Z,"_s), qPrintable(csv));
        const QString lines = copiedAs(table, u"JSON lines"_s);
        QCOMPARE(lines.count(u'\n'), 1);
        const QJsonObject one = QJsonDocument::fromJson(lines.toUtf8()).object();
        QCOMPARE(one.value(u"Type"_s).toString(), hostile.message.type);
        QCOMPARE(one.value(u"Id"_s).toString(), hostile.message.id.text);
        QVERIFY(!one.contains(u"State"_s));
    }

    void copiesInTheFormsOfThePage()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        merge(table, model, {rowOf(1), rowOf(2)});
        table.setCopyForms(
            {{u"&Numbers"_s,
              [](const QList<int> &rows) { return rows.size() == 2 ? u"two"_s : QString(); },
              u"Select two"_s}});
        table.selectAll();
        QCOMPARE(copiedAs(table, u"Numbers"_s), u"two"_s);
        table.selectRow(0);
        QCOMPARE(copiedAs(table, u"Numbers"_s), u"nothing"_s); // it cannot be asked for
    }

    void copiesNoMoreThanItShows()
    {
        using Column = TableColumn<Masked>;
        KeyedTableModel<Masked, QString> model(
            {Column::ofText(u"Name"_s, [](const Masked &row) { return row.name; }),
             Column(u"Secret"_s, Qt::AlignLeft, [](const Masked &) { return u"****"_s; })},
            [](const Masked &row) { return row.name; });
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        model.merge({Masked{u"ana"_s, u"hunter2"_s}});
        table.selectAll();
        QCOMPARE(copiedAs(table, u"CSV"_s), u"Name,Secret\nana,****\n"_s);
        QVERIFY(!copiedAs(table, u"JSON lines"_s).contains(u"hunter2"_s));
        table.copyRows();
        QVERIFY(!QApplication::clipboard()->text().contains(u"hunter2"_s));
    }

    void selectsSeveralByKeyboard()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.setCopyColumn(OutboxModel::Id);
        table.resize(800, 300);
        table.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        merge(table, model, rowsWithout({}, 0, 6));
        table.setFocus();
        table.selectRow(0);
        for (int step = 0; step < 2; ++step)
            QTest::keyClick(&table, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(selectedRows(table), QList<int>{0});
        QTest::keyClick(&table, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(selectedRows(table), (QList<int>{0, 2}));
        table.copyIds();
        QCOMPARE(QApplication::clipboard()->text(), idAt(table, 0) + u'\n' + idAt(table, 2));
        QTest::keyClick(&table, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(selectedRows(table), QList<int>{0});
        QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(selectedRows(table).contains(3));
    }

    /// A link is followed by Ctrl and a letter, and its row comes while Ctrl is down still.
    void selectsAloneWhateverKeyIsDown()
    {
        OutboxModel model(PayloadMasks::none());
        LiveTable table(u"table"_s);
        table.show(&model, {});
        table.resize(800, 300);
        table.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        merge(table, model, rowsWithout({}, 0, 6));
        for (const Qt::KeyboardModifier down : {Qt::ControlModifier, Qt::ShiftModifier}) {
            table.selectRow(1);
            QTest::keyPress(&table, Qt::Key_F24, down);
            QCOMPARE(QGuiApplication::keyboardModifiers(), Qt::KeyboardModifiers(down));
            table.selectRow(4);
            QCOMPARE(selectedRows(table), QList<int>{4});
            table.selectRow(4);
            QCOMPARE(selectedRows(table), QList<int>{4});
            QTest::keyRelease(&table, Qt::Key_F24);
        }
    }

    void drawsHostileTextQuicklyAndPlainly()
    {
        OutboxModel model(PayloadMasks::none());
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
        OutboxModel model(PayloadMasks::none());
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
