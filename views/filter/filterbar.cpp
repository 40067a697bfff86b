// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter/filterbar.h"

#include "models/filter/checks.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/message/message.h"
#include "models/plaintext.h"
#include "views/filter/savedfilterbutton.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAbstractItemView>
#include <QAction>
#include <QBoxLayout>
#include <QCompleter>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QObject>
#include <QStandardItemModel>
#include <QString>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The list that opens under a filter while it is typed: fields, then their values.
class FilterCompleter : public QObject
{
    Q_OBJECT

public:
    /// Lives with `line`, which it writes into.
    FilterCompleter(QLineEdit *line, FilterSubject subject)
        : QObject(line), m_line(line), m_subject(subject), m_model(new QStandardItemModel(this)),
          m_completer(new QCompleter(m_model, this))
    {
        m_completer->setWidget(line);
        m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
        setNames(m_completer->popup(), line->objectName() + u"Suggestions"_s,
                 tr("Suggestions for the filter"));
        m_completer->popup()->setFont(theme::fixedFont(line->font()));
        m_completer->popup()->installEventFilter(this);
        connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
                &FilterCompleter::take);
    }

    void setKnown(const FilterWords &known) { m_known = known; }
    /// Opens the list where the cursor stands, or closes it where there is nothing to say.
    void suggest();
    void close() { m_completer->popup()->hide(); }

    /// Whether a person chose a line of the list: then Enter takes it. The first line is current
    /// as soon as the list opens, without being selected.
    [[nodiscard]] bool isChoosing() const
    {
        return m_completer->popup()->isVisible()
            && m_completer->popup()->selectionModel()->hasSelection();
    }

signals:
    /// A suggestion was written into the line.
    void taken(const QString &text);

protected:
    /// A window hears none of its keys while a list is open over it: one with Ctrl or Alt closes
    /// it.
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::ShortcutOverride
            && static_cast<QKeyEvent *>(event)->modifiers().testAnyFlags(Qt::ControlModifier
                                                                         | Qt::AltModifier))
            close();
        return QObject::eventFilter(watched, event);
    }

private:
    void take(const QModelIndex &index)
    {
        if (!m_completer->popup()->selectionModel()->hasSelection())
            return; // Enter names the current line, too, which nobody chose
        const FilterSuggestion chosen = m_shown.value(index.row());
        QString text = m_line->text();
        if (chosen.text.isEmpty() || chosen.from + chosen.length > text.size())
            return;
        text.replace(chosen.from, chosen.length, chosen.text);
        m_line->setText(text);
        m_line->setCursorPosition(chosen.from + static_cast<int>(chosen.text.size()));
        emit taken(text);
    }

    QLineEdit *m_line;
    FilterSubject m_subject;
    FilterWords m_known;
    QList<FilterSuggestion> m_shown;
    QStandardItemModel *m_model;
    QCompleter *m_completer;
};

