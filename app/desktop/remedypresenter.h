// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says in the window what keeps a source from being read, where a person can do something about it
// there: another password, another table.
#pragma once

#include "app/system/system.h"
#include "models/system/login.h"

#include <QObject>
#include <QPointer>

namespace outbox {

class PasswordDialog;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class RemedyPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` and `pages` outlive this.
    RemedyPresenter(System &system, const Pages &pages, QObject *parent = nullptr);
    ~RemedyPresenter() override;

signals:
    /// The profile that is open, to be opened anew with this password of one source.
    void passwordGiven(const outbox::Profile &profile, const outbox::ProfilePasswords &typed);
    /// The tables of the database are to be probed, and the columns of one mapped.
    void mapAsked();

private:
    void join(Source source, SourceFeed &feed);
    void tell(Source source, const SourceHealth &health);
    void tellTable(const SourceHealth &health);
    /// The sentence about a log-in that was refused.
    [[nodiscard]] QString refusal(Source source, const Error &error) const;
    void ask(Source source);
    void take(Source source, const QString &password);

    System &m_system;
    const Pages &m_pages;
    QPointer<PasswordDialog> m_dialog;
};

} // namespace outbox
