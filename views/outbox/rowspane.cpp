// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/rowspane.h"

#include "models/filter/pagerequest.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/tables/outboxmodel.h"
#include "views/outbox/outboxrows.h"
#include "views/tables/livetable.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/scrolledpage.h"

#include <QAction>
#include <QBoxLayout>
#include <QDateTime>
#include <QDateTimeEdit>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A field in a small dialog of its own; deleted with it.
QDialog *fieldDialog(QWidget *parent, const QString &name, const QString &title, QWidget *field)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    setNames(field, name + u"Field"_s, title);
    QPushButton *cancel = dialogButton(name + u"Cancel"_s, QObject::tr("Cancel"));
    QPushButton *go = dialogButton(name + u"Show"_s, QObject::tr("Show"));
    go->setDefault(true);
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    QObject::connect(go, &QPushButton::clicked, dialog, &QDialog::accept);
    auto *form = new QFormLayout(dialog);
    form->addRow(title, field);
    form->addRow(buttonRow({cancel, go}));
    keepOnScreen(dialog);
    return dialog;
}

} // namespace

/// Says which part of a large table is shown, and goes to another one.
class WindowBar : public QWidget
{
    Q_OBJECT

public:
    explicit WindowBar(const QString &name, QWidget *parent = nullptr);

    void say(const QString &where);
    /// How many rows the question has, as they were counted elsewhere; empty: they were not.
    void setCounted(const QString &count) { m_counted = count; }
    [[nodiscard]] const QString &counted() const { return m_counted; }
    /// Without times one can go to no time.
    void setTimed(bool timed);
    void setNewestFirst(bool newestFirst) { m_isNewestFirst = newestFirst; }

signals:
    void newestAsked();
    void oldestAsked();
    void timeAsked(const QDateTime &time);
    void idAsked(const QString &id);

private:
    void askForTime();
    void askForId();

    QString m_counted;
    bool m_isNewestFirst = true;
    QLabel *m_where;
    QToolButton *m_goTo;
    QAction *m_time;
};

WindowBar::WindowBar(const QString &name, QWidget *parent)
    : QWidget(parent), m_where(plainLabel({}, true)),
      m_goTo(pageButton(name + u"GoTo"_s, u"search"_s, tr("Go to")))
{
    setObjectName(name);
    m_where->setObjectName(name + u"Where"_s);
    auto *menu = new QMenu(m_goTo);
    connect(menu->addAction(theme::icon(u"up"_s), tr("Newest rows")), &QAction::triggered, this,
            &WindowBar::newestAsked);
    connect(menu->addAction(theme::icon(u"down"_s), tr("Oldest rows")), &QAction::triggered, this,
            &WindowBar::oldestAsked);
    m_time = menu->addAction(theme::icon(u"clock"_s), tr("A time\u2026"));
    connect(m_time, &QAction::triggered, this, &WindowBar::askForTime);
    connect(menu->addAction(theme::icon(u"outbox"_s), tr("An id\u2026")), &QAction::triggered, this,
            &WindowBar::askForId);
    m_goTo->setMenu(menu);
    m_goTo->setPopupMode(QToolButton::InstantPopup);
    m_goTo->setToolTip(tr("Shows another part of the table"));
    auto *row = boxOn<QHBoxLayout>(this, 6);
    addWidgets(row, {m_where, m_goTo});
}

void WindowBar::say(const QString &where)
{
    m_where->setText(where);
}

void WindowBar::setTimed(bool timed)
{
    m_time->setEnabled(timed);
    m_time->setToolTip(timed ? QString() : tr("This shape has no time column"));
}

void WindowBar::askForTime()
{
    auto *field = new QDateTimeEdit(QDateTime::currentDateTime());
    field->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
    field->setCalendarPopup(true);
    QDialog *dialog = fieldDialog(
        this, u"goToTime"_s,
        m_isNewestFirst ? tr("Rows created at or before") : tr("Rows created at or after"), field);
    connect(dialog, &QDialog::accepted, this,
            [this, field] { emit timeAsked(field->dateTime().toUTC()); });
    dialog->open();
}

