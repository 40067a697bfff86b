// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Remembers which pages and filters were shown, and goes back and forward through them.
#pragma once

#include "models/system/placehistory.h"
#include "models/system/windowlink.h"

#include <QObject>
#include <QTimer>

namespace outbox {

struct Pages;

/// Lives in the GUI thread, and goes on while one system after another is opened. What is changed
/// at once, as a link changes page and filter, is one step.
class PlacesPresenter : public QObject
{
    Q_OBJECT

public:
    /// `pages` outlive the presenter.
    explicit PlacesPresenter(const Pages &pages, QObject *parent = nullptr);

    /// Another system is open, its messages in documents or in rows: nothing of the one before can
    /// be gone back to.
    void begin(bool hasDocuments);
    /// Takes over what is shown and which pages there are now; does so by itself when somebody goes
    /// to another place.
    void follow();
    /// Where the window is, for another window.
    [[nodiscard]] WindowLink link() const;

private:
    /// Where the window is; without what is chosen there.
    [[nodiscard]] WindowPlace here() const;
    [[nodiscard]] QString filterOn(int page) const;
    [[nodiscard]] QString chosenOn(int page) const;
    [[nodiscard]] bool isOffered(int page) const;
    void step(bool back);
    void show(const WindowPlace &place);
    void showRows(const WindowPlace &place);
    void showTasks(const WindowPlace &place);
    void tellSteps();

    const Pages &m_pages;
    PlaceHistory m_history;
    QTimer m_follow; ///< when all that is done at once is done
    bool m_hasDocuments = false;
};

} // namespace outbox
