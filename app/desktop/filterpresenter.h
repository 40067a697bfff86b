// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the menus of saved filters, of rows and of tasks, to the file that keeps them.
#pragma once

#include "app/settings/filterstore.h"

#include <QObject>

namespace outbox {

class FilterBar;
struct Pages;

/// Lives in the GUI thread.
class FilterPresenter : public QObject
{
    Q_OBJECT

public:
    /// `pages` outlive the presenter.
    FilterPresenter(const Pages &pages, const QString &file, QObject *parent = nullptr);

    /// Another system is open: filters of its kind of profile are offered.
    void show(Environment environment);
    /// Those that are saved for this system, of rows and of tasks, as they were read last.
    [[nodiscard]] QList<SavedFilter> offered() const;

private:
    [[nodiscard]] QList<FilterBar *> bars() const;
    void take(const Result<QList<SavedFilter>> &filters);
    void importFrom(const QString &path);
    void askForImport();
    void askForExport();

    const Pages &m_pages;
    QString m_file;
    Environment m_environment = Environment::Unsaid;
    QList<SavedFilter> m_kept; ///< all of them, as they were read last
};

} // namespace outbox
