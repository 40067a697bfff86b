// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/unlockdialog.h"

#include "models/plaintext.h"
#include "views/widgets/boxes.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

UnlockDialog::UnlockDialog(const Profile &profile, QWidget *parent)
    : QDialog(parent), m_profile(profile), m_band(new EnvironmentBand),
      m_databaseUser(
          line(u"unlockDatabaseUser"_s, tr("Database role"), tr("Same as the connection"))),
      m_databasePassword(line(u"unlockDatabasePassword"_s, tr("Password of the database role"),
                              tr("Same as the connection, or from ~/.pgpass"))),
      m_redisUser(line(u"unlockRedisUser"_s, tr("Redis user"), tr("Same as the connection"))),
      m_redisPassword(line(u"unlockRedisPassword"_s, tr("Password of the Redis user"),
                           tr("Same as the connection"))),
      m_reason(line(u"unlockReason"_s, tr("Reason"), tr("INC-4711: resend what the outage lost"))),
      m_problem(new NoticeBar(u"unlockProblem"_s)),
      m_unlock(dialogButton(u"unlockGo"_s, tr("&Unlock %n min", nullptr, armedMinutes)))
{
    setObjectName(u"unlockDialog"_s);
    setWindowTitle(tr("Unlock writing"));
    setModal(false);
    m_band->setProfile(profile);
    m_band->setOnlyTells(); // its button would open this
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addWidget(m_band);
    auto *body = boxOn<QVBoxLayout>(nullptr, 12, {20, 14, 20, 16});
    body->addWidget(hint(tr("Operations of this window act under these roles. After %n minutes "
                            "the window is read-only again; an operation under way is finished.",
                            nullptr, armedMinutes)));
    body->addWidget(buildForm());
    body->addWidget(m_problem);
    body->addStretch();
    QPushButton *cancel = dialogButton(u"unlockCancel"_s, tr("Cancel"));
    cancel->setAutoDefault(true);
    m_unlock->setDefault(true); // Enter in a field presses it, or nothing where it must not be
    body->addLayout(buttonRow({cancel, m_unlock}));
    column->addLayout(body, 1);
    setMinimumWidth(520);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_unlock, &QPushButton::clicked, this, [this] {
        m_trying = true;
        m_problem->say(NoticeBar::Tone::Info, tr("Trying the roles\u2026"));
        judge();
        emit armAsked(unlocking());
    });
    keepOnScreen(this);
    judge();
}

QWidget *UnlockDialog::buildForm()
{
    m_databaseUser->setText(m_profile.actingUser);
    m_redisUser->setText(m_profile.actingRedisUser);
    for (QLineEdit *one : {m_databasePassword, m_redisPassword})
        one->setEchoMode(QLineEdit::Password);
    auto *widget = new QWidget;
    QFormLayout *form = formOn(widget);
    form->setContentsMargins({});
    const auto add = [form](const QString &text, QLineEdit *edit) { form->addRow(text, edit); };
    add(tr("&Database role"), m_databaseUser);
    add(tr("&Password"), m_databasePassword);
    add(tr("&Redis user"), m_redisUser);
    add(tr("Pass&word"), m_redisPassword);
    add(tr("R&eason"), m_reason);
    return widget;
}

QLineEdit *UnlockDialog::line(const QString &name, const QString &spoken,
                              const QString &placeholder)
{
    auto *edit = new QLineEdit;
    setNames(edit, name, spoken);
    edit->setPlaceholderText(placeholder);
    connect(edit, &QLineEdit::textChanged, this, &UnlockDialog::judge);
    return edit;
}

Unlocking UnlockDialog::unlocking() const
{
    return {m_databaseUser->text().trimmed(),
            m_redisUser->text().trimmed(),
            {m_databasePassword->text(), m_redisPassword->text()},
            m_reason->text().trimmed()};
}

void UnlockDialog::showError(const Error &error)
{
    m_trying = false;
    m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(error)));
    judge();
}

void UnlockDialog::judge()
{
    const bool needsReason
        = m_profile.environment == Environment::Production && m_reason->text().trimmed().isEmpty();
    m_unlock->setEnabled(!needsReason && !m_trying);
    m_unlock->setToolTip(plainTooltip(needsReason    ? tr("Production asks for a reason")
                                          : m_trying ? tr("The roles are being tried")
                                                     : QString()));
}

} // namespace outbox
