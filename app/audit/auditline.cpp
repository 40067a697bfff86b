// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/audit/auditline.h"

#include <QCryptographicHash>
#include <QJsonDocument>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QByteArrayView hashMember = ",\"hash\":\"";
constexpr QByteArrayView lineEnd = "\"}";
constexpr qsizetype hashLength = 64;
constexpr qsizetype sealLength = hashMember.size() + hashLength + lineEnd.size();

QByteArray hashOf(QByteArrayView text)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(text);
    hash.addData(QByteArrayView("}"));
    return hash.result().toHex();
}

/// The text of a member of the object itself: within a string its quotes would be escaped.
QByteArrayView memberIn(QByteArrayView line, QByteArrayView name)
{
    const qsizetype at = line.indexOf(name);
    if (at < 0)
        return {};
    const QByteArrayView rest = line.sliced(at + name.size());
    return rest.first(std::max<qsizetype>(0, rest.indexOf('"')));
}

bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

} // namespace

QByteArray firstPrevious()
{
    return QByteArray(hashLength, '0');
}

QByteArray sealed(AuditEntry &entry)
{
    entry.hash.clear();
    QByteArray line = QJsonDocument(entry.toJson()).toJson(QJsonDocument::Compact);
    line.chop(1);
    entry.hash = hashOf(line);
    return line.append(hashMember).append(entry.hash).append(lineEnd);
}

QByteArray previousIn(QByteArrayView line)
{
    return memberIn(line, ",\"previous\":\"").toByteArray();
}

QString operationIn(QByteArrayView line)
{
    return QString::fromUtf8(memberIn(line, ",\"operation\":\""));
}

bool isWhole(QByteArrayView line)
{
    if (line.size() <= sealLength || !line.startsWith('{') || !line.endsWith(lineEnd))
        return false;
    const QByteArrayView seal = line.last(sealLength);
    const QByteArrayView hash = seal.sliced(hashMember.size(), hashLength);
    return seal.startsWith(hashMember) && std::all_of(hash.begin(), hash.end(), isHexDigit);
}

QByteArray hashIn(QByteArrayView line)
{
    return isWhole(line) ? line.last(sealLength).sliced(hashMember.size(), hashLength).toByteArray()
                         : QByteArray();
}

bool isIntact(QByteArrayView line)
{
    return isWhole(line) && hashOf(line.chopped(sealLength)) == hashIn(line);
}

Result<AuditEntry> entryOf(const QByteArray &line)
{
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(line, &fault);
    if (!document.isObject()) {
        return fail(Error::Kind::Invalid, u"reading a line of the record"_s,
                    fault.error == QJsonParseError::NoError ? u"it is no object"_s
                                                            : fault.errorString());
    }
    return AuditEntry::fromJson(document.object());
}

} // namespace outbox
