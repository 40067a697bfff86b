// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter/savedfilterbutton.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QInputDialog>
#include <QMenu>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SavedFilterButton::SavedFilterButton(const QString &name, FilterSubject subject, QWidget *parent)
    : QToolButton(parent), m_subject(subject), m_menu(new QMenu(this))
{
    setObjectName(name);
    setText(tr("Saved"));
    setAccessibleName(tr("Saved filters"));
    setToolTip(tr("Saved filters"));
    setIcon(theme::icon(u"filter"_s));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    m_menu->setObjectName(name + u"Menu"_s);
    m_menu->setToolTipsVisible(true);
    connect(m_menu, &QMenu::aboutToShow, this, &SavedFilterButton::fill);
}

void SavedFilterButton::setFilters(const QList<SavedFilter> &filters, Environment environment)
{
    m_filters = filters;
    m_environment = environment;
    fill(); // somebody may be looking at it
}

void SavedFilterButton::fill()
{
    m_menu->clear();
    delete m_remove; // a menu below another is not cleared with it
    QList<SavedFilter> offered;
    for (const SavedFilter &one : std::as_const(m_filters)) {
        if (one.subject == m_subject && one.fits(m_environment))
            offered += one;
    }
    for (const SavedFilter &one : std::as_const(offered)) {
        QAction *action = m_menu->addAction(buttonText(one.name));
        action->setToolTip(plainTooltip(one.text));
        connect(action, &QAction::triggered, this, [this, text = one.text] { emit chosen(text); });
    }
    if (offered.isEmpty())
        m_menu->addAction(tr("No filter is saved yet"))->setEnabled(false);
    m_menu->addSeparator();
    QAction *save = m_menu->addAction(tr("&Save this filter…"), this, [this] { askName({}); });
    save->setEnabled(!m_current.isEmpty());
    if (m_environment != Environment::Unsaid) {
        QAction *here
            = m_menu->addAction(tr("Save for %1 profiles &only…").arg(word(m_environment)), this,
                                [this] { askName(m_environment); });
        here->setEnabled(!m_current.isEmpty());
    }
    if (!offered.isEmpty()) {
        m_remove = m_menu->addMenu(tr("&Remove"));
        for (const SavedFilter &one : std::as_const(offered)) {
            QAction *action = m_remove->addAction(buttonText(one.name), this,
                                                  [this, one] { emit removeAsked(one); });
            // Without a tip an action takes its text for one, and a tip may be taken for HTML.
            action->setToolTip(plainTooltip(one.text));
        }
    }
    m_menu->addSeparator();
    m_menu->addAction(tr("&Import…"), this, &SavedFilterButton::importAsked);
    m_menu->addAction(tr("&Export…"), this, &SavedFilterButton::exportAsked)
        ->setEnabled(!m_filters.isEmpty());
}

void SavedFilterButton::askName(const std::optional<Environment> &environment)
{
    auto *dialog = new QInputDialog(this);
    dialog->setObjectName(objectName() + u"Name"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save filter"));
    dialog->setLabelText(tr("Name of this filter; one that is there with this name is replaced"));
    dialog->setOkButtonText(tr("Save"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, environment, text = m_current](const QString &name) {
                if (const QString kept = asFilterName(name); !kept.isEmpty())
                    emit saveAsked({kept, text, environment, m_subject});
            });
    dialog->open();
}

} // namespace outbox
