// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/alerttargets.h"

#include "app/system/jobs/childcommand.h"

#include <QNetworkReply>
#include <QNetworkRequest>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AlertCommand::AlertCommand(const QStringList &command, int deadlineMs, QObject *parent)
    : AlertSender(deadlineMs, parent), m_command(command)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setStandardOutputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) // all else is followed by `finished`
            ended(u"it cannot be started: "_s + m_process.errorString());
    });
    connect(&m_process, &QProcess::finished, this,
            [this](int exitCode, QProcess::ExitStatus status) {
                if (status == QProcess::CrashExit)
                    ended(u"it was ended by a signal"_s);
                else
                    ended(exitCode == 0 ? QString() : u"it ended with %1"_s.arg(exitCode));
            });
}

AlertCommand::~AlertCommand()
{
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        killGroup(m_process);
        m_process.waitForFinished(1000);
    }
}

void AlertCommand::begin(const QByteArray &body)
{
    startInGroup(m_process, m_command);
    if (m_process.state() == QProcess::NotRunning) // it could not be started, which is told
        return;
    m_process.write(body);
    m_process.closeWriteChannel();
}

void AlertCommand::giveUp()
{
    killGroup(m_process);
}

AlertWebhook::AlertWebhook(const QUrl &url, int deadlineMs, QObject *parent)
    : AlertSender(deadlineMs, parent), m_url(url)
{ }

void AlertWebhook::begin(const QByteArray &body)
{
    QNetworkRequest request(m_url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    QNetworkReply *reply = m_network.post(request, body);
    m_reply = reply;
    const auto arrived = [this, reply] {
        if (m_reply == reply)
            settle();
    };
    // Queued: the reply is in the midst of its work when it says so.
    connect(reply, &QNetworkReply::metaDataChanged, this, arrived, Qt::QueuedConnection);
    connect(reply, &QNetworkReply::finished, this, arrived, Qt::QueuedConnection);
}

void AlertWebhook::giveUp()
{
    if (m_reply)
        settle();
}

void AlertWebhook::settle()
{
    QNetworkReply *reply = std::exchange(m_reply, nullptr);
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool isWell = status >= 200 && status < 300;
    const QString why = isWell ? QString()
        : status > 0           ? u"it answers %1"_s.arg(status)
                               : reply->errorString();
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
    ended(why);
}

} // namespace outbox
