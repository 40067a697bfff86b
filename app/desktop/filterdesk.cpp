// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/filterdesk.h"

#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "views/filterbar.h"
#include "views/mainwindow.h"
#include "views/messagebar.h"
#include "views/outboxview.h"
#include "views/savedfilterbutton.h"

#include <QFileDialog>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FilterDesk::FilterDesk(const Pages &pages, const QString &file, QObject *parent)
    : QObject(parent), m_pages(pages), m_store(file)
{
    const SavedFilterButton *menu = m_pages.outbox->filter()->saved();
    connect(menu, &SavedFilterButton::saveAsked, this,
            [this](const SavedFilter &filter) { take(m_store.save(filter)); });
    connect(menu, &SavedFilterButton::removeAsked, this,
            [this](const QString &name) { take(m_store.remove(name)); });
    connect(menu, &SavedFilterButton::importAsked, this, &FilterDesk::askForImport);
    connect(menu, &SavedFilterButton::exportAsked, this, &FilterDesk::askForExport);
}

void FilterDesk::show(Environment environment)
{
    m_environment = environment;
    take(m_store.load());
}

void FilterDesk::take(const Result<QList<SavedFilter>> &filters)
{
    if (filters)
        return m_pages.outbox->filter()->setSaved(*filters, m_environment);
    m_pages.window->messages()->add(
        {u"filters"_s, HealthLevel::Watch, oneLine(filters.error()), {}});
    m_pages.outbox->filter()->saved()->show();
}

void FilterDesk::importFrom(const QString &path)
{
    const auto read = FilterStore(path).load();
    if (!read)
        return take(read);
    take(m_store.take(toText(*read)));
}

void FilterDesk::askForImport()
{
    auto *dialog = new QFileDialog(m_pages.window, tr("Import filters"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Filters (*.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &FilterDesk::importFrom);
    dialog->open();
}

void FilterDesk::askForExport()
{
    const auto filters = m_store.load();
    if (!filters)
        return take(filters);
    askAndSave(m_pages.window, tr("Export the saved filters"), u"filters"_s,
               {{tr("Filters (*.txt)"), toText(*filters).toUtf8()}},
               [this](const Result<QString> &saved) {
                   m_pages.window->messages()->add(
                       {u"filters"_s,
                        saved ? HealthLevel::Ok : HealthLevel::Watch,
                        saved ? tr("The filters are in %1.").arg(*saved) : oneLine(saved.error()),
                        {}});
               });
}

} // namespace outbox
