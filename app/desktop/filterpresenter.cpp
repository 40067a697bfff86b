// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/filterpresenter.h"

#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "views/filter/filterbar.h"
#include "views/filter/savedfilterbutton.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"

#include <QFileDialog>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FilterPresenter::FilterPresenter(const Pages &pages, const QString &file, QObject *parent)
    : QObject(parent), m_pages(pages), m_file(file)
{
    for (const FilterBar *bar : bars()) {
        const SavedFilterButton *menu = bar->saved();
        connect(menu, &SavedFilterButton::saveAsked, this,
                [this](const SavedFilter &filter) { take(saveFilter(m_file, filter)); });
        connect(menu, &SavedFilterButton::removeAsked, this,
                [this](const SavedFilter &filter) { take(removeFilter(m_file, filter)); });
        connect(menu, &SavedFilterButton::importAsked, this, &FilterPresenter::askForImport);
        connect(menu, &SavedFilterButton::exportAsked, this, &FilterPresenter::askForExport);
    }
}

QList<FilterBar *> FilterPresenter::bars() const
{
    return {m_pages.outbox->filter(), m_pages.queue->tasks()->filter()};
}

void FilterPresenter::show(Environment environment)
{
    m_environment = environment;
    take(loadFilters(m_file));
}

QList<SavedFilter> FilterPresenter::offered() const
{
    QList<SavedFilter> fitting;
    for (const SavedFilter &one : m_kept) {
        if (one.fits(m_environment))
            fitting += one;
    }
    return fitting;
}

void FilterPresenter::take(const Result<QList<SavedFilter>> &filters)
{
    if (filters)
        m_kept = *filters;
    for (FilterBar *bar : bars()) {
        if (filters)
            bar->setSaved(*filters, m_environment);
        else
            bar->saved()->show();
    }
    if (filters)
        return;
    m_pages.window->messages()->add(
        {u"filters"_s, HealthLevel::Watch, oneLine(filters.error()), {}});
}

void FilterPresenter::importFrom(const QString &path)
{
    const auto read = loadFilters(path);
    if (!read)
        return take(read);
    take(takeFilters(m_file, toText(*read)));
}

void FilterPresenter::askForImport()
{
    auto *dialog = new QFileDialog(m_pages.window, tr("Import filters"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Filters (*.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &FilterPresenter::importFrom);
    dialog->open();
}

void FilterPresenter::askForExport()
{
    const auto filters = loadFilters(m_file);
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
