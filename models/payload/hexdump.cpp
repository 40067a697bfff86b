// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/hexdump.h"

#include <QCoreApplication>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
