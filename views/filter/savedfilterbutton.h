// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The menu of saved filters at the end of a filter bar.
#pragma once

#include "models/filter/savedfilters.h"

#include <QPointer>
#include <QToolButton>

class QMenu;

namespace outbox {

class SavedFilterButton : public QToolButton
{
    Q_OBJECT

public:
    SavedFilterButton(const QString &name, FilterSubject subject, QWidget *parent = nullptr);

    /// Those for the subject of the bar that fit a profile of this kind are offered.
    void setFilters(const QList<SavedFilter> &filters, Environment environment);
    /// What "save" would keep; empty: there is nothing to save.
    void setCurrent(const QString &text) { m_current = text; }

signals:
    void chosen(const QString &text);
    void saveAsked(const outbox::SavedFilter &filter);
    void removeAsked(const outbox::SavedFilter &filter);
    void importAsked();
    void exportAsked();

private:
    void fill();
    void askName(const std::optional<Environment> &environment);

    const FilterSubject m_subject;
    QMenu *m_menu;
    QPointer<QMenu> m_remove;
    QList<SavedFilter> m_filters;
    Environment m_environment = Environment::Unsaid;
    QString m_current;
};

} // namespace outbox
