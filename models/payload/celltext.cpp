// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/celltext.h"

#include "models/payload/guess.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype previewBytes = 96;
constexpr qsizetype cellCharacters = 400;

constexpr Translation cellPhrase("outbox::CellText");

/// The beginning of a text, never half a character, with an ellipsis where something is missing.
QString cut(const QString &text, qsizetype characters)
{
    if (text.size() <= characters)
        return text;
    const bool half = text.at(characters - 1).isHighSurrogate();
    return text.left(half ? characters - 1 : characters) + u'…';
}

} // namespace

QString exactTime(const QDateTime &at)
{
    if (!at.isValid())
        return {};
    return cellPhrase("%1 local, %2")
        .arg(at.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s),
             at.toUTC().toString(Qt::ISODateWithMs));
}

QString counted(qint64 count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(countText(count));
}

QString payloadPreview(const ShownPayload &payload)
{
    if (!payload.why().isEmpty())
        return u'(' + payload.why() + u')';
    // What is masked has a length of its own.
    const qint64 storedBytes = payload.isClear() ? payload.storedBytes() : payload.bytes().size();
    if (storedBytes < 0)
        return cellPhrase("(the referenced row is gone)");
    if (storedBytes == 0)
        return cellPhrase("(empty)");
    const QByteArray &prefix = payload.bytes();
    const QByteArray head = prefix.first(std::min(prefix.size(), previewBytes));
    const bool cut = head.size() < storedBytes;
    QString shown;
    if (guessPayload(head) == PayloadKind::Binary) {
        shown = QString::fromLatin1(head.first(std::min<qsizetype>(head.size(), 24)).toHex(' '));
    } else {
        shown = QString::fromUtf8(head);
        while (cut && shown.endsWith(QChar::ReplacementCharacter))
            shown.chop(1); // a character that was cut in two
        shown = cellText(shown.simplified());
    }
    return cut ? shown + u"…  "_s + bytesText(storedBytes) : shown;
}

QString cellText(const QString &text)
{
    return plainText(cut(text, cellCharacters));
}

QByteArray csvCell(QString text)
{
    constexpr QStringView formula = u"=+-@\t\r";
    if (!text.isEmpty() && (formula.contains(text.front()) || text.front().isNull()))
        text.prepend(u'\'');
    if (text.contains(u'"') || text.contains(u',') || text.contains(u'\n') || text.contains(u'\r'))
        text = u'"' + text.replace(u'"', u"\"\""_s) + u'"';
    return text.toUtf8();
}

QString tipText(const QString &text)
{
    return plainTooltip(cut(text, tipCharacters));
}

} // namespace outbox
