// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows that fit on the screen, also with large letters: what has no room is scrolled to.
#pragma once

#include <QScrollArea>
#include <QSize>

class QDialog;

namespace outbox {

class TabPlace;

/// Holds one page. The page has all the room there is, and never less than its layout needs: then
/// it is scrolled. By keys one gets everywhere, too: what gets the focus comes into view.
class ScrolledPage : public QScrollArea
{
    Q_OBJECT

public:
    /// Wants little: the window says how large it is. Or as much as its page, as far as the screen
    /// has it.
    enum class Wants { Little, AsItsPage };

    /// `spoken` is the accessible name of the area.
    ScrolledPage(const QString &spoken, Wants wants, QWidget *parent = nullptr);

    /// Shows another page; answers the one before, hidden and without a parent, or nullptr.
    QWidget *replacePage(QWidget *page);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void fit();
    /// A dialog whose page says more than before is made larger, as far as the screen has room.
    void grow();

    Wants m_wants;
    TabPlace *m_place;
};

/// The largest size that a window can have on the screen it is on, in device-independent pixels: a
/// frame round it has room, too.
[[nodiscard]] QSize screenRoom(const QWidget *window);

/// Puts all that a dialog holds into a ScrolledPage: the dialog never needs more than the screen
/// has. `opensWith`, where it is not empty, is its first size. For the end of a constructor.
void keepOnScreen(QDialog *dialog, const QSize &opensWith = {});

} // namespace outbox