void WindowBar::askForId()
{
    auto *field = new QLineEdit;
    field->setFont(theme::fixedFont(field->font()));
    field->setMaxLength(512);
    field->setMinimumWidth(field->fontMetrics().averageCharWidth() * 40);
    QDialog *dialog = fieldDialog(this, u"goToId"_s, tr("Message id"), field);
    connect(dialog, &QDialog::accepted, this, [this, field] {
        if (const QString id = field->text().trimmed(); !id.isEmpty())
            emit idAsked(id);
    });
    dialog->open();
}

namespace {

constexpr int steps = 1000;

} // namespace

/// Where in time the rows on screen stand between the first and the last of a table of any size;
/// moved, it asks for another time.
class TimelineBar : public QSlider
{
    Q_OBJECT

public:
    explicit TimelineBar(const QString &name, QWidget *parent = nullptr);

    /// The times at its top and at its bottom. Hidden unless both are there and apart.
    void setSpan(const QDateTime &first, const QDateTime &last)
    {
        m_first = first;
        m_last = last;
        setVisible(first.isValid() && last.isValid() && first != last);
        if (isVisible())
            setToolTip(tr("From %1 down to %2").arg(exactTime(first), exactTime(last)));
    }

    /// The time of the row at the top of the screen.
    void setHere(const QDateTime &time)
    {
        if (!isVisibleTo(parentWidget()) || isSliderDown() || !time.isValid())
            return;
        const auto span = static_cast<double>(m_first.msecsTo(m_last));
        const auto behind = static_cast<double>(m_first.msecsTo(time));
        const QSignalBlocker quiet(this);
        setValue(static_cast<int>(std::clamp(behind / span, 0.0, 1.0) * steps));
        setAccessibleDescription(exactTime(time));
    }

signals:
    void timeAsked(const QDateTime &time);

private:
    [[nodiscard]] QDateTime timeAt(int value) const
    {
        return m_first.addMSecs(m_first.msecsTo(m_last) * value / steps);
    }

    QDateTime m_first;
    QDateTime m_last;
};

TimelineBar::TimelineBar(const QString &name, QWidget *parent) : QSlider(Qt::Vertical, parent)
{
    setNames(this, name, tr("Position in time"));
    setRange(0, steps);
    setInvertedAppearance(true); // the first are on top, as in the table
    setInvertedControls(true);
    setPageStep(steps / 20);
    setTracking(false);
    hide();
    connect(this, &QSlider::sliderMoved, this, [this](int value) {
        QToolTip::showText(QCursor::pos(), exactTime(timeAt(value)), this);
    });
    connect(this, &QSlider::valueChanged, this,
            [this](int value) { emit timeAsked(timeAt(value)); });
}

RowsPane::RowsPane(QWidget *parent)
    : QWidget(parent), m_model(new OutboxModel(PayloadMasks::none(), this)),
      m_table(makeRowsTable(m_model)), m_newRows(new NoticeBar(u"outboxNewRows"_s)),
      m_timeline(new TimelineBar(u"outboxTimeline"_s)), m_bar(new WindowBar(u"outboxWindow"_s))
{
    auto *rows = boxOn<QHBoxLayout>(nullptr, 2);
    rows->addWidget(m_table, 1);
    rows->addWidget(m_timeline);
    auto *column = boxOn<QVBoxLayout>(this, 6);
    column->addWidget(m_newRows);
    column->addLayout(rows, 1);
    connect(m_newRows, &NoticeBar::actionAsked, this, &RowsPane::showNewRows);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &RowsPane::slide);
    connect(m_timeline, &TimelineBar::timeAsked, this, &RowsPane::goToTime);
    connect(m_bar, &WindowBar::timeAsked, this, &RowsPane::goToTime);
    connect(m_bar, &WindowBar::newestAsked, this, &RowsPane::goToNewest);
    connect(m_bar, &WindowBar::oldestAsked, this, &RowsPane::goToOldest);
    connect(m_bar, &WindowBar::idAsked, this, [this](const QString &id) {
        seek(Aim::Row, RowWindow::seekId(m_base, MessageId{id}));
    });
}

QWidget *RowsPane::bar() const
{
    return m_bar;
}

