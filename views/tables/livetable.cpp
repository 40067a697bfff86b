// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/livetable.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "models/tables/keyedtablemodel.h"
#include "views/tables/columnchoice.h"
#include "views/tables/statedelegate.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QKeyCombination copyAsKeys(Qt::ControlModifier | Qt::AltModifier, Qt::Key_C);

/// Paints an id in the fixed-width font, cut in the middle: ids differ at their ends.
class IdDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->font = theme::fixedFont(option->font);
        option->fontMetrics = QFontMetrics(option->font);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace

LiveTable::KeepPlace::KeepPlace(LiveTable &table, Top top)
    : m_table(table), m_atTop(top == Top::Follows && table.isAtTop())
{
    table.m_merging = true;
    if (m_atTop || table.model() == nullptr)
        return;
    const int first = table.verticalScrollBar()->value();
    const int last = std::min(first + 60, table.model()->rowCount() - 1);
    for (int row = first; row <= last; ++row)
        m_visible.append(table.model()->index(row, 0));
}

LiveTable::KeepPlace::~KeepPlace()
{
    // The range of the scroll bar is that of the old rows until the view has laid out the new ones.
    m_table.executeDelayedItemsLayout();
    m_table.updateGeometries();
    for (qsizetype below = 0; below < m_visible.size(); ++below) {
        if (m_visible.at(below).isValid()) {
            m_table.verticalScrollBar()->setValue(m_visible.at(below).row()
                                                  - static_cast<int>(below));
            break;
        }
    }
    if (m_atTop)
        m_table.verticalScrollBar()->setValue(0);
    m_table.fitColumnsOnce();
    m_table.placeEmptyPane();
    m_table.m_merging = false;
}

LiveTable::LiveTable(const QString &name, QWidget *parent)
    : QTableView(parent), m_empty(new EmptyPane(viewport())), m_columns(new ColumnChoice(this)),
      m_plain(new QStyledItemDelegate(this))
{
    setObjectName(name);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setVerticalScrollMode(ScrollPerItem);
    setHorizontalScrollMode(ScrollPerPixel);
    setItemDelegate(new StateDelegate(StateRole, this));
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(0);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(theme::rowHeight(fontMetrics()));
    QHeaderView *head = horizontalHeader();
    head->setHighlightSections(false);
    head->setStretchLastSection(true);
    head->setSectionsMovable(true);
    head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    head->setResizeContentsPrecision(100);
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    head->setSectionsClickable(false);
    head->viewport()->installEventFilter(this);
    m_columns->setFixed(m_copyColumn);
    connect(head, &QWidget::customContextMenuRequested, this, &LiveTable::chooseColumns);
    connect(head, &QHeaderView::sectionClicked, this, &LiveTable::orderAsked);
}

void LiveTable::show(QAbstractItemModel *model, const QList<int> &columnCharacters)
{
    m_columnCharacters = columnCharacters;
    setModel(model);
    fitToTitles();
}

void LiveTable::fitToTitles()
{
    const int em = fontMetrics().averageCharWidth();
    for (int column = 0; column + 1 < model()->columnCount(); ++column) {
        const int characters = m_columnCharacters.value(column);
        m_columns->fit(column,
                       std::max(leastWidth(column), std::min(std::abs(characters), 17) * em));
    }
}

void LiveTable::setCopyColumn(int column)
{
    m_copyColumn = column;
    m_columns->setFixed(column);
}

void LiveTable::setIdColumns(const QList<int> &columns)
{
    for (const int column : columns)
        setItemDelegateForColumn(column, new IdDelegate(this));
}

void LiveTable::setOrder(int column, Qt::SortOrder order)
{
    m_orderColumn = column;
    QHeaderView *head = horizontalHeader();
    head->setSortIndicatorShown(column >= 0);
    if (column < 0)
        return head->setSectionsClickable(false);
    head->setSortIndicator(column, order);
    m_columns->fit(column, std::max(columnWidth(column), leastWidth(column))); // with the arrow
}

