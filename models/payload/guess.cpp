// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/guess.h"

#include "models/payload/jsontokens.h"

#include <QCoreApplication>
#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace outbox {

namespace {

constexpr qsizetype lookedAt = 65'536;

bool isText(const QByteArray &bytes)
{
    // A decoder that keeps its state takes a character cut at the end for one that is still coming.
    QStringDecoder decode(QStringDecoder::Utf8);
    const QString text = decode.decode(bytes);
    if (decode.hasError())
        return false;
    return std::none_of(text.cbegin(), text.cend(),
                        [](QChar c) { return c < u' ' && c != u'\t' && c != u'\n' && c != u'\r'; });
}

} // namespace

PayloadKind guessPayload(const QByteArray &payload)
{
    if (payload.isEmpty())
        return PayloadKind::Empty;
    const QByteArray head = payload.first(std::min(payload.size(), lookedAt));
    if (!isText(head))
        return PayloadKind::Binary;
    const QByteArray trimmed = head.trimmed();
    if (trimmed.startsWith('{') || trimmed.startsWith('['))
        return PayloadKind::Json;
    // A bare number or word is JSON too, but a person calls only the quoted text so.
    if (trimmed.startsWith('"') && readJson(trimmed).has_value())
        return PayloadKind::Json;
    return PayloadKind::Text;
}

QString label(PayloadKind kind)
{
    const auto text
        = [](const char *source) { return QCoreApplication::translate("outbox::Payload", source); };
    switch (kind) {
    case PayloadKind::Empty:
        return text("empty");
    case PayloadKind::Json:
        return text("JSON");
    case PayloadKind::Text:
        return text("text");
    case PayloadKind::Binary:
        break;
    }
    return text("binary");
}

} // namespace outbox
