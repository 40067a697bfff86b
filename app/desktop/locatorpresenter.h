// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the line that finds things to what there is to be found, and opens what was chosen.
#pragma once

#include "app/settings/profilestore.h"
#include "models/filter/savedfilters.h"
#include "models/system/locator.h"
#include "models/system/windowlink.h"

#include <QAction>
#include <QObject>
#include <QPointer>

#include <optional>

namespace outbox {

class FilterPresenter;
struct Pages;

/// Lives in the GUI thread, and goes on while one system after another is opened. It asks no server
/// before something is chosen: then the page does, as if a person had gone there.
class LocatorPresenter : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive the presenter.
    LocatorPresenter(const Pages &pages, const FilterPresenter &filters,
                     const ProfileStore &profiles, QObject *parent = nullptr);

    /// Another system is open; what was found of the one before is gone.
    void show(const Profile &profile);
    /// Opens what the link names, as far as it can: a filter that is wrong stands in its bar.
    /// Errors: Invalid, for what cannot be opened.
    [[nodiscard]] Result<void> openLink(const WindowLink &link);

signals:
    /// This saved system is to be opened.
    void profileAsked(const QString &name);

private:
    /// What is there now: the numbers of its entries hold until the next call.
    [[nodiscard]] LocatorOffer offered();
    void addPages(LocatorOffer &offer) const;
    void addActions(LocatorOffer &offer, const QString &menu, const QList<QAction *> &actions);
    void addFilters(LocatorOffer &offer);
    void addProfiles(LocatorOffer &offer) const;
    [[nodiscard]] bool isLeftOut(const QAction *action) const;
    /// Of filters typed now: the page in front where it takes some, else that of rows.
    [[nodiscard]] std::optional<FilterSubject> subjectInFront() const;
    [[nodiscard]] bool hasRows() const { return m_open && !m_open->design; }
    void find(const QString &typed);
    void open(const LocatorEntry &entry);
    void openId(const QString &id);
    [[nodiscard]] Result<void> openOn(int page, const WindowLink &link);
    void openFilter(FilterSubject subject, const QString &text);

    const Pages &m_pages;
    const FilterPresenter &m_filters;
    const ProfileStore &m_profiles;
    std::optional<Profile> m_open; ///< none before the first system
    QList<QPointer<QAction>> m_actions; ///< by the numbers of the entries
    QList<SavedFilter> m_saved; ///< the same
};

} // namespace outbox
