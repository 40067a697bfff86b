// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failures/failurespane.h"

#include "models/groups/failuregroups.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/groupmodel.h"
#include "views/charts/sparkline.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QHeaderView>
#include <QHideEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QShowEvent>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pictureWidth = 84;
constexpr int groupInset = 6;

QColor troubleInk()
{
    return theme::appearance(MessageState::Failed).color;
}

void paintShare(QPainter *painter, const QRect &room, const QStyleOptionViewItem &cell,
                const FailureGroup &group)
{
    const QString widest = u"under 1 %"_s;
    const int words = cell.fontMetrics.horizontalAdvance(widest) + groupInset;
    const QRectF whole(room.left(), room.center().y() - 3, qMax(0, room.width() - words), 7);
    const QRectF part(whole.topLeft(), QSizeF(qMax(2.0, whole.width() * group.share), 7));
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme::inks().grid);
    painter->drawRoundedRect(whole, 2, 2);
    painter->setBrush(troubleInk());
    painter->drawRoundedRect(part, 2, 2);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(room.adjusted(int(whole.width()) + groupInset, 0, 0, 0),
                      static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), cell.text);
}

void paintTrend(QPainter *painter, const QRect &room, const FailureGroup &group)
{
    // A column stands for each part of the time; the places are numbers, not times.
    Sparkline::Line line{{LineSegment()}, {troubleInk()}};
    for (int i = 0; i < group.trend.size(); ++i)
        line.first.first() += QPointF(i, group.trend.at(i));
    Sparkline::paint(painter, room.adjusted(0, 3, 0, -3), QDateTime::fromMSecsSinceEpoch(0),
                     QDateTime::fromMSecsSinceEpoch(FailureGroup::buckets - 1), {line});
}

/// Paints what is better seen than read of a group: its share as a bar, its trend as a line.
/// For a view on a GroupModel.
class GroupDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        if (index.column() == GroupModel::Share)
            size.rwidth() = pictureWidth + option.fontMetrics.horizontalAdvance(u"under 1 %"_s);
        if (index.column() == GroupModel::Trend)
            size.setWidth(pictureWidth);
        return size;
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto group = index.data(RowRole).value<FailureGroup>();
        const bool isMissing = (index.column() == GroupModel::Type && group.type.isEmpty())
            || (index.column() == GroupModel::Cause && group.cause.isEmpty())
            || (index.column() == GroupModel::Queue && group.queue.isEmpty());
        if (isMissing) {
            option->palette.setColor(QPalette::Text, theme::inks().secondary);
            option->palette.setColor(QPalette::HighlightedText, theme::inks().secondary);
        }
    }
};

void GroupDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    if (index.column() != GroupModel::Share && index.column() != GroupModel::Trend)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QStyleOptionViewItem empty = cell;
    empty.text.clear();
    QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, cell.widget);
    const auto group = index.data(RowRole).value<FailureGroup>();
    const QRect room = cell.rect.adjusted(groupInset, 0, -groupInset, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(cell.font);
    if (index.column() == GroupModel::Share)
        paintShare(painter, room, cell, group);
    else if (!group.trend.isEmpty())
        paintTrend(painter, room, group);
    painter->restore();
}

constexpr qint64 hour = 3600;
constexpr int usualWindow = 2; // a day
const QList<std::optional<qint64>> windows{hour,      3 * hour,   24 * hour,
                                           72 * hour, 168 * hour, std::nullopt};

QComboBox *listOf(const QString &name, const QString &spoken)
{
    auto *list = new QComboBox;
    setNames(list, name, spoken);
    return list;
}

} // namespace

/// What is grouped, by what, since when, and how far the numbers go.
class GroupChoices : public QWidget
{
    Q_OBJECT

public:
    explicit GroupChoices(FailureSource source, QWidget *parent = nullptr);

    [[nodiscard]] GroupBy grouping() const
    {
        return static_cast<GroupBy>(m_by->currentData().toInt());
    }

    [[nodiscard]] FailureQuestion question() const
    {
        return {m_source, m_scope->currentData().toString(),
                windows.value(m_within->currentIndex())};
    }

    /// Says nothing of it: whoever chooses asks.
    void choose(const QString &scope, GroupBy by)
    {
        const QSignalBlocker quiet(this);
        m_scope->setCurrentIndex(m_scope->findData(scope));
        m_by->setCurrentIndex(m_by->findData(int(by)));
        chooseEver();
    }

