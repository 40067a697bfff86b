// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/rowexportpresenter.h"

#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "app/settings/opening.h"
#include "app/system/system.h"
#include "models/phrases.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/outbox/exportbar.h"
#include "views/outbox/exportdialog.h"
#include "views/outbox/outboxview.h"
#include "views/widgets/actions.h"

#include <QAction>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString exportMessage = u"export"_s;

} // namespace

RowExportPresenter::RowExportPresenter(System &system, const Pages &pages, const Folders &folders,
                                       QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_record(folders.auditFile()),
      m_export(Target{system.profile(), system.secrets(), system.stateFolder()})
{
    joinMenu();
    connect(pages.outbox, &OutboxView::exportAsked, this, &RowExportPresenter::open);
    connect(pages.outbox->exportBar(), &ExportBar::cancelAsked, &m_export, &RowExport::cancel);
    connect(&m_export, &RowExport::progressed, this, &RowExportPresenter::show);
    connect(&m_record, &RecordWriter::failed, this, [this](const Error &error) {
        m_pages.window->messages()->add(
            {u"exportRecord"_s, HealthLevel::Watch, oneLine(error), {}});
    });
}

RowExportPresenter::~RowExportPresenter()
{
    if (m_menu)
        m_menu->setEnabled(false);
}

void RowExportPresenter::joinMenu()
{
    const QString id = u"exportRows"_s;
    Actions *registry = m_pages.window->registry();
    QAction *entry = registry->action(id);
    if (entry == nullptr) { // it stays when another system is opened
        entry = registry->add({id, Actions::Menu::Messages, tr("E&xport rows\u2026"),
                               tr("Writes the rows of the filter, or the selected ones, to a file"),
                               u"export"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_E, false, true});
    }
    entry->setEnabled(m_system.database().shape().has_value());
    connect(entry, &QAction::triggered, this, &RowExportPresenter::open);
    m_menu = entry;
    if (m_system.documents())
        return; // its messages have no rows
    connect(&m_system.messages(), &MessageSource::shapeKnown, entry,
            [entry] { entry->setEnabled(true); });
}

void RowExportPresenter::open()
{
    m_pages.window->showPage(Pages::Outbox);
    if (m_export.isRunning())
        return; // the page shows it
    m_pages.window->messages()->remove(exportMessage);
    if (!m_system.database().shape()) { // the menu of the rows asks here, too
        m_pages.window->messages()->add(
            {exportMessage,
             HealthLevel::Watch,
             tr("Nothing can be exported here: no table of rows is known."),
             {}});
        return;
    }
    const OutboxView *view = m_pages.outbox;
    // What was meant is what stood there then, whatever is filtered or selected meanwhile.
    const PageRequest question = view->request();
    const QList<MessageId> ids = view->selectedIds();
    const QString total = view->exportBar()->total();
    auto *dialog = new ExportDialog(
        {question.filter.text(), total, ids.size(), !m_system.profile().masks.isEmpty()},
        m_pages.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::chosen, this,
            [this, question, ids, total](RowExportForm form, bool selectedOnly) {
                RowExportOrder order;
                order.form = form;
                if (selectedOnly) {
                    order.rows.ids = ids;
                    order.total = countText(ids.size());
                } else {
                    order.rows.filter = question.filter;
                    order.rows.states = question.states;
                    order.total = total;
                }
                askForFile(order);
            });
    dialog->open();
}

void RowExportPresenter::askForFile(const RowExportOrder &order)
{
    const bool isCsv = order.form == RowExportForm::Csv;
    askWhereToSave(m_pages.window, tr("Export rows"), u"rows"_s,
                   isCsv ? tr("CSV (*.csv)") : tr("JSON lines (*.jsonl)"),
                   [self = QPointer<RowExportPresenter>(this), order](const QString &path) {
                       if (!self)
                           return; // its system was closed meanwhile
                       RowExportOrder placed = order;
                       placed.file = path;
                       self->start(placed);
                   });
}

void RowExportPresenter::start(const RowExportOrder &order)
{
    const auto &shape = m_system.database().shape();
    if (!shape || m_export.isRunning())
        return;
    if (order.form == RowExportForm::JsonLines && !m_system.profile().masks.isEmpty())
        record(order.file);
    m_export.start(*shape, order);
}

void RowExportPresenter::record(const QString &file)
{
    AuditEntry entry = entryAbout(AuditEntry::Kind::Unmask, m_system.profile(), u"outboxdeck"_s);
    entry.what = u"An export of whole rows, without masks, was begun to "_s + file;
    m_record.write(entry);
}

void RowExportPresenter::show(const RowExportState &state)
{
    m_pages.outbox->exportBar()->setState(state);
    if (state.isRunning() || m_pages.window->currentPage() == Pages::Outbox)
        return;
    const bool isFailed = state.phase == RowExportState::Phase::Failed;
    m_pages.window->messages()->add({exportMessage,
                                     isFailed ? HealthLevel::Watch : HealthLevel::Ok,
                                     ExportBar::sentence(state),
                                     {}});
}

} // namespace outbox
