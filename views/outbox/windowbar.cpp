// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/windowbar.h"

#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"
#include "views/widgets/pagebuttons.h"

#include <QDateTimeEdit>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A field in a small dialog of its own; deleted with it.
QDialog *fieldDialog(QWidget *parent, const QString &name, const QString &title, QWidget *field)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    setNames(field, name + u"Field"_s, title);
    QPushButton *cancel = dialogButton(name + u"Cancel"_s, QObject::tr("Cancel"));
    QPushButton *go = dialogButton(name + u"Show"_s, QObject::tr("Show"));
    go->setDefault(true);
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    QObject::connect(go, &QPushButton::clicked, dialog, &QDialog::accept);
    auto *form = new QFormLayout(dialog);
    form->addRow(title, field);
    form->addRow(buttonRow({cancel, go}));
    return dialog;
}

} // namespace

WindowBar::WindowBar(const QString &name, QWidget *parent)
    : QWidget(parent), m_where(plainLabel({}, true)),
      m_goTo(pageButton(name + u"GoTo"_s, u"search"_s, tr("Go to")))
{
    setObjectName(name);
    m_where->setObjectName(name + u"Where"_s);
    auto *menu = new QMenu(m_goTo);
    connect(menu->addAction(theme::icon(u"up"_s), tr("Newest rows")), &QAction::triggered, this,
            &WindowBar::newestAsked);
    connect(menu->addAction(theme::icon(u"down"_s), tr("Oldest rows")), &QAction::triggered, this,
            &WindowBar::oldestAsked);
    m_time = menu->addAction(theme::icon(u"clock"_s), tr("A time\u2026"));
    connect(m_time, &QAction::triggered, this, &WindowBar::askForTime);
    connect(menu->addAction(theme::icon(u"outbox"_s), tr("An id\u2026")), &QAction::triggered, this,
            &WindowBar::askForId);
    m_goTo->setMenu(menu);
    m_goTo->setPopupMode(QToolButton::InstantPopup);
    m_goTo->setToolTip(tr("Shows another part of the table"));
    auto *row = boxOn<QHBoxLayout>(this, 6);
    addWidgets(row, {m_where, m_goTo});
}

void WindowBar::say(const QString &where)
{
    m_where->setText(where);
}

void WindowBar::setTimed(bool timed)
{
    m_time->setEnabled(timed);
    m_time->setToolTip(timed ? QString() : tr("This shape has no time column"));
}

void WindowBar::askForTime()
{
    auto *field = new QDateTimeEdit(QDateTime::currentDateTime());
    field->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
    field->setCalendarPopup(true);
    QDialog *dialog = fieldDialog(this, u"goToTime"_s, tr("Rows created at or before"), field);
    connect(dialog, &QDialog::accepted, this,
            [this, field] { emit timeAsked(field->dateTime().toUTC()); });
    dialog->open();
}

void WindowBar::askForId()
{
    auto *field = new QLineEdit;
    field->setFont(theme::fixedFont(field->font()));
    field->setMaxLength(512);
    field->setMinimumWidth(field->fontMetrics().averageCharWidth() * 40);
    QDialog *dialog = fieldDialog(this, u"goToId"_s, tr("Message id"), field);
    connect(dialog, &QDialog::accepted, this, [this, field] {
        if (const QString id = field->text().trimmed(); !id.isEmpty())
            emit idAsked(id);
    });
    dialog->open();
}

} // namespace outbox
