// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/transport.h"

#include <QFile>
#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <chrono>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto handshakeTimeout = 5s; ///< at the most
constexpr qint64 readBytes = 1024LL * 1024;

int milliseconds(const QDeadlineTimer &deadline)
{
    return static_cast<int>(std::clamp<qint64>(deadline.remainingTime(), 0, 3'600'000));
}

tl::unexpected<Error> unreachable(const QString &doing, const QString &text, bool timedOut)
{
    const bool refused = text.contains(u"refused"_s, Qt::CaseInsensitive)
        || text.contains(u"Invalid name"_s, Qt::CaseInsensitive);
    return fail(timedOut ? Error::Kind::Timeout : Error::Kind::Unreachable, doing, text.trimmed(),
                {}, refused ? u"Is Redis running there?"_s : QString());
}

/// The proxies of a desktop and of `http_proxy` are for web pages: Redis is never asked through
/// one.
template <typename Socket> std::unique_ptr<Socket> directSocket()
{
    auto socket = std::make_unique<Socket>();
    socket->setProxy(QNetworkProxy::NoProxy);
    return socket;
}

/// The key says in its PEM header what it is only sometimes; there are two kinds in use.
QSslKey readKey(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray pem = file.readAll();
    const QSslKey rsa(pem, QSsl::Rsa);
    return rsa.isNull() ? QSslKey(pem, QSsl::Ec) : rsa;
}

Result<QSslConfiguration> tlsConfiguration(const RedisEndpoint &endpoint, const QString &doing)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (!endpoint.caFile.isEmpty()) {
        const auto authorities = QSslCertificate::fromPath(endpoint.caFile);
        if (authorities.isEmpty()) {
            return fail(Error::Kind::Invalid, doing,
                        u"there is no certificate to read in %1"_s.arg(endpoint.caFile));
        }
        configuration.setCaCertificates(authorities);
    }
    if (!endpoint.certificateFile.isEmpty()) {
        const auto chain = QSslCertificate::fromPath(endpoint.certificateFile);
        if (chain.isEmpty()) {
            return fail(Error::Kind::Invalid, doing,
                        u"there is no certificate to read in %1"_s.arg(endpoint.certificateFile));
        }
        configuration.setLocalCertificateChain(chain);
        const QSslKey key = readKey(endpoint.keyFile);
        if (key.isNull()) {
            return fail(Error::Kind::Invalid, doing,
                        u"there is no private key to read in %1"_s.arg(endpoint.keyFile));
        }
        configuration.setPrivateKey(key);
    }
    return configuration;
}

} // namespace

RedisTransport::RedisTransport() = default;
RedisTransport::~RedisTransport() = default;

Result<void> RedisTransport::open(const RedisEndpoint &endpoint, const QDeadlineTimer &deadline,
                                  const QString &doing)
{
    if (endpoint.transport == RedisEndpoint::Transport::Tls)
        return openTls(endpoint, deadline, doing);

    if (endpoint.transport == RedisEndpoint::Transport::Unix) {
        auto socket = std::make_unique<QLocalSocket>();
        socket->connectToServer(endpoint.socketPath);
        if (!socket->waitForConnected(milliseconds(deadline))) {
            return unreachable(doing, socket->errorString(),
                               socket->error() == QLocalSocket::SocketTimeoutError);
        }
        m_device = std::move(socket);
        return {};
    }

    auto socket = directSocket<QTcpSocket>();
    socket->connectToHost(endpoint.host, endpoint.port);
    if (!socket->waitForConnected(milliseconds(deadline))) {
        return unreachable(doing, socket->errorString(),
                           socket->error() == QAbstractSocket::SocketTimeoutError);
    }
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_device = std::move(socket);
    return {};
}

Result<void> RedisTransport::openTls(const RedisEndpoint &endpoint, const QDeadlineTimer &deadline,
                                     const QString &doing)
{
    if (!QSslSocket::supportsSsl()) {
        return fail(Error::Kind::Unsupported, doing, u"this Qt has no TLS backend"_s, {},
                    u"Install OpenSSL and Qt's TLS plugin"_s);
    }
    const QSslConfiguration configuration = TRY(tlsConfiguration(endpoint, doing));

    auto socket = directSocket<QSslSocket>();
    socket->setSslConfiguration(configuration);
    const QString name = endpoint.serverName.isEmpty() ? endpoint.host : endpoint.serverName;
    socket->setPeerVerifyName(name);
    socket->connectToHost(endpoint.host, endpoint.port);
    if (!socket->waitForConnected(milliseconds(deadline))) {
        return unreachable(doing, socket->errorString(),
                           socket->error() == QAbstractSocket::SocketTimeoutError);
    }
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket->startClientEncryption();
    const QDeadlineTimer handshake = std::min(QDeadlineTimer(handshakeTimeout), deadline);
    if (socket->waitForEncrypted(milliseconds(handshake))) {
        m_device = std::move(socket);
        return {};
    }

    QStringList reasons;
    for (const QSslError &error : socket->sslHandshakeErrors())
        reasons += error.errorString();
    if (!reasons.isEmpty()) {
        reasons.removeDuplicates();
        return fail(
            Error::Kind::Refused, doing,
            u"the certificate of %1 is not accepted: %2"_s.arg(name, reasons.join(u"; "_s)), {},
            u"Give the right CA file (ca=) or the name in the certificate (server_name=)"_s);
    }
    if (handshake.hasExpired() || socket->error() == QAbstractSocket::SocketTimeoutError) {
        return fail(Error::Kind::Timeout, doing, u"no TLS handshake in time"_s, {},
                    u"Is this a TLS port?"_s);
    }
    const bool needsCertificate = endpoint.certificateFile.isEmpty();
    return fail(Error::Kind::Unreachable, doing, socket->errorString().trimmed(), {},
                needsCertificate ? u"Is this a TLS port? Does it require a client certificate?"_s
                                 : u"Is this a TLS port?"_s);
}

void RedisTransport::send(const QByteArray &bytes)
{
    m_device->write(bytes);
    if (auto *tcp = qobject_cast<QAbstractSocket *>(m_device.get()))
        tcp->flush();
    else if (auto *local = qobject_cast<QLocalSocket *>(m_device.get()))
        local->flush();
}

Result<QByteArray> RedisTransport::receive(const QDeadlineTimer &deadline, const QString &doing)
{
    // A TLS record may hold no byte for us (session tickets): then waiting ends without data or
    // error.
    while (m_device->bytesAvailable() == 0) {
        if (m_device->waitForReadyRead(milliseconds(deadline)))
            continue;
        if (!isConnected())
            return fail(Error::Kind::Unreachable, doing, m_device->errorString().trimmed());
        if (deadline.hasExpired()) {
            return fail(Error::Kind::Timeout, doing, u"Redis did not answer in time"_s, {},
                        u"What was sent may or may not have happened"_s);
        }
    }
    // Qt makes a buffer of the size that is asked for before it reads.
    return m_device->read(std::min(m_device->bytesAvailable(), readBytes));
}

bool RedisTransport::isStale()
{
    m_device->waitForReadyRead(0);
    return m_device->bytesAvailable() > 0 || !isConnected();
}

bool RedisTransport::isConnected() const
{
    if (const auto *tcp = qobject_cast<const QAbstractSocket *>(m_device.get()))
        return tcp->state() == QAbstractSocket::ConnectedState;
    const auto *local = qobject_cast<const QLocalSocket *>(m_device.get());
    return local && local->state() == QLocalSocket::ConnectedState;
}

} // namespace outbox
