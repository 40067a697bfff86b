// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Addresses: what is shown of them holds no password.
#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"
#include "tests/fuzz/fuzzing.h"

#include <QRegularExpression>

using namespace outbox;

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QString text = QString::fromUtf8(fuzz::bytesOf(data, size));
    const QString secret = QStringLiteral("sEcReT-0815");
    // "user:…PASSWORD…@", whatever signs stand in it: people forget to encode them.
    static const QRegularExpression password(QStringLiteral("://[^:@/]*:.*PASSWORD.*@"),
                                             QRegularExpression::DotMatchesEverythingOption);
    const bool mayBePassword
        = text.count(QStringLiteral("PASSWORD")) == 1 && password.match(text).hasMatch();
    QString withSecret = text;
    withSecret.replace(QStringLiteral("PASSWORD"), secret);
    if (const auto url = DatabaseUrl::fromUrl(withSecret)) {
        fuzz::demand(url->port >= 0 && url->port <= 65'535);
        fuzz::demand(!mayBePassword || url->password != secret || !url->shown().contains(secret));
        if (url->hasSeveralHosts()) { // no host is lost, and no port goes to another one
            DatabaseUrl open = *url;
            open.password.clear();
            open.passwordInUrl = false;
            open.options.removeIf([](QMap<QString, QString>::iterator option) {
                return option.key().contains(QStringLiteral("password"));
            });
            const auto again = DatabaseUrl::fromUrl(open.shown());
            fuzz::demand(again && *again == open);
        }
    } else {
        fuzz::demand(!url.error().text.isEmpty());
        fuzz::demand(!mayBePassword || !oneLine(url.error()).contains(secret));
    }
    if (const auto endpoint = RedisEndpoint::fromUrl(withSecret)) {
        fuzz::demand(endpoint->database >= 0);
        const bool isOfSentinels = endpoint->sentinels && endpoint->sentinels->password == secret;
        fuzz::demand(!mayBePassword || (endpoint->password != secret && !isOfSentinels)
                     || !endpoint->shown().contains(secret));
        // No host and no file is lost, and none is made up.
        if (endpoint->transport != RedisEndpoint::Transport::Unix) {
            RedisEndpoint open = *endpoint;
            open.password.clear();
            if (open.sentinels)
                open.sentinels->password.clear();
            open.passwordInUrl = false;
            const auto again = RedisEndpoint::fromUrl(open.shown());
            fuzz::demand(again && *again == open);
        }
    } else {
        fuzz::demand(!endpoint.error().text.isEmpty());
        fuzz::demand(!mayBePassword || !oneLine(endpoint.error()).contains(secret));
    }
    return 0;
}
