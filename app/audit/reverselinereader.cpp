// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/audit/reverselinereader.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 blockBackward = qint64{256} * 1024;

} // namespace

ReverseLineReader::ReverseLineReader(const PrivateFile &file, qint64 end, qint64 longest)
    : m_file(file), m_unread(end), m_longest(longest)
{ }

Result<void> ReverseLineReader::readMore()
{
    if (m_buffer.size() > m_longest) {
        return fail(Error::Kind::Invalid, u"reading "_s + m_file.path(),
                    u"a line is longer than %1 bytes"_s.arg(m_longest), {},
                    u"move the file aside"_s);
    }
    // As much again as there is: a long line is not copied once for each block of it.
    const qint64 count = std::min(m_unread, std::max(blockBackward, qint64{m_buffer.size()}));
    auto bytes = m_file.readAt(m_unread - count, count);
    if (!bytes)
        return passOn(bytes);
    m_unread -= count;
    m_buffer.prepend(*bytes);
    return {};
}

Result<std::optional<BackwardLine>> ReverseLineReader::next()
{
    while (true) {
        // What was handed out before ended with the line break that the buffer ends with.
        const bool ended = m_buffer.endsWith('\n');
        const qsizetype before = QByteArrayView(m_buffer).chopped(ended ? 1 : 0).lastIndexOf('\n');
        if (before < 0 && m_unread > 0) {
            if (auto more = readMore(); !more)
                return passOn(more);
            continue;
        }
        BackwardLine line{m_buffer.sliced(before + 1), ended};
        m_buffer.truncate(before + 1);
        if (ended)
            line.text.chop(1);
        if (line.text.isEmpty() && m_buffer.isEmpty() && m_unread == 0)
            return std::optional<BackwardLine>();
        if (line.text.isEmpty())
            continue;
        return line;
    }
}

} // namespace outbox
