// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One page over HTTP for a collector: GET /metrics and nothing else.
#pragma once

#include "models/result.h"

#include <QHostAddress>
#include <QObject>
#include <QTcpServer>

#include <functional>
#include <utility>

class QTcpSocket;

namespace outbox {

/// Host and port.
using MetricsAddress = std::pair<QHostAddress, quint16>;

/// "127.0.0.1:9464", "[::1]:9464", "localhost:0", ":9464" and "9464" (loopback). Names of other
/// hosts are not looked up. Fails with Invalid.
[[nodiscard]] Result<MetricsAddress> metricsAddress(const QString &text);

/// Answers from the event loop of its thread. Nobody can tie it up: eight connections at a time,
/// 4 KiB of request, five seconds from the first byte to the last.
class MetricsServer : public QObject
{
    Q_OBJECT

public:
    /// `page` is called for each request that is answered with 200; `contentType` is what it is.
    MetricsServer(std::function<QByteArray()> page, QByteArray contentType,
                  QObject *parent = nullptr);

    /// Port 0 is any that is free. Fails with Refused when the address cannot be had.
    [[nodiscard]] Result<void> listen(const QHostAddress &host = QHostAddress::LocalHost,
                                      quint16 port = 0);
    /// "http://127.0.0.1:9464/metrics", with the port that was taken.
    [[nodiscard]] QString url() const;

private:
    void accept();
    void read(QTcpSocket *socket);
    [[nodiscard]] QByteArray answerTo(const QByteArray &head) const;

    std::function<QByteArray()> m_page;
    QByteArray m_contentType;
    QTcpServer m_server;
    int m_open = 0;
};

} // namespace outbox