void RowsPane::setBase(const PageRequest &base)
{
    m_base = base;
    m_bar->setNewestFirst(base.newestFirst);
    m_window.restart();
    m_spanKnown = false;
    m_timeline->setSpan({}, {});
    m_bar->setCounted({});
    ask(Landing::Top);
}

void RowsPane::setCounted(const QString &count)
{
    if (m_bar->counted() == count)
        return;
    m_bar->setCounted(count);
    tellPlace();
}

void RowsPane::ask()
{
    ask(isAwaiting() ? m_landing : Landing::Top);
}

void RowsPane::ask(Landing landing)
{
    m_landing = landing;
    if (m_sought && m_aim == Aim::Span)
        m_spanKnown = false; // asked again when nothing else is to do
    m_sought.reset();
    m_newRows->clear();
    emit rowsAsked(request());
}

void RowsPane::seek(Aim aim, const PageRequest &request)
{
    m_sought = request;
    m_aim = aim;
    emit seekAsked(request);
}

void RowsPane::goToTime(const QDateTime &time)
{
    const auto now = QDateTime::currentDateTimeUtc();
    const double seconds = static_cast<double>(time.msecsTo(now)) / 1000;
    seek(Aim::Row, RowWindow::seekAge(m_base, std::max(0.0, seconds)));
}

void RowsPane::goToEnd(bool isTop)
{
    if (!isTop)
        return seek(Aim::Last, RowWindow::seekLast(m_base));
    m_window.restart();
    ask(Landing::Top);
}

void RowsPane::showSpan(const std::optional<QDateTime> &first, const std::optional<QDateTime> &last)
{
    const QDateTime top = first.value_or(QDateTime());
    const QDateTime bottom = last.value_or(QDateTime());
    const bool isInOrder = m_base.newestFirst ? bottom < top : top < bottom;
    m_timeline->setSpan(isInOrder ? top : QDateTime(), isInOrder ? bottom : QDateTime());
}

bool RowsPane::setPage(const OutboxPageView &answer)
{
    // Paused rows stay, but what the queue says of these very rows may come after them, and what a
    // search finds a person asked for.
    const bool isWanted = m_live || isAwaiting() || answer.page.reach == FilterReach::Scan;
    if (answer.request != request() || (!isWanted && answer.page != m_answer.page))
        return false;
    m_answer = answer;
    m_window.arrived(answer.page);
    QList<OutboxRow> rows = OutboxModel::joined(answer);
    // Rows that came on top wait while somebody reads further down; whoever asked sees all at once.
    const bool reading = !isAwaiting() && !m_table->isAtTop() && m_window.isAtStart();
    const qsizetype held = reading ? newOnTop(*m_model, rows) : 0;
    if (held > 0 && held < rows.size()) {
        rows = rows.mid(held);
        m_newRows->say(NoticeBar::Tone::Info, counted(held, tr("1 new row"), tr("%1 new rows")),
                       tr("Show"));
    } else {
        m_newRows->clear();
    }
    {
        const QScopedValueRollback<bool> merging(m_merging, true);
        const LiveTable::KeepPlace keep(*m_table,
                                        m_window.isAtStart() && m_landing != Landing::Stay
                                            ? LiveTable::Top::Follows
                                            : LiveTable::Top::Stays);
        m_model->merge(rows);
    }
    land(std::exchange(m_landing, Landing::None));
    slide(); // whoever scrolled on meanwhile was not heard
    if (!m_spanKnown && !m_sought && !isSearch() && !m_window.isAtEnd() && m_window.isAtStart()
        && !m_answer.page.rows.isEmpty() && m_answer.page.rows.constFirst().created) {
        m_spanKnown = true;
        PageRequest last = RowWindow::seekLast(m_base);
        last.limit = 1;
        seek(Aim::Span, last);
    }
    return true;
}

void RowsPane::land(Landing landing)
{
    const QScopedValueRollback<bool> merging(m_merging, true);
    switch (landing) {
    case Landing::Top:
        return m_table->scrollToTop();
    case Landing::Bottom:
        return m_table->scrollToBottom();
    case Landing::Row:
        if (const int row = m_model->rowOf(m_wanted); row >= 0) {
            m_table->selectRow(row);
            m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtCenter);
        }
        return;
    case Landing::None:
    case Landing::Stay:
        return;
    }
}

