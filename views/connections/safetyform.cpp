// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/safetyform.h"

#include "views/widgets/formrows.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QSpinBox *numberBox(const QString &name, const QString &spoken, int least, int most,
                    const QString &suffix)
{
    auto *box = new QSpinBox;
    box->setObjectName(name);
    box->setAccessibleName(spoken);
    box->setRange(least, most);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    box->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    return box;
}

} // namespace

SafetyForm::SafetyForm(QWidget *parent)
    : QScrollArea(parent), m_readOnly(new QCheckBox(tr("Open read-only"))),
      m_actingUser(line(u"profileActingUser"_s, tr("Database role that acts"),
                        tr("the one of the address"))),
      m_actingRedisUser(line(u"profileActingRedisUser"_s, tr("Redis user that acts"),
                             tr("the one of the address"))),
      m_mostItems(numberBox(u"profileMostItems"_s, tr("Most messages in one operation"), 1,
                            10'000'000, tr(" messages"))),
      m_refresh(numberBox(u"profileRefresh"_s, tr("Refresh interval in milliseconds"), 250, 60'000,
                          tr(" ms"))),
      m_statusTable(line(u"profileStatusTable"_s, tr("Status table"), tr("none"))),
      m_statusId(line(u"profileStatusId"_s, tr("Column with the outbox key"), u"outbox_id"_s)),
      m_statusColumn(line(u"profileStatusColumn"_s, tr("Column with the status"), u"status"_s)),
      m_statusDone(line(u"profileStatusDone"_s, tr("Value that says done"), u"sent"_s))
{
    setObjectName(u"profileSafety"_s);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    m_readOnly->setObjectName(u"profileReadOnly"_s);
    m_readOnly->setAccessibleName(m_readOnly->text());
    m_refresh->setSingleStep(250);
    form->addRow(QString(), m_readOnly);
    form->addRow(QString(),
                 hint(tr("The server itself keeps the looking session read-only. No relay and no "
                         "operation can be started while this is on, unless writing is unlocked "
                         "for a quarter of an hour.")));
    form->addRow(tr("Acting role"), m_actingUser);
    form->addRow(tr("Acting Redis user"), m_actingRedisUser);
    form->addRow(QString(),
                 hint(tr("Operations act under these; their passwords are asked for "
                         "when writing is unlocked and are never saved.")));
    form->addRow(tr("Largest operation"), m_mostItems);
    form->addRow(tr("Refresh every"), m_refresh);
    form->addRow(tr("Status table"), m_statusTable);
    form->addRow(tr("its key column"), m_statusId);
    form->addRow(tr("its status column"), m_statusColumn);
    form->addRow(tr("done is"), m_statusDone);
    form->addRow(QString(),
                 hint(tr("Where the receiver notes how far a message is; Reconcile "
                         "compares it with the queue.")));
    setWidget(page);
    connect(m_readOnly, &QCheckBox::toggled, this, &SafetyForm::edited);
    for (QSpinBox *box : {m_mostItems, m_refresh})
        connect(box, &QSpinBox::valueChanged, this, &SafetyForm::edited);
}

QLineEdit *SafetyForm::line(const QString &name, const QString &spoken, const QString &placeholder)
{
    auto *edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(spoken);
    edit->setPlaceholderText(placeholder);
    connect(edit, &QLineEdit::textChanged, this, &SafetyForm::edited);
    return edit;
}

void SafetyForm::setProfile(const Profile &profile)
{
    m_readOnly->setChecked(profile.readOnly);
    m_actingUser->setText(profile.actingUser);
    m_actingRedisUser->setText(profile.actingRedisUser);
    m_mostItems->setValue(profile.mostItems);
    m_refresh->setValue(profile.refreshMs);
    const StatusTable status = profile.status.value_or(StatusTable());
    m_statusTable->setText(profile.status ? status.table.text() : QString());
    m_statusId->setText(status.idColumn);
    m_statusColumn->setText(status.statusColumn);
    m_statusDone->setText(profile.status ? status.done : QString());
}

void SafetyForm::writeTo(Profile &profile) const
{
    profile.readOnly = m_readOnly->isChecked();
    profile.actingUser = m_actingUser->text().trimmed();
    profile.actingRedisUser = m_actingRedisUser->text().trimmed();
    profile.mostItems = m_mostItems->value();
    profile.refreshMs = m_refresh->value();
    profile.status.reset();
    const QString table = m_statusTable->text().trimmed();
    if (table.isEmpty())
        return;
    StatusTable status;
    status.table = TableName::fromText(table);
    status.idColumn = m_statusId->text().trimmed();
    status.statusColumn = m_statusColumn->text().trimmed();
    if (const QString done = m_statusDone->text().trimmed(); !done.isEmpty())
        status.done = done;
    profile.status = status;
}

} // namespace outbox
