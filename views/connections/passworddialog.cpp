// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/passworddialog.h"

#include "models/plaintext.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"

#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PasswordDialog::PasswordDialog(const QString &why, const QString &spoken, QWidget *parent)
    : QDialog(parent), m_password(new QLineEdit),
      m_logIn(dialogButton(u"passwordLogIn"_s, tr("Log in")))
{
    setObjectName(u"passwordDialog"_s);
    setWindowTitle(tr("Enter password"));
    setNames(m_password, u"passwordEdit"_s, spoken);
    m_password->setEchoMode(QLineEdit::Password);
    QLabel *reason = plainLabel(shownText(why));
    wrapLines(reason);
    QPushButton *cancel = dialogButton(u"passwordCancel"_s, tr("Cancel"));
    m_logIn->setDefault(true);
    m_logIn->setEnabled(false);
    auto *column = boxOn<QVBoxLayout>(this, 12, {20, 16, 20, 16});
    addWidgets(column,
               {reason, m_password,
                hint(tr("Kept in memory until the program ends, and written to no file."))});
    column->addLayout(buttonRow({cancel, m_logIn}));
    setMinimumWidth(440);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_password, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_logIn->setEnabled(!text.isEmpty()); });
    connect(m_logIn, &QPushButton::clicked, this, [this] {
        emit passwordGiven(m_password->text());
        accept();
    });
    keepOnScreen(this);
    m_password->setFocus();
}

} // namespace outbox