void RowsPane::setSought(const PageRequest &request, const Result<MessagePage> &found)
{
    if (m_sought != request)
        return;
    const Aim aim = m_aim;
    m_sought.reset();
    if (!found)
        return void(aim == Aim::Span || (emit notFound(oneLine(found.error())), true));
    switch (aim) {
    case Aim::Up:
        m_window.begin(*found, true);
        return ask(Landing::Stay);
    case Aim::Last:
        m_window.begin(*found, false);
        return ask(Landing::Bottom);
    case Aim::Row:
        if (found->rows.isEmpty())
            return emit notFound(!request.ids.isEmpty() ? tr("No row of this filter has this id.")
                                     : request.newestFirst ? tr("No row is that old.")
                                                           : tr("No row is that new."));
        m_wanted = found->rows.constFirst().id;
        return seek(Aim::Around, RowWindow::seekAround(m_base, *found));
    case Aim::Around:
        m_window.begin(*found, false);
        return ask(Landing::Row);
    case Aim::Span:
        if (!found->rows.isEmpty() && !m_answer.page.rows.isEmpty()) {
            showSpan(m_answer.page.rows.constFirst().created, found->rows.constFirst().created);
        }
        return tellPlace();
    }
}

void RowsPane::slide()
{
    if (m_merging)
        return;
    tellPlace();
    // A search costs more than a page: it goes on when a person says so.
    if (isAwaiting() || (m_sought && m_aim != Aim::Span) || isSearch()
        || !m_table->isVisible()) // which has no lower end yet
        return;
    const QScrollBar *bar = m_table->verticalScrollBar();
    // Of rows that the queue was asked about few may be left, and these cost no newer ones.
    const bool isThin = bar->maximum() == 0 && m_answer.page.reach == FilterReach::Queue;
    if (isThin && m_window.isFull())
        return;
    if (bar->value() > bar->maximum() - bar->pageStep()) {
        if (m_window.goDown())
            ask(Landing::Stay);
    } else if (bar->value() < bar->pageStep() && !m_window.isAtStart()) {
        seek(Aim::Up, m_window.seekUp(m_base));
    }
}

void RowsPane::tellPlace()
{
    QString where = isSearch() ? QString() : rangeText(m_model->rows(), m_window.above());
    // Until the first page of a filter is there, the rows are those of the one before.
    if (!where.isEmpty() && !m_base.filter.isEmpty() && m_answer.request.filter == m_base.filter) {
        const qint64 known = m_window.above().value_or(0) + m_answer.page.rows.size();
        const bool isAll = !isAwaiting() && m_window.isAtStart() && m_answer.page.next.isEmpty()
            && m_answer.page.undecided == 0;
        where += u", "_s + matchText(known, isAll, m_bar->counted());
    }
    if (!where.isEmpty() && m_answer.at.isValid()) // seldomer asked for than the counts
        where += u' ' + asOfText(m_answer.at);
    m_bar->say(where);
    const int top = m_table->rowAt(0);
    if (top < 0)
        return;
    const auto created = m_model->row(top).message.created;
    m_bar->setTimed(created.has_value());
    m_timeline->setHere(created.value_or(QDateTime()));
}

QList<Message> RowsPane::answered() const
{
    QList<Message> rows;
    for (const OutboxRow &row : m_model->rows()) {
        if (!isAwaiting()) // else they answer another question
            rows += row.message;
    }
    return rows;
}

void RowsPane::showNewRows()
{
    m_newRows->clear();
    const QScopedValueRollback<bool> merging(m_merging, true);
    m_table->scrollToTop();
    const LiveTable::KeepPlace keep(*m_table);
    m_model->merge(OutboxModel::joined(m_answer));
}

void RowsPane::clear()
{
    m_window.restart();
    m_sought.reset();
    m_answer = {};
    m_bar->say({});
    m_timeline->setSpan({}, {});
    const QScopedValueRollback<bool> merging(m_merging, true);
    const LiveTable::KeepPlace keep(*m_table);
    m_model->merge({});
}

} // namespace outbox

#include "rowspane.moc"
