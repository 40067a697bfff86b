// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/comparisonpresenter.h"

#include "app/desktop/pages.h"
#include "app/system/system.h"
#include "views/frame/mainwindow.h"
#include "views/message/comparedialog.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/tables/compareactions.h"
#include "views/widgets/actions.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ComparisonPresenter::ComparisonPresenter(System &system, const Pages &pages,
                                         const QString &stateFolder, QObject *parent)
    : QObject(parent), m_pages(pages),
      m_comparer(Target{system.profile(), system.secrets(), stateFolder})
{
    joinMenu();
    connect(&system.messages(), &MessageSource::shapeKnown, &m_comparer,
            &MessageComparer::setShape);
    for (const QWidget *page :
         {static_cast<const QWidget *>(pages.outbox), static_cast<const QWidget *>(pages.queue)}) {
        if (const auto *actions = page->findChild<CompareActions *>())
            connect(actions, &CompareActions::asked, this, &ComparisonPresenter::open);
    }
}

ComparisonPresenter::~ComparisonPresenter()
{
    if (m_menu)
        m_menu->setEnabled(false);
    delete m_dialog.data(); // it speaks of a system that is open no more
}

void ComparisonPresenter::joinMenu()
{
    const QString id = u"compareMessages"_s;
    Actions *registry = m_pages.window->registry();
    QAction *entry = registry->action(id);
    if (entry == nullptr) { // it stays when another system is opened
        entry = registry->add({id, Actions::Menu::Messages, tr("Co&mpare messages\u2026"),
                               tr("Shows two messages beside each other: those that are selected, "
                                  "or others by id"),
                               u"group"_s, Qt::CTRL | Qt::Key_D, false, true});
    }
    entry->setEnabled(true);
    connect(entry, &QAction::triggered, this, [this] { open(chosen()); });
    m_menu = entry;
}

QList<ComparedId> ComparisonPresenter::chosen() const
{
    const int page = m_pages.window->currentPage();
    const QWidget *shown = nullptr;
    if (page == Pages::Outbox)
        shown = m_pages.outbox;
    else if (page == Pages::Queue)
        shown = m_pages.queue;
    const auto *actions = shown ? shown->findChild<CompareActions *>() : nullptr;
    return actions && shown->isVisible() ? actions->chosen() : QList<ComparedId>();
}

void ComparisonPresenter::open(const QList<ComparedId> &ids)
{
    if (!m_dialog) {
        auto *dialog = new CompareDialog(m_pages.window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &CompareDialog::comparisonAsked, &m_comparer, &MessageComparer::start);
        connect(dialog, &QDialog::finished, &m_comparer, &MessageComparer::cancel);
        connect(&m_comparer, &MessageComparer::ended, dialog, &CompareDialog::setComparison);
        m_dialog = dialog;
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    m_dialog->begin(ids);
}

} // namespace outbox
