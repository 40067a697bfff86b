// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/statechips.h"

#include "models/message/messagestate.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/tables/statedelegate.h"
#include "views/theme/spokentips.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/tabplace.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QDateTime>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSignalBlocker>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int chipGlyphSide = 14;
constexpr int chipInset = 10;
constexpr int chipGap = 6;

} // namespace

/// A pill with glyph, word and number. The colour says the same as the glyph and the word.
class StateChip : public QAbstractButton
{
public:
    StateChip(const QString &word, const QVariant &state, const QString &text)
        : m_word(word), m_state(state)
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setText(text.isEmpty() ? appearance().word : text);
    }

    [[nodiscard]] const QString &word() const { return m_word; }
    /// Whether Ctrl is held while it is switched.
    [[nodiscard]] bool isAdding() const { return m_isAdding; }
    [[nodiscard]] Appearance appearance() const
    {
        return StateDelegate::appearanceOf(m_state).value_or(Appearance());
    }

    void setCount(const QString &count)
    {
        if (m_count == count)
            return;
        m_count = count;
        updateGeometry();
        update();
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        int width
            = 2 * chipInset + chipGlyphSide + chipGap + fontMetrics().horizontalAdvance(text());
        if (!m_count.isEmpty())
            width += chipGap + QFontMetrics(countFont()).horizontalAdvance(m_count);
        return {width, fontMetrics().height() + 11};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        const QScopedValueRollback<bool> adding(m_isAdding, isWithCtrl(*event));
        QAbstractButton::mouseReleaseEvent(event);
    }
    void keyReleaseEvent(QKeyEvent *event) override
    {
        const QScopedValueRollback<bool> adding(m_isAdding, isWithCtrl(*event));
        QAbstractButton::keyReleaseEvent(event);
    }
    void paintEvent(QPaintEvent *) override
    {
        const Inks &ink = theme::inks();
        const Appearance shown = appearance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor edge = isChecked() ? shown.color : isEnabled() ? ink.outline : ink.border;
        theme::paintControl(&painter, rect(),
                            isChecked()        ? ink.selected
                                : underMouse() ? ink.hover
                                               : ink.base,
                            edge, hasFocus(), height() / 2.0 - 1);
        painter.drawPixmap(
            chipInset, (height() - chipGlyphSide) / 2,
            theme::glyph(shown.glyph, shown.color, chipGlyphSide, devicePixelRatioF()));
        QRect words = rect().adjusted(chipInset + chipGlyphSide + chipGap, 0, -chipInset, 0);
        painter.setPen(ink.text);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
        painter.setFont(countFont());
        painter.setPen(m_count == u"0"_s ? ink.secondary : shown.color);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_count);
    }

private:
    [[nodiscard]] static bool isWithCtrl(const QInputEvent &event)
    {
        return event.modifiers().testFlag(Qt::ControlModifier);
    }
    [[nodiscard]] QFont countFont() const
    {
        return theme::scaledFont(theme::numberFont(font()), 1, QFont::DemiBold);
    }

    QString m_word;
    QVariant m_state;
    QString m_count;
    bool m_isAdding = false;
};

StateChips::StateChips(const QString &name, Choice choice, QWidget *parent)
    : QWidget(parent), m_choice(choice), m_place(new TabPlace(this)), m_row(new QHBoxLayout(this))
{
    setObjectName(name);
    m_row->setContentsMargins({});
    m_row->setSpacing(6);
    m_row->addStretch();
    if (choice == Choice::Several)
        setToolTip(plainTooltip(tr("Ctrl+click shows several")));
}

void StateChips::clear()
{
    qDeleteAll(std::exchange(m_chips, {}));
}

void StateChips::addChip(const QString &word, const QVariant &state, const QString &text)
{
    auto *chip = new StateChip(word, state, text);
    setNames(chip, objectName() + u'-' + word, tr("State %1").arg(chip->text()));
    m_row->insertWidget(static_cast<int>(m_chips.size()), chip);
    m_chips.append(chip);
    m_place->gather();
    // not clicked: a screen reader switches it, it clicks nowhere
    connect(chip, &QAbstractButton::toggled, this, [this, chip] { chipClicked(chip); });
    chip->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chip, &QWidget::customContextMenuRequested, this, [this, chip](const QPoint &at) {
        emit menuAsked(chip->word(), chip->mapToGlobal(at));
    });
}

void StateChips::chipClicked(StateChip *chip)
{
    // A second click on the only one that is on shows everything again.
    const bool isLast = m_choice == Choice::Several && chosen().isEmpty();
    if (!isLast && (m_choice == Choice::One || !chip->isAdding()))
        setChosen({chip->word()});
    emit chosenChanged(chosen());
}

void StateChips::setCount(const QString &word, const QString &count, const QString &tip)
{
    for (StateChip *chip : std::as_const(m_chips)) {
        if (chip->word() != word)
            continue;
        chip->setCount(count);
        chip->setToolTip(plainTooltip(tip));
        theme::setSpoken(chip, count);
    }
}

void StateChips::setChosen(const QStringList &words)
{
    for (StateChip *chip : std::as_const(m_chips)) {
        const QSignalBlocker quiet(chip);
        chip->setChecked(words.contains(chip->word()));
    }
}

QStringList StateChips::chosen() const
{
    QStringList words;
    for (const StateChip *chip : m_chips) {
        if (chip->isChecked())
            words.append(chip->word());
    }
    return words;
}

void showCounts(StateChips &chips, const OutboxSnapshot &counts,
                const std::optional<ExactCount> &counted)
{
    const auto show = [&](MessageState state, const std::optional<qint64> &count) {
        const QString name = word(state);
        const QString note = counts.notes.value(name);
        QString tip = note;
        if (counted && (count || counted->rows.contains(state))) {
            tip += (tip.isEmpty() ? u""_s : u"\n"_s)
                + StateChips::tr("%1 at %2, counted one by one")
                      .arg(countText(counted->rows.value(state)),
                           momentText(counted->at, QDateTime::currentDateTimeUtc()));
        }
        QString text;
        if (count)
            text = countText(*count, counts.isExact(name));
        chips.setCount(name, text, tip);
    };
    show(MessageState::Pending, counts.pending);
    show(MessageState::Waiting, counts.waiting);
    show(MessageState::Locked, counts.locked);
    show(MessageState::Processed, counts.processed);
    show(MessageState::Failed, counts.failed);
    show(MessageState::Parked, counts.parked);
    show(MessageState::Unknown, counts.unknown);
}

} // namespace outbox