    /// No limit of time any more.
    void chooseEver() { m_within->setCurrentIndex(m_within->count() - 1); }

    /// What a table says that found nothing.
    [[nodiscard]] QString nothingText() const
    {
        const QString nothing = scopesOf(m_source).value(m_scope->currentIndex()).nothing;
        const QString when = m_within->currentText().toLower();
        if (!question().withinSeconds)
            return tr("%1. Nothing asks for attention.").arg(nothing);
        return m_source == FailureSource::Rows
            ? tr("%1 of those written in the %2.").arg(nothing, when)
            : tr("%1 of those that failed in the %2.").arg(nothing, when);
    }

    /// `text` is plain.
    void setSize(const QString &text)
    {
        m_size->setText(text);
        m_size->setToolTip({});
        m_size->setAccessibleName(text);
    }

signals:
    /// The same things in other groups.
    void groupingChanged();
    /// Other things, or the same once more.
    void lookAsked();

private:
    FailureSource m_source;
    QComboBox *m_by;
    QComboBox *m_scope;
    QComboBox *m_within;
    QLabel *m_size;
};

GroupChoices::GroupChoices(FailureSource source, QWidget *parent)
    : QWidget(parent), m_source(source), m_by(listOf(u"groupsBy"_s, tr("Group by"))),
      m_scope(listOf(u"groupsScope"_s, tr("What is grouped"))),
      m_within(listOf(u"groupsWithin"_s, tr("Since when"))), m_size(new QLabel)
{
    for (const GroupBy by : allGroupings())
        m_by->addItem(tr("By %1").arg(label(by)), int(by));
    for (const FailureScope &scope : scopesOf(source))
        m_scope->addItem(scope.name, scope.filter);
    m_within->addItems({tr("Last hour"), tr("Last 3 hours"), tr("Last 24 hours"), tr("Last 3 days"),
                        tr("Last 7 days"), tr("All time")});
    m_within->setCurrentIndex(usualWindow);
    if (source == FailureSource::Tasks)
        m_within->setToolTip(plainTooltip(
            tr("By the time of the last failure; tasks without one are only under All time")));
    m_size->setObjectName(u"groupsSize"_s);
    m_size->setTextFormat(Qt::PlainText);
    m_size->setForegroundRole(QPalette::PlaceholderText);
    m_size->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *again = pageButton(u"groupsAgain"_s, u"refresh"_s, tr("Refresh"));
    auto *row = boxOn<QHBoxLayout>(this, 6);
    addWidgets(row, {m_scope, m_by, m_within});
    row->addSpacing(6);
    row->addWidget(m_size, 1);
    row->addWidget(again);
    connect(m_by, &QComboBox::currentIndexChanged, this, &GroupChoices::groupingChanged);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &GroupChoices::lookAsked);
    connect(m_within, &QComboBox::currentIndexChanged, this, &GroupChoices::lookAsked);
    connect(again, &QToolButton::clicked, this, &GroupChoices::lookAsked);
}

/// Who looks after a group of failures, and what they have to say of it.
class GroupNoteBar : public QWidget
{
    Q_OBJECT

public:
    explicit GroupNoteBar(QWidget *parent = nullptr);

    /// The note of this group, known by its `noteKey`; an empty key hides the bar. What is being
    /// written of the same group stays.
    void setNote(const QString &group, const GroupNote &note)
    {
        setVisible(!group.isEmpty());
        if (group == m_note.group && (m_who->hasFocus() || m_text->hasFocus()))
            return;
        tell(); // of the group before
        m_note = note;
        m_note.group = group;
        m_who->setText(note.who);
        m_text->setText(note.text);
    }

signals:
    /// An empty one is to be forgotten.
    void noteWritten(const outbox::GroupNote &note);

private:
    void tell()
    {
        const QString who = m_who->text().trimmed();
        const QString text = m_text->text().trimmed();
        if (m_note.group.isEmpty() || (who == m_note.who && text == m_note.text))
            return;
        m_note.who = who;
        m_note.text = text;
        m_note.at = QDateTime::currentDateTimeUtc();
        emit noteWritten(m_note);
    }

