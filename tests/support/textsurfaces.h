// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every place of a window where a text is shown, and what is wrong with the text in it.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace outbox {

struct TextSurface
{
    enum class Kind {
        Plain, ///< drawn as it is
        Guessed, ///< Qt looks whether it is rich: tooltips, What's This
        Label, ///< by its text format
        Rich, ///< a document
        Mnemonic, ///< an & marks the next letter
        Edited, ///< a field: what a person edits is not changed
    };
    Kind kind = Kind::Plain;
    QString where; ///< class, name and property
    QString text;
    Qt::TextFormat format = Qt::AutoText; ///< of a Label
};

/// All of `root`, hidden ones too: labels, buttons, fields, tips, menus, every role of every cell
/// and header of item models, and the items of scenes.
[[nodiscard]] QList<TextSurface> textSurfaces(QWidget *root);

/// Empty where the text is shown as a text: no markup is obeyed, nothing invisible is left in it,
/// no & is swallowed.
[[nodiscard]] QString faultOf(const TextSurface &surface);

} // namespace outbox
