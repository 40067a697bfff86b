// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where alerts go: a command that reads one on its stdin, and a webhook that takes one by POST.
#pragma once

#include "app/service/alertsender.h"

#include <QNetworkAccessManager>
#include <QProcess>
#include <QStringList>
#include <QUrl>

class QNetworkReply;

namespace outbox {

/// Starts a program for each alert, without a shell. What it writes to stdout is dropped, its
/// stderr is ours. It fails where it cannot be started, ends with another code than 0, or takes
/// too long; then it is killed, with what it has started.
class AlertCommand : public AlertSender
{
    Q_OBJECT

public:
    /// `command`: the program and its arguments, at least one.
    explicit AlertCommand(const QStringList &command, int deadlineMs = patienceMs,
                          QObject *parent = nullptr);
    ~AlertCommand() override;

protected:
    void begin(const QByteArray &body) override;
    void giveUp() override;

private:
    QStringList m_command;
    QProcess m_process;
};

/// Posts each alert as application/json. It fails where no answer comes, or one that is not 2xx;
/// it follows no redirection, and reads no more than the head of an answer.
class AlertWebhook : public AlertSender
{
    Q_OBJECT

public:
    explicit AlertWebhook(const QUrl &url, int deadlineMs = patienceMs, QObject *parent = nullptr);

protected:
    void begin(const QByteArray &body) override;
    void giveUp() override;

private:
    void settle();

    QUrl m_url;
    QNetworkAccessManager m_network;
    QNetworkReply *m_reply = nullptr; ///< on its way; belongs to `m_network`
};

} // namespace outbox