    GroupNote m_note;
    QLineEdit *m_who;
    QLineEdit *m_text;
};

GroupNoteBar::GroupNoteBar(QWidget *parent)
    : QWidget(parent), m_who(new QLineEdit), m_text(new QLineEdit)
{
    setNames(m_who, u"groupWho"_s, tr("Owner of the group"));
    m_who->setPlaceholderText(tr("Owner"));
    m_who->setMaxLength(GroupNote::mostWhoCharacters);
    m_who->setFixedWidth(fontMetrics().averageCharWidth() * 24);
    setNames(m_text, u"groupNote"_s, tr("Note of the group"));
    m_text->setPlaceholderText(tr("A note of this group, kept on this computer"));
    m_text->setMaxLength(GroupNote::mostCharacters);
    auto *row = boxOn<QHBoxLayout>(this, 6);
    row->addWidget(m_who);
    row->addWidget(m_text, 1);
    for (QLineEdit *line : {m_who, m_text})
        connect(line, &QLineEdit::editingFinished, this, &GroupNoteBar::tell);
}

namespace {

QLabel *asideLabel(const QString &name)
{
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // as wide as there is room
    return label;
}

} // namespace

FailuresPane::FailuresPane(FailureSource source, QWidget *parent)
    : QWidget(parent), m_source(source), m_choices(new GroupChoices(source)),
      m_problem(new NoticeBar(u"groupsProblem"_s)), m_model(new GroupModel(this)),
      m_table(new LiveTable(u"groupsTable"_s)), m_example(asideLabel(u"groupsExample"_s)),
      m_filter(asideLabel(u"groupsFilter"_s)), m_show(new QPushButton), m_note(new GroupNoteBar)
{
    setObjectName(u"failuresPane"_s);
    build();
    connect(m_choices, &GroupChoices::groupingChanged, this, &FailuresPane::regroup);
    connect(m_choices, &GroupChoices::lookAsked, this, &FailuresPane::ask);
    connect(m_problem, &NoticeBar::actionAsked, this, &FailuresPane::ask);
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, m_choices, &GroupChoices::chooseEver);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FailuresPane::describe);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &FailuresPane::describe);
    connect(m_table, &QAbstractItemView::activated, this, &FailuresPane::choose);
    connect(m_note, &GroupNoteBar::noteWritten, this, &FailuresPane::noteWritten);
    connect(m_show, &QPushButton::clicked, this, &FailuresPane::choose);
    regroup();
}