void FilterCompleter::suggest()
{
    m_shown = suggestionsFor(m_line->text(), m_line->cursorPosition(), m_subject, m_known);
    if (m_shown.isEmpty())
        return close();
    qsizetype widest = 0;
    for (const FilterSuggestion &one : std::as_const(m_shown))
        widest = std::max(widest, one.text.size());
    widest = std::min<qsizetype>(widest, 40);
    m_model->clear();
    for (const FilterSuggestion &one : std::as_const(m_shown)) {
        const QString text = shownText(one.text);
        auto *item = new QStandardItem(
            one.about.isEmpty() ? text
                                : QString(text.leftJustified(widest) + u"   "_s + one.about));
        item->setData(one.about.isEmpty() ? text : QString(text + u", "_s + one.about),
                      Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_completer->popup()->setPalette(m_line->palette()); // it has no parent to take one from
    const QFontMetrics metrics(m_line->font());
    const QRect cursor = m_line->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    const int typed = metrics.horizontalAdvance(
        m_line->text().mid(m_shown.first().from, m_shown.first().length));
    const int wide = std::clamp(m_completer->popup()->sizeHintForColumn(0) + 32, 220, 560);
    m_completer->complete(
        QRect(std::max(0, cursor.x() - typed - 4), m_line->height() + 2, wide, 1));
}

namespace {

/// Who finds what a filter asks for, in words.
struct ReachWords
{
    QString who; ///< "SQL", "scan"
    QString why; ///< a sentence
};

ReachWords wordsOf(FilterReach reach, FilterSubject subject)
{
    if (subject == FilterSubject::Tasks) {
        if (reach == FilterReach::Scan) {
            return {FilterBar::tr("scan"),
                    FilterBar::tr("The tasks are read and searched page by page: a queue finds "
                                  "them by their state alone.")};
        }
        return {FilterBar::tr("queue"), FilterBar::tr("The queue lists these tasks by itself.")};
    }
    switch (reach) {
    case FilterReach::Queue:
        return {
            FilterBar::tr("SQL + queue"),
            FilterBar::tr("The database lists the rows; the queue is asked for each of a page.")};
    case FilterReach::Scan:
        return {FilterBar::tr("scan"),
                FilterBar::tr(
                    "The newest rows are read and searched: there is no quicker way to these.")};
    case FilterReach::Sql:
        break;
    }
    return {FilterBar::tr("SQL"), FilterBar::tr("The database finds these rows by itself.")};
}

/// As far as the filter alone tells.
FilterReach reachOf(const CheckNode &checks, FilterSubject subject)
{
    return subject == FilterSubject::Tasks ? taskReachOf(checks) : reachOf(checks);
}

} // namespace

FilterBar::FilterBar(const QString &name, const QString &example, FilterSubject subject,
                     QWidget *parent)
    : QWidget(parent), m_subject(subject), m_line(new QLineEdit), m_clear(nullptr),
      m_strip(new QWidget), m_arrow(new QLabel(u"\u2191"_s)), m_fault(new QLabel),
      m_reach(new QLabel), m_saved(new SavedFilterButton(name + u"Saved"_s, subject)),
      m_completer(nullptr)
{
    setObjectName(name);
    build(name, example);
    m_completer = new FilterCompleter(m_line, subject);
    connect(m_line, &QLineEdit::returnPressed, this, [this] {
        if (!m_completer->isChoosing()) // else Enter takes the suggestion
            apply(m_line->text());
    });
    connect(m_line, &QLineEdit::textEdited, this, [this] {
        read();
        m_completer->suggest();
    });
    connect(m_completer, &FilterCompleter::taken, this, [this] {
        read();
        m_completer->suggest();
    });
    connect(m_line, &QLineEdit::textChanged, this, &FilterBar::showEmptiness);
    connect(m_clear, &QAction::triggered, this, [this] {
        apply({}); // an empty line cannot be wrong
        m_line->setFocus(Qt::OtherFocusReason);
    });
    connect(m_saved, &SavedFilterButton::chosen, this, &FilterBar::apply);
    read();
}

void FilterBar::build(const QString &name, const QString &example)
{
    setNames(m_line, name + u"Line"_s, tr("Filter"));
    m_line->setPlaceholderText(tr("Filter, e.g. %1").arg(example));
    // One more than may be, to be told so; a line is laid out whole, whatever its length.
    m_line->setMaxLength(static_cast<int>(Filter::mostCharacters) + 1);
    m_line->setFont(theme::fixedFont(font()));
    m_line->addAction(theme::icon(u"filter"_s), QLineEdit::LeadingPosition);
    m_clear = m_line->addAction(theme::icon(u"close"_s), QLineEdit::TrailingPosition);
    m_clear->setObjectName(name + u"Clear"_s);
    m_clear->setText(tr("Clear filter"));
    showEmptiness();
    m_line->installEventFilter(this);
    m_strip->setObjectName(name + u"Strip"_s);
    m_strip->setFixedHeight(2);
    m_strip->setAutoFillBackground(true);
    m_fault->setObjectName(name + u"Fault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    m_arrow->hide();
    m_reach->setObjectName(name + u"Reach"_s);
    m_reach->setTextFormat(Qt::PlainText);
    m_reach->hide();
    m_saved->hide();
    auto *under = new QHBoxLayout;
    under->setContentsMargins(4, 0, 4, 0);
    under->addWidget(m_strip);
    auto *line = boxOn<QVBoxLayout>(nullptr, 0);
    line->addWidget(m_line);
    line->addLayout(under);
    auto *top = boxOn<QHBoxLayout>(nullptr, 8);
    top->addLayout(line, 1);
    addWidgets(top, {m_reach, m_saved});
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addLayout(top);
    addWidgets(column, {m_arrow, m_fault});
}

/// An example must not look like a filter, and what is empty needs no button that clears it.
void FilterBar::showEmptiness()
{
    const bool isEmpty = m_line->text().isEmpty();
    m_clear->setVisible(!isEmpty || !m_applied.isEmpty());
    if (m_line->font().italic() == isEmpty)
        return;
    QFont words = m_line->font();
    words.setItalic(isEmpty);
    m_line->setFont(words);
}

QString FilterBar::text() const
{
    return m_line->text();
}

void FilterBar::apply(const QString &text)
{
    if (m_line->text() != text)
        m_line->setText(text);
    m_completer->close();
    read();
    if (m_reading.status != FilterStatus::Complete)
        return;
    m_applied = text;
    showEmptiness();
    m_saved->setCurrent(text.trimmed());
    read();
    emit applied(text);
}

void FilterBar::restore()
{
    m_line->setText(m_applied);
    m_completer->close();
    read();
}

void FilterBar::focusLine()
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void FilterBar::setKnown(const FilterWords &known)
{
    m_completer->setKnown(known);
}

void FilterBar::setSaved(const QList<SavedFilter> &filters, Environment environment)
{
    m_saved->setFilters(filters, environment);
    m_saved->show();
}

void FilterBar::setReach(FilterReach reach)
{
    if (m_line->text() == m_applied)
        sayReach(reach);
}

void FilterBar::sayReach(FilterReach reach)
{
    const bool isOpen = m_line->text() != m_applied;
    const ReachWords words = wordsOf(reach, m_subject);
    m_reach->setText(isOpen ? tr("%1, Enter applies").arg(words.who) : words.who);
    m_reach->setToolTip(words.why);
    m_reach->setAccessibleName(tr("Found by: %1").arg(m_reach->text()));
    m_reach->setVisible(m_subject != FilterSubject::Activities
                        && !m_line->text().trimmed().isEmpty());
}

/// Reads what stands there and says it by colour, place and words.
void FilterBar::read()
{
    m_reading = readFilter(m_line->text(), m_subject, QDateTime::currentDateTime());
    const bool isEmpty = m_line->text().trimmed().isEmpty();
    const bool isRight = m_reading.status == FilterStatus::Complete;
    const HealthLevel level = isRight                  ? HealthLevel::Ok
        : m_reading.status == FilterStatus::Incomplete ? HealthLevel::Watch
                                                       : HealthLevel::Broken;
    const QColor color = theme::appearance(level).color;
    QPalette strip;
    strip.setColor(QPalette::Window, isEmpty ? QColor(Qt::transparent) : color);
    m_strip->setPalette(strip);
    QPalette words;
    words.setColor(QPalette::WindowText, color);
    m_fault->setPalette(words);
    m_arrow->setPalette(words);
    m_arrow->hide();
    m_fault->setVisible(!isRight);
    if (isRight) {
        sayReach(reachOf(m_reading.checks, m_subject));
        m_line->setAccessibleDescription({});
        return;
    }
    m_reach->hide();
    const Error &fault = *m_reading.fault;
    const QString text = fault.hint.isEmpty() ? fault.text : fault.text + u". "_s + fault.hint;
    m_sentence = shownText(text);
    m_line->setAccessibleDescription(m_sentence);
    placeFault();
}

/// Puts an arrow under the character that the sentence speaks of, and the sentence beside it, on
/// the side where it has room; below where neither has.
void FilterBar::placeFault()
{
    const QFontMetrics metrics(m_line->font());
    const QString text = m_line->text();
    if (metrics.horizontalAdvance(text) > m_line->width() / 2)
        m_line->repaint(); // it scrolls when it is painted, and then the cursor tells how far
    const int cursor = m_line->inputMethodQuery(Qt::ImCursorRectangle).toRect().center().x();
    const int start = cursor - metrics.horizontalAdvance(text.left(m_line->cursorPosition()));
    const int at = std::max(0, m_reading.fault->position);
    const QFontMetrics words(m_fault->font());
    const int arrow = words.horizontalAdvance(u'\u2191');
    const int letter = metrics.horizontalAdvance(at < text.size() ? text.at(at) : u' ');
    const int place
        = std::clamp(start + metrics.horizontalAdvance(text.left(at)) + (letter - arrow) / 2, 2,
                     std::max(2, m_line->width() - arrow));
    const int wide = words.horizontalAdvance(m_sentence + u"  "_s);
    const bool isRight = place + arrow + wide <= width();
    const bool isBelow = !isRight && wide > place;
    m_arrow->setVisible(isBelow);
    m_arrow->setIndent(place);
    m_fault->setWordWrap(isBelow);
    m_fault->setText(isBelow       ? m_sentence
                         : isRight ? QString(u"\u2191 "_s + m_sentence)
                                   : QString(m_sentence + u" \u2191"_s));
    m_fault->setIndent(isRight       ? place
                           : isBelow ? 4
                                     : place + arrow - words.horizontalAdvance(m_fault->text()));
}

bool FilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && m_line->text() != m_applied) {
            restore();
            return true;
        }
        if (key->key() == Qt::Key_Down) {
            m_completer->suggest();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (m_reading.fault)
        placeFault();
}

} // namespace outbox

#include "filterbar.moc"
