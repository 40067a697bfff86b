// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints a state as glyph and word in its colour.
#pragma once

#include "views/theme/theme.h"

#include <QStyledItemDelegate>

#include <optional>

namespace outbox {

/// For a column whose `stateRole` answers a MessageState, TaskState, HealthLevel, RelayState,
/// Outcome, or Activity::State in a QVariant. Where the role answers none of them the cell is
/// painted as text.
class StateDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// The words beside the glyph: the state's own, or the text of the cell in the state's colour.
    enum class Words { State, Cell };

    explicit StateDelegate(int stateRole, QObject *parent = nullptr);
    StateDelegate(int stateRole, Words words, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;

    /// The look of a state wrapped in a variant; nullopt for anything else.
    [[nodiscard]] static std::optional<Appearance> appearanceOf(const QVariant &state);
    /// How wide a cell must be for glyph and word of a state, in pixels; 0 for anything else.
    [[nodiscard]] static int widthOf(const QVariant &state, const QFontMetrics &metrics);

private:
    [[nodiscard]] static int widthOfWords(const QString &words, const QFontMetrics &metrics);

    int m_stateRole;
    Words m_words = Words::State;
};

} // namespace outbox