void FailuresPane::build()
{
    m_table->setAccessibleName(tr("Groups of failures"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->show(m_model, {24, 42, 14, 22, 9, 22, 14, 26, 21, 0});
    m_table->setItemDelegate(new GroupDelegate(m_table));
    m_table->setMinimumHeight(120);
    setNames(m_show, u"groupsShow"_s, tr("Show the members of the group"));
    m_filter->setAccessibleName(tr("The filter of the group"));
    m_example->setAccessibleName(tr("What one of them says"));
    auto *below = boxOn<QHBoxLayout>(nullptr, 10);
    below->addWidget(m_show);
    auto *words = boxOn<QVBoxLayout>(nullptr, 2);
    addWidgets(words, {m_example, m_filter});
    below->addLayout(words, 1);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    addWidgets(column, {m_choices, m_problem});
    column->addWidget(m_table, 1);
    column->addLayout(below);
    column->addWidget(m_note);
}

FailureQuestion FailuresPane::question() const
{
    return m_choices->question();
}

void FailuresPane::ask()
{
    if (isVisible())
        emit sampleAsked(question());
    describeNothing();
}

void FailuresPane::setSample(const FailureSample &sample)
{
    if (sample.question != question())
        return;
    m_sample = sample;
    m_read = true;
    m_problem->clear();
    m_table->setStale(false);
    regroup();
    if (m_wanted)
        chooseWanted();
}

void FailuresPane::showGroup(const QString &scope, const QueueName &queue, const QString &cause)
{
    m_choices->choose(scope, GroupBy::Error);
    m_wanted = std::pair(queue, cause);
    regroup();
    ask();
}

void FailuresPane::chooseWanted()
{
    const auto [queue, cause] = *std::exchange(m_wanted, std::nullopt);
    int found = -1;
    for (int row = m_model->rowCount() - 1; row >= 0; --row) { // the greatest stands first
        const FailureGroup &group = m_model->row(row);
        if (group.queue != queue.text)
            continue;
        found = row;
        if (!cause.isEmpty() && group.cause == cause)
            break;
    }
    if (found >= 0)
        m_table->selectRow(found);
}

void FailuresPane::regroup()
{
    qint64 others = 0;
    QList<FailureGroup> groups = groupsOf(m_sample, m_choices->grouping(), &others);
    bool hasNotes = false;
    for (FailureGroup &group : groups) {
        group.note = noteWords(m_notes.value(noteKey(group)));
        hasNotes = hasNotes || !group.note.isEmpty();
    }
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(groups);
    }
    auto shown = GroupModel::shownColumns(m_choices->grouping(), m_source);
    if (hasNotes)
        shown += GroupModel::Note;
    for (int column = 0; column < GroupModel::ColumnCount; ++column)
        m_table->columns()->setOffered(column, shown.contains(GroupModel::Columns(column)));
    // Errors are what is read here: they take the room that the figures leave.
    const bool hasErrors = shown.contains(GroupModel::Cause);
    QHeaderView *head = m_table->horizontalHeader();
    head->setStretchLastSection(!hasErrors);
    head->setSectionResizeMode(GroupModel::Cause,
                               hasErrors ? QHeaderView::Stretch : QHeaderView::Interactive);
    QString size;
    if (m_read) {
        size = tr("%1, as of %2")
                   .arg(sizeWords(m_sample),
                        momentText(m_sample.at, QDateTime::currentDateTimeUtc()));
    }
    if (others > 0)
        size += tr("; %1 in smaller groups").arg(countText(others));
    m_choices->setSize(size);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->selectRow(0);
    describe();
    describeNothing();
}

const FailureGroup *FailuresPane::chosen() const
{
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? &m_model->row(index.row()) : nullptr;
}

void FailuresPane::describe()
{
    const FailureGroup *group = chosen();
    const bool says = group && !group->example.isEmpty();
    m_example->setText(says ? tr("One of them: %1").arg(cellText(group->example)) : QString());
    m_example->setToolTip(says ? tipText(group->example) : QString());
    m_filter->setText(group ? shownText(group->filter) : QString());
    m_filter->setToolTip(group ? tipText(group->filter) : QString());
    const QString key = group ? noteKey(*group) : QString();
    m_note->setNote(key, m_notes.value(key));
    m_example->setVisible(group);
    m_filter->setVisible(group);
    m_show->setVisible(group && !group->filter.isEmpty());
    if (group) {
        m_show->setText(!m_sample.isWhole       ? tr("Show all of these")
                            : group->count == 1 ? tr("Show this one")
                                                : tr("Show these %1").arg(countText(group->count)));
        m_show->setAccessibleDescription(plainText(titleOf(*group)));
    }
}

void FailuresPane::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (!m_read || m_sample.question != question())
        pane->say(tr("Reading…"));
    else if (question().withinSeconds)
        pane->say(m_choices->nothingText(), tr("All time"));
    else
        pane->say(m_choices->nothingText());
}

void FailuresPane::choose()
{
    const FailureGroup *group = chosen();
    if (group && !group->filter.isEmpty())
        emit filterChosen(group->filter, group->queue);
}

void FailuresPane::setError(const Error &error)
{
    QString text = capital(shownText(oneLine(error)));
    if (m_read) {
        text += u". "_s
            + tr("What is shown is from %1.")
                  .arg(momentText(m_sample.at, QDateTime::currentDateTimeUtc()));
    }
    m_problem->say(NoticeBar::Tone::Problem, text, tr("Try again"));
    m_table->setStale(m_read);
}

void FailuresPane::setNotes(const QList<GroupNote> &notes)
{
    m_notes.clear();
    for (const GroupNote &note : notes)
        m_notes.insert(note.group, note);
    regroup();
}

void FailuresPane::forget()
{
    m_notes.clear();
    m_sample = {};
    m_read = false;
    m_wanted.reset();
    m_problem->clear();
    m_table->setStale(false);
    regroup();
}

void FailuresPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!event->spontaneous())
        emit sampleAsked(question());
}

void FailuresPane::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (!event->spontaneous())
        emit sampleNotWanted();
}

} // namespace outbox

#include "failurespane.moc"
