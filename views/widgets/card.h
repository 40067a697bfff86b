// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A quiet panel with a title: base colour, hairline, round corners.
#pragma once

#include <QFrame>

class QBoxLayout;
class QLabel;

namespace outbox {

inline constexpr qreal cardCorner = 8; ///< radius of the corners of a panel

class Card : public QFrame
{
    Q_OBJECT

public:
    /// `title` may be empty.
    explicit Card(const QString &title, QWidget *parent = nullptr);

    /// Where the content goes, below the title.
    [[nodiscard]] QBoxLayout *body() const { return m_body; }
    /// A secondary text at the right of the title.
    void setNote(const QString &note);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QBoxLayout *m_body;
    QLabel *m_note;
};

/// A label that never takes text for markup; `secondary` is grey.
[[nodiscard]] QLabel *plainLabel(const QString &text, bool secondary = false,
                                 QWidget *parent = nullptr);
/// Its text goes on in the next line; a word that is too long for one is cut.
void wrapLines(QLabel *label);
/// The title of a panel or a form group.
[[nodiscard]] QLabel *titleLabel(const QString &text, QWidget *parent = nullptr);

} // namespace outbox
