// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/formfields.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAbstractItemView>
#include <QBoxLayout>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int aboutRole = Qt::UserRole + 1;

/// The name, and in grey what the column is and holds.
class ChoiceDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const int used = option.fontMetrics.horizontalAdvance(index.data().toString()) + 20;
        const QRect rest = option.rect.adjusted(used, 0, -8, 0);
        const QString about = index.data(aboutRole).toString();
        if (rest.width() < 24 || about.isEmpty())
            return;
        painter->save();
        painter->setPen(theme::inks().secondary);
        painter->drawText(rest, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                          option.fontMetrics.elidedText(about, Qt::ElideRight, rest.width()));
        painter->restore();
    }
};

} // namespace

ChoiceField::ChoiceField(const QString &name, const QString &spoken, QWidget *parent)
    : QComboBox(parent)
{
    setObjectName(name);
    setEditable(true);
    setInsertPolicy(NoInsert);
    setAccessibleName(spoken);
    setNames(lineEdit(), name + QStringLiteral("Text"), spoken);
    setMaxVisibleItems(16);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    setItemDelegate(new ChoiceDelegate(this));
    view()->setMinimumWidth(420);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    connect(this, &QComboBox::editTextChanged, this, &ChoiceField::take);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &ChoiceField::settle);
}

void ChoiceField::setChoices(const QList<NamedChoice> &choices, const QString &chosen)
{
    m_chosen = chosen;
    QString typed;
    if (choices != m_choices || count() == 0) {
        const QSignalBlocker quiet(this);
        m_choices = choices;
        typed = lineEdit()->hasFocus() ? currentText() : QString();
        clear();
        for (const NamedChoice &one : choices) {
            addItem(shownText(one.name), one.value);
            setItemData(count() - 1, shownText(one.about), aboutRole);
            setItemData(count() - 1, shownText(one.about), Qt::AccessibleDescriptionRole);
            setItemData(count() - 1, plainTooltip(one.about), Qt::ToolTipRole);
        }
        setEditText(typed);
    }
    if (!lineEdit()->hasFocus())
        settle();
    else if (!typed.isEmpty())
        take(typed); // it was typed before there was such a name
}

/// A whole name is a choice at once, so that no key has to follow it. What becomes another text by
/// further typing is none any more.
void ChoiceField::take(const QString &text)
{
    int at = findText(text.trimmed(), Qt::MatchExactly | Qt::MatchCaseSensitive);
    if (at < 0) // names may differ by their case alone
        at = findText(text.trimmed(), Qt::MatchFixedString);
    if (at < 0)
        return choose(m_before);
    choose(itemData(at).toString());
    if (!lineEdit()->hasFocus())
        m_before = m_chosen; // a screen reader sets a text; it types none
}

void ChoiceField::choose(const QString &value)
{
    if (value == m_chosen)
        return;
    m_chosen = value;
    emit valueChosen(value);
}

void ChoiceField::settle()
{
    const QSignalBlocker quiet(this);
    m_before = m_chosen;
    const int at = findData(m_chosen);
    setCurrentIndex(at);
    setEditText(at < 0 ? shownText(m_chosen) : itemText(at));
    lineEdit()->setCursorPosition(0);
}

/// The form behind it scrolls; a choice that changes unseen does not.
void ChoiceField::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

DurationEdit::DurationEdit(const QString &name, const QString &spoken, QWidget *parent)
    : QWidget(parent), m_number(new QSpinBox), m_unit(new QComboBox)
{
    setObjectName(name);
    setNames(m_number, name + u"Number"_s, spoken);
    m_number->setRange(0, 1'000'000);
    m_number->setMinimumWidth(90);
    setNames(m_unit, name + u"Unit"_s, tr("Unit of %1").arg(spoken));
    m_unit->addItem(tr("days"), 86400);
    m_unit->addItem(tr("hours"), 3600);
    m_unit->addItem(tr("minutes"), 60);
    m_unit->addItem(tr("seconds"), 1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    addWidgets(row, {m_number, m_unit});
    row->addStretch();
    connect(m_number, &QSpinBox::valueChanged, this, &DurationEdit::edited);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationEdit::edited);
}

void DurationEdit::setSeconds(qint64 seconds)
{
    const QSignalBlocker number(m_number);
    const QSignalBlocker unit(m_unit);
    int chosen = m_unit->count() - 1;
    for (int at = 0; at < m_unit->count(); ++at) {
        const qint64 length = m_unit->itemData(at).toLongLong();
        // A whole day reads better as 24 hours: that is how retention is spoken of.
        const qint64 least = length == 86400 ? 2 * length : length;
        if (seconds >= least && seconds % length == 0) {
            chosen = at;
            break;
        }
    }
    m_unit->setCurrentIndex(chosen);
    const qint64 count = seconds / m_unit->itemData(chosen).toLongLong();
    m_number->setValue(static_cast<int>(std::min<qint64>(count, m_number->maximum())));
}

qint64 DurationEdit::seconds() const
{
    return m_number->value() * m_unit->currentData().toLongLong();
}

} // namespace outbox
