// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/guess.h"

#include "models/enumtext.h"
#include "models/payload/jsontokens.h"

#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype lookedAt = 65'536;

constexpr auto payloadKinds = enumTexts<PayloadKind>({
    {PayloadKind::Empty, u"empty", "empty"},
    {PayloadKind::Json, u"json", "JSON"},
    {PayloadKind::Text, u"text", "text"},
    {PayloadKind::Binary, u"binary", "binary"},
});

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
    return payloadKinds.label(kind, "outbox::Payload");
}

namespace {

constexpr qsizetype perLine = 16;

void appendLine(QString &dump, qint64 offset, QByteArrayView bytes)
{
    dump += QString::number(offset, 16).rightJustified(8, u'0') + u"  "_s;
    QString shown;
    for (qsizetype at = 0; at < perLine; ++at) {
        if (at < bytes.size()) {
            const auto byte = static_cast<unsigned char>(bytes.at(at));
            dump += QString::number(byte, 16).rightJustified(2, u'0') + u' ';
            shown += QLatin1Char(byte >= 0x20 && byte < 0x7f ? bytes.at(at) : '.');
        } else {
            dump += u"   "_s;
        }
        if (at == perLine / 2 - 1)
            dump += u' ';
    }
    dump += u" |"_s + shown + u"|\n"_s;
}

} // namespace

QString hexDump(QByteArrayView bytes, qsizetype limit, qint64 offset)
{
    const qsizetype shown = std::min(bytes.size(), limit);
    QString dump;
    dump.reserve(shown * 5 + 128);
    for (qsizetype at = 0; at < shown; at += perLine)
        appendLine(dump, offset + at, bytes.sliced(at, std::min(perLine, shown - at)));
    if (shown < bytes.size()) {
        dump += QCoreApplication::translate("outbox::Payload", "%n more bytes are not shown.",
                                            nullptr, static_cast<int>(bytes.size() - shown))
            + u'\n';
    }
    return dump;
}

} // namespace outbox
