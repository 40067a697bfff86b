// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/lengthgate.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype maxNumberBytes = 21; // a sign and 20 digits

} // namespace

bool LengthGate::admits(QByteArrayView bytes)
{
    if (!m_refusal.isEmpty())
        return false;
    qsizetype at = 0;
    while (at < bytes.size()) {
        if (m_part == Part::Body) {
            const qsizetype step = std::min<qint64>(m_bodyLeft, bytes.size() - at);
            at += step;
            m_bodyLeft -= step;
            if (m_bodyLeft == 0)
                completeOne();
            continue;
        }
        const char next = bytes[at++];
        if (m_part == Part::Type) {
            if (!takeType(next))
                return false;
            continue;
        }
        if (m_sawReturn && next == '\n') {
            if (!takeLineEnd())
                return false;
            continue;
        }
        m_sawReturn = next == '\r';
        if (++m_lineBytes > maxLineBytes)
            return refuse(u"a line of more than %1 bytes"_s.arg(maxLineBytes));
        if (m_type != '+' && m_type != '-' && !m_sawReturn) {
            if (m_number.size() >= maxNumberBytes)
                return refuse(u"a number of more than %1 digits"_s.arg(maxNumberBytes));
            m_number += next;
        }
    }
    return true;
}

bool LengthGate::refuse(const QString &why)
{
    m_refusal = why;
    return false;
}

bool LengthGate::takeType(char type)
{
    if (QByteArrayView("+-:$*").indexOf(type) < 0) {
        return refuse(u"a reply of unknown type 0x%1"_s.arg(
            QString::fromLatin1(QByteArray(1, type).toHex())));
    }
    m_type = type;
    m_number.clear();
    m_lineBytes = 0;
    m_sawReturn = false;
    m_part = Part::Line;
    return true;
}

bool LengthGate::takeLineEnd()
{
    m_part = Part::Type;
    if (m_type == '+' || m_type == '-') {
        completeOne();
        return true;
    }
    bool isNumber = false;
    const qint64 number = m_number.toLongLong(&isNumber);
    if (!isNumber)
        return refuse(u"\"%1\" where a number must stand"_s.arg(QString::fromLatin1(m_number)));
    if (m_type == ':' || number == -1) {
        completeOne();
        return true;
    }
    if (m_type == '$') {
        if (number < 0 || number > maxBulkBytes)
            return refuse(u"a text of %1 bytes"_s.arg(number));
        m_bodyLeft = number + 2;
        m_part = Part::Body;
        return true;
    }
    if (number < 0 || number > maxElements)
        return refuse(u"an array of %1 elements"_s.arg(number));
    if (m_depth == maxDepth)
        return refuse(u"arrays nested deeper than %1"_s.arg(maxDepth));
    if (number == 0)
        completeOne();
    else
        m_left.at(static_cast<size_t>(m_depth++)) = number;
    return true;
}

void LengthGate::completeOne()
{
    m_part = Part::Type;
    while (m_depth > 0 && --m_left.at(static_cast<size_t>(m_depth - 1)) == 0)
        --m_depth;
}

} // namespace outbox
