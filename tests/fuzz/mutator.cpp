// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutator.h"

#include <array>

namespace outbox::fuzz {

namespace {

/// Numbers at which counts go wrong.
constexpr std::array borders{"-1",
                             "0",
                             "1",
                             "7",
                             "8",
                             "127",
                             "128",
                             "255",
                             "256",
                             "65535",
                             "65536",
                             "1000000",
                             "1000001",
                             "2147483647",
                             "2147483648",
                             "4294967295",
                             "4294967296",
                             "536870912",
                             "-2147483648",
                             "9223372036854775807",
                             "1e309",
                             "00",
                             "99999999999999999999"};

constexpr std::array oddBytes{"\0",
                              "\xff",
                              "\xc0\x80",
                              "\xed\xa0\x80",
                              "\xe2\x80\xae",
                              "\r\n",
                              "\"",
                              "\\",
                              "\\u0000",
                              "\\ud800",
                              "%00",
                              "[[[[[[[[[[[[[[[[",
                              "{\"a\":",
                              "*1\r\n",
                              "\xf4\x90\x80\x80",
                              "'"};

QList<QByteArray> wordsOf(const QList<QByteArray> &corpus)
{
    QList<QByteArray> words;
    for (const QByteArray &bytes : corpus) {
        QByteArray word;
        for (const char c : bytes) {
            const bool inside = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (inside)
                word += c;
            else if (word.size() > 1 && !words.contains(word))
                words += word;
            if (!inside)
                word.clear();
        }
    }
    return words;
}

} // namespace

Mutator::Mutator(QList<QByteArray> corpus, quint64 seed)
    : m_corpus(std::move(corpus)), m_words(wordsOf(m_corpus)), m_random(seed)
{ }

qsizetype Mutator::below(qsizetype limit)
{
    return limit <= 0 ? 0 : static_cast<qsizetype>(m_random() % static_cast<quint64>(limit));
}

QByteArray Mutator::next()
{
    QByteArray bytes = m_corpus.isEmpty() ? QByteArray() : m_corpus.at(below(m_corpus.size()));
    for (qsizetype changes = 1 + below(8); changes > 0; --changes)
        changeOnce(bytes);
    bytes.truncate(mostBytes);
    return bytes;
}

void Mutator::writeNumber(QByteArray &bytes)
{
    qsizetype at = below(bytes.size());
    while (at < bytes.size() && (bytes.at(at) < '0' || bytes.at(at) > '9'))
        ++at;
    qsizetype end = at;
    while (end < bytes.size() && bytes.at(end) >= '0' && bytes.at(end) <= '9')
        ++end;
    bytes.replace(at, end - at, borders.at(static_cast<std::size_t>(below(borders.size()))));
}

void Mutator::changeOnce(QByteArray &bytes)
{
    const qsizetype at = below(bytes.size() + 1);
    switch (below(10)) {
    case 0: // one bit
        if (at < bytes.size())
            bytes[at] = static_cast<char>(bytes.at(at) ^ (1 << below(8)));
        break;
    case 1:
        bytes.insert(at, static_cast<char>(below(256)));
        break;
    case 2:
        bytes.remove(at, 1 + below(8));
        break;
    case 3: // the same again
        bytes.insert(at, bytes.mid(below(bytes.size()), below(64)));
        break;
    case 4: // a piece of another one
        if (!m_corpus.isEmpty()) {
            const QByteArray &other = m_corpus.at(below(m_corpus.size()));
            bytes.insert(at, other.mid(below(other.size()), below(128)));
        }
        break;
    case 5:
        writeNumber(bytes);
        break;
    case 6: {
        const char *odd = oddBytes.at(static_cast<std::size_t>(below(oddBytes.size())));
        bytes.insert(at, *odd ? QByteArray(odd) : QByteArray(1, '\0'));
        break;
    }
    case 7:
        if (!m_words.isEmpty())
            bytes.insert(at, m_words.at(below(m_words.size())));
        break;
    case 8:
        bytes.truncate(at);
        break;
    default: // many of the same
        bytes.insert(at, QByteArray(below(512), at < bytes.size() ? bytes.at(at) : '['));
        break;
    }
}

} // namespace outbox::fuzz
