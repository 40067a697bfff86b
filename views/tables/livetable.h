// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table that live rows are shown in: keeps its place while they change, copies, chooses
// columns.
#pragma once

#include "views/tables/tablecopy.h"

#include <QHash>
#include <QPersistentModelIndex>
#include <QTableView>

class QMenu;

namespace outbox {

class ColumnChoice;
class EmptyPane;

class LiveTable : public QTableView
{
    Q_OBJECT

public:
    /// Whether a table that stands at its top shows what comes above.
    enum class Top { Follows, Stays };
    /// While one of these is alive the model may change: the rows on screen stay where they are
    /// unless the table stood at its top and that follows, and no `rowChosen` is emitted.
    class KeepPlace
    {
    public:
        explicit KeepPlace(LiveTable &table, Top top = Top::Follows);
        ~KeepPlace();
        Q_DISABLE_COPY_MOVE(KeepPlace)

    private:
        LiveTable &m_table;
        QList<QPersistentModelIndex> m_visible; // the row at the top first
        bool m_atTop;
    };

    /// `name` is both objectName and the base of what is read aloud.
    explicit LiveTable(const QString &name, QWidget *parent = nullptr);

    /// Takes a model and the widest useful width of each column in characters; 0 = as wide as it
    /// is; negative: the least one, for what grows. None is narrower than its samples
    /// (SamplesRole).
    void show(QAbstractItemModel *model, const QList<int> &columnCharacters);
    /// These columns are in the fixed-width font and cut in the middle.
    void setIdColumns(const QList<int> &columns);
    /// What may stand in a column of states, as variants: it is never fitted narrower than the
    /// longest of their words, whatever the first rows show. Call it after `show`.
    void setStates(int column, const QVariantList &states);
    /// The column whose text "Copy id" takes; it cannot be hidden.
    void setCopyColumn(int column);
    /// The rows come in this order of the column: its header shows an arrow and can be clicked, the
    /// others cannot. -1: none can.
    void setOrder(int column, Qt::SortOrder order);
    /// Forms that "Copy as" offers besides CSV and JSON lines; they take the place of those before.
    void setCopyForms(const QList<CopyForm> &forms) { m_copyForms = forms; }
    /// Which columns are shown, in which order, how wide.
    [[nodiscard]] ColumnChoice *columns() const { return m_columns; }
    /// Old rows lose their colours.
    void setStale(bool stale);
    /// Fits the columns to the first rows there are; later calls do nothing, so no column jumps.
    void fitColumnsOnce();

    [[nodiscard]] bool isAtTop() const;
    /// Its head and a few lines, in letters of any size.
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] EmptyPane *emptyPane() const { return m_empty; }
    /// The selected rows to the clipboard: as TSV, or their ids alone.
    void copyRows() const;
    void copyIds() const;

signals:
    /// A person moved to another row; never by a refresh.
    void rowChosen(const QModelIndex &index);
    /// A person wants to see what has the value of one cell. `term` is one of the filter language.
    /// Offered where somebody is connected.
    void filterAsked(const QString &term);
    /// A person clicked the header that shows the order: the other one is wanted.
    void orderAsked();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    /// What the program selects is selected alone, whatever key a person holds down meanwhile.
    QItemSelectionModel::SelectionFlags
    selectionCommand(const QModelIndex &index, const QEvent *event = nullptr) const override;

private:
    /// `at` is on the header.
    void chooseColumns(const QPoint &at);
    void fillColumnsMenu(QMenu *menu);
    /// As if no width had been chosen, and no row been seen yet.
    void fitAnew();
    void fitToTitles();
    void openCopyMenu();
    void fillCopyMenu(QMenu *menu);
    void placeEmptyPane();
    [[nodiscard]] int leastWidth(int column) const;

    EmptyPane *m_empty;
    ColumnChoice *m_columns;
    QAbstractItemDelegate *m_plain;
    QAbstractItemDelegate *m_coloured = nullptr; // the one that comes back when rows are fresh
    QList<int> m_columnCharacters;
    QHash<int, QVariantList> m_states; // by column
    QList<CopyForm> m_copyForms;
    int m_copyColumn = 0;
    int m_orderColumn = -1;
    bool m_fitted = false;
    bool m_stale = false;
    bool m_merging = false;
};

/// Adds what leads from the chosen row to other pages to the context menu, below a line.
void addLinks(LiveTable &table, const QList<QAction *> &links);

} // namespace outbox
