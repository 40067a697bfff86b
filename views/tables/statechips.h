// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One toggle for each state, with its count: what is there, and what is shown of it.
#pragma once

#include "models/system/exactcount.h"
#include "models/system/snapshots.h"

#include <QHash>
#include <QStringList>
#include <QVariant>
#include <QWidget>

#include <optional>

class QHBoxLayout;

namespace outbox {

class StateChip;
class TabPlace;

class StateChips : public QWidget
{
    Q_OBJECT

public:
    /// Any number of chips may be on, or exactly one. A click on one of several turns the others
    /// off; with Ctrl it leaves them as they are.
    enum class Choice { Several, One };

    explicit StateChips(const QString &name, Choice choice, QWidget *parent = nullptr);

    /// A chip for a MessageState, TaskState or Outcome, known by the state's word; `text` instead
    /// of the words of its look.
    template <typename State> void add(State state, const QString &text = {})
    {
        addChip(word(state), QVariant::fromValue(state), text);
    }
    /// Takes all chips away.
    void clear();
    /// An empty `count` shows the word alone; `tip` is plain text (why it is missing or not exact).
    void setCount(const QString &word, const QString &count, const QString &tip = {});
    void setChosen(const QStringList &words);
    [[nodiscard]] QStringList chosen() const;

signals:
    /// By a person only; the words in the order of the chips.
    void chosenChanged(const QStringList &words);
    /// A menu was asked for on a chip, here on the screen.
    void menuAsked(const QString &word, const QPoint &where);

private:
    void addChip(const QString &word, const QVariant &state, const QString &text);
    void chipClicked(StateChip *chip);

    Choice m_choice;
    TabPlace *m_place;
    QHBoxLayout *m_row;
    QList<StateChip *> m_chips;
};

/// A count that is not known shows no number and says why; one that is not exact shows "~".
/// The last whole count stands in the tooltips.
void showCounts(StateChips &chips, const OutboxSnapshot &counts,
                const std::optional<ExactCount> &counted = {});

} // namespace outbox