bool LiveTable::eventFilter(QObject *watched, QEvent *event)
{
    QHeaderView *head = horizontalHeader();
    const bool isPointed = event->type() == QEvent::MouseButtonPress
        || event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverMove;
    if (isPointed && watched == head->viewport() && m_orderColumn >= 0) {
        const QPoint at = static_cast<QSinglePointEvent *>(event)->position().toPoint();
        head->setSectionsClickable(head->logicalIndexAt(at) == m_orderColumn);
    }
    return QTableView::eventFilter(watched, event);
}

void LiveTable::setStates(int column, const QVariantList &states)
{
    m_states.insert(column, states);
    m_columns->fit(column, std::max(columnWidth(column), leastWidth(column)));
}

int LiveTable::leastWidth(int column) const
{
    QHeaderView *head = horizontalHeader();
    head->setSortIndicatorShown(column == m_orderColumn); // it would take room in each of them
    int width = head->sectionSizeHint(column);
    head->setSortIndicatorShown(m_orderColumn >= 0);
    const int em = fontMetrics().averageCharWidth();
    const int margin = style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1;
    const QStringList samples
        = model()->headerData(column, Qt::Horizontal, SamplesRole).toStringList();
    for (const QString &sample : samples)
        width = std::max(width, fontMetrics().horizontalAdvance(sample) + 2 * margin + em);
    for (const QVariant &state : m_states.value(column))
        width = std::max(
            width, StateDelegate::widthOf(state, fontMetrics()) + em); // as where it is fitted
    return width;
}

void LiveTable::setStale(bool stale)
{
    if (stale == m_stale)
        return;
    m_stale = stale;
    if (stale) {
        m_coloured = itemDelegate();
        setItemDelegate(m_plain);
    } else {
        setItemDelegate(m_coloured);
    }
    QPalette colors;
    if (stale) {
        colors.setColor(QPalette::Text, theme::inks().secondary);
        colors.setColor(QPalette::HighlightedText, theme::inks().secondary);
    }
    setPalette(colors);
}

void LiveTable::fitColumnsOnce()
{
    if (m_fitted || model() == nullptr || model()->rowCount() == 0)
        return;
    m_fitted = true;
    const int em = fontMetrics().averageCharWidth();
    for (int column = 0; column + 1 < model()->columnCount(); ++column) {
        const int least = leastWidth(column);
        const int characters = m_columnCharacters.value(column);
        int width = std::max(sizeHintForColumn(column) + em, least);
        if (characters > 0)
            width = std::min(width, std::max(least, characters * em));
        else
            width = std::max(width, -characters * em);
        m_columns->fit(column, width);
    }
}

QSize LiveTable::minimumSizeHint() const
{
    return {QTableView::minimumSizeHint().width(),
            horizontalHeader()->sizeHint().height() + 4 * fontMetrics().height()};
}

bool LiveTable::isAtTop() const
{
    return verticalScrollBar()->value() == 0;
}

void LiveTable::copyRows() const
{
    const QString text = selectionAsTsv(*this);
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void LiveTable::copyIds() const
{
    const QString ids = selectedColumn(*this, m_copyColumn);
    if (!ids.isEmpty())
        QApplication::clipboard()->setText(ids);
}

void LiveTable::fillCopyMenu(QMenu *menu)
{
    menu->setToolTipsVisible(true);
    const QList<CopyForm> own{
        {tr("&CSV"), [this](const QList<int> &rows) { return rowsAsCsv(*this, rows); }, {}},
        {tr("&JSON lines"),
         [this](const QList<int> &rows) { return rowsAsJsonLines(*this, rows); },
         {}}};
    const QList<int> rows = selectedRows(*this);
    for (const CopyForm &form : own + m_copyForms) {
        // What is selected now is copied, whatever comes while the menu is open.
        const QString text = form.text(rows);
        QAction *action = menu->addAction(form.title, this,
                                          [text] { QApplication::clipboard()->setText(text); });
        action->setEnabled(!text.isEmpty());
        if (text.isEmpty())
            action->setToolTip(plainTooltip(form.whyNot));
    }
}

void LiveTable::openCopyMenu()
{
    if (selectedCount(*this) == 0)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"copyMenu"_s);
    fillCopyMenu(menu);
    menu->popup(viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()));
}

void LiveTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copyRows();
        event->accept();
        return;
    }
    if (event->keyCombination() == copyAsKeys) {
        openCopyMenu();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void LiveTable::contextMenuEvent(QContextMenuEvent *event)
{
    const int selected = selectedCount(*this);
    const bool isByMouse = event->reason() == QContextMenuEvent::Mouse;
    if (selected == 0 && (isByMouse || model() == nullptr))
        return;
    if (selected == 0)
        return chooseColumns(QPoint(0, horizontalHeader()->height()));
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->setObjectName(u"rowMenu"_s);
    menu->addActions(actions()); // what the page can do with its rows
    menu->addSeparator();
    const QModelIndex cell = isByMouse ? indexAt(event->pos()) : currentIndex();
    const QString term = cell.data(FilterRole).toString();
    if (!term.isEmpty() && isSignalConnected(QMetaMethod::fromSignal(&LiveTable::filterAsked))) {
        QAction *filter = menu->addAction(theme::icon(u"filter"_s), tr("Filter for this value"),
                                          this, [this, term] { emit filterAsked(term); });
        filter->setObjectName(u"filterForValue"_s);
        filter->setToolTip(plainTooltip(term));
        menu->addSeparator();
    }
    menu->addAction(theme::icon(u"copy"_s), counted(selected, tr("Copy the id"), tr("Copy %1 ids")),
                    this, &LiveTable::copyIds);
    menu->addAction(counted(selected, tr("Copy the row as TSV"), tr("Copy %1 rows as TSV")),
                    QKeySequence::Copy, this, &LiveTable::copyRows);
    QMenu *as = menu->addMenu(tr("Copy as"));
    as->setObjectName(u"copyAs"_s);
    as->menuAction()->setToolTip(
        tr("By keyboard: %1").arg(QKeySequence(copyAsKeys).toString(QKeySequence::NativeText)));
    fillCopyMenu(as);
    QMenu *columns = menu->addMenu(tr("Columns")); // the header takes no keys
    columns->setObjectName(u"columnsOfRow"_s);
    fillColumnsMenu(columns);
    menu->popup(event->globalPos());
}

void LiveTable::chooseColumns(const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"columnsMenu"_s);
    fillColumnsMenu(menu);
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

void LiveTable::fillColumnsMenu(QMenu *menu)
{
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (!m_columns->isOffered(column))
            continue;
        QAction *action
            = menu->addAction(buttonText(model()->headerData(column, Qt::Horizontal).toString()));
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(!m_columns->isFixed(column));
        connect(action, &QAction::toggled, m_columns,
                [this, column](bool on) { m_columns->setShown(column, on); });
    }
    menu->addSeparator();
    menu->addAction(tr("Reset column widths"), this, [this] {
        m_columns->forgetWidths();
        fitAnew();
    });
    menu->addAction(tr("Reset columns"), this, [this] {
        m_columns->reset();
        fitAnew();
    });
}

void LiveTable::fitAnew()
{
    m_fitted = false;
    fitToTitles();
    fitColumnsOnce();
}

void LiveTable::placeEmptyPane()
{
    m_empty->setGeometry(viewport()->rect());
    m_empty->setVisible(model() == nullptr || model()->rowCount() == 0);
}

void LiveTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    placeEmptyPane();
}

QItemSelectionModel::SelectionFlags LiveTable::selectionCommand(const QModelIndex &index,
                                                                const QEvent *event) const
{
    return event != nullptr ? QTableView::selectionCommand(index, event)
                            : QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
}

void LiveTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_merging && current.isValid() && current.row() != previous.row())
        emit rowChosen(current);
}

void addLinks(LiveTable &table, const QList<QAction *> &links)
{
    auto *line = new QAction(&table);
    line->setSeparator(true);
    table.addAction(line);
    table.addActions(links);
}

} // namespace outbox
