// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/content/difference.h"

#include "models/payload/guess.h"
#include "models/payload/jsontokens.h"
#include "models/translation.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostCompared = qsizetype{1024} * 1024; ///< bytes
constexpr qsizetype mostLaidOut = 50'000; ///< values
constexpr qsizetype mostPairs = 1'000'000; ///< lines of the one times lines of the other
constexpr qsizetype around = 3; ///< lines that stand around a change

constexpr Translation differenceText("outbox::Difference");

struct DifferenceLine
{
    char16_t sign; ///< ' ', '-' or '+'
    QString text;
};

using DifferenceLines = QList<DifferenceLine>;

void addAll(DifferenceLines &lines, char16_t sign, const QStringList &texts)
{
    for (const QString &text : texts)
        lines += DifferenceLine{sign, text};
}

/// The longest common run of lines that two lists have behind each pair of places.
class CommonLines
{
public:
    CommonLines(const QStringList &before, const QStringList &after)
        : m_width(after.size() + 1),
          m_lengths(static_cast<std::size_t>((before.size() + 1) * m_width))
    {
        for (qsizetype i = before.size() - 1; i >= 0; --i) {
            for (qsizetype j = after.size() - 1; j >= 0; --j) {
                at(i, j) = before.at(i) == after.at(j) ? at(i + 1, j + 1) + 1
                                                       : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
    }
    [[nodiscard]] int &at(qsizetype i, qsizetype j)
    {
        return m_lengths[static_cast<std::size_t>(i * m_width + j)];
    }

private:
    qsizetype m_width;
    std::vector<int> m_lengths;
};

/// What stands between the lines that both begin and both end with.
void addMiddle(DifferenceLines &lines, const QStringList &before, const QStringList &after)
{
    const bool isTooMuch = !before.isEmpty() && after.size() > mostPairs / before.size();
    if (isTooMuch || before.isEmpty() || after.isEmpty()) {
        addAll(lines, u'-', before);
        addAll(lines, u'+', after);
        return;
    }
    CommonLines common(before, after);
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before.at(i) == after.at(j)) {
            lines += DifferenceLine{u' ', before.at(i++)};
            ++j;
        } else if (i < before.size()
                   && (j == after.size() || common.at(i + 1, j) >= common.at(i, j + 1))) {
            lines += DifferenceLine{u'-', before.at(i++)};
        } else {
            lines += DifferenceLine{u'+', after.at(j++)};
        }
    }
}

DifferenceLines comparedLines(const QStringList &before, const QStringList &after)
{
    const qsizetype most = std::min(before.size(), after.size());
    qsizetype first = 0;
    while (first < most && before.at(first) == after.at(first))
        ++first;
    qsizetype last = 0;
    while (last < most - first
           && before.at(before.size() - 1 - last) == after.at(after.size() - 1 - last))
        ++last;
    DifferenceLines lines;
    addAll(lines, u' ', before.first(first));
    addMiddle(lines, before.mid(first, before.size() - first - last),
              after.mid(first, after.size() - first - last));
    addAll(lines, u' ', before.last(last));
    return lines;
}

/// Runs of lines that hold changes and what stands around them: the first line, and behind the
/// last.
QList<std::pair<qsizetype, qsizetype>> hunksOf(const DifferenceLines &lines)
{
    QList<std::pair<qsizetype, qsizetype>> hunks;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines.at(i).sign == u' ')
            continue;
        const qsizetype from = std::max<qsizetype>(0, i - around);
        const qsizetype to = std::min(lines.size(), i + around + 1);
        if (!hunks.isEmpty() && from <= hunks.last().second)
            hunks.last().second = to;
        else
            hunks += {from, to};
    }
    return hunks;
}

/// "3,4": where a run of lines begins, and how many there are. An empty one stands behind a line.
QString placeText(qsizetype begun, qsizetype count)
{
    return u"%1,%2"_s.arg(count == 0 ? begun : begun + 1).arg(count);
}

/// A value as lines, and what was done to it for that.
struct ShownValue
{
    QStringList lines;
    QString note{};
};

bool isWholeText(const Cell &cell)
{
    const PayloadKind kind = guessPayload(cell.bytes);
    return kind != PayloadKind::Binary && QString::fromUtf8(cell.bytes).toUtf8() == cell.bytes;
}

QStringList textLines(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8).split(u'\n');
}

ShownValue sizeAlone(const Cell &cell)
{
    const QByteArray digest
        = QCryptographicHash::hash(cell.bytes, QCryptographicHash::Sha256).toHex();
    return {{u"%1 bytes, SHA-256 %2"_s.arg(cell.bytes.size()).arg(QString::fromLatin1(digest))}};
}

ShownValue dumped(const Cell &cell)
{
    QStringList lines = hexDump(cell.bytes, mostCompared).split(u'\n');
    lines.removeAll(QString());
    return {lines, differenceText("in hex")};
}

/// What a person may see of a payload: JSON, or why nothing; never sizes or digests, by which a
/// short secret can be found out.
Cell maskedCell(const ShownPayload &payload)
{
    return {Cell::Kind::Text, payload.why().isEmpty() ? payload.bytes() : payload.why().toUtf8()};
}

/// Where masks let both be seen alike.
QString maskedDifference()
{
    return differenceText("What differs is under masks or hidden, and not shown");
}

/// Both in the same way, so that they can be compared.
std::pair<ShownValue, ShownValue> shownValues(const Cell &before, const Cell &after)
{
    if (std::max(before.bytes.size(), after.bytes.size()) > mostCompared)
        return {sizeAlone(before), sizeAlone(after)};
    if (!isWholeText(before) || !isWholeText(after))
        return {dumped(before), dumped(after)};
    const auto oldJson = laidOutJson(before.bytes);
    const auto newJson = laidOutJson(after.bytes);
    // Where nothing but blanks is changed, these are what there is to see.
    if (oldJson && newJson && oldJson != newJson) {
        const QString note = differenceText("JSON, one member a line");
        return {ShownValue{textLines(*oldJson), note}, ShownValue{textLines(*newJson), note}};
    }
    return {ShownValue{textLines(before.bytes)}, ShownValue{textLines(after.bytes)}};
}

/// "--- payload (in hex)".
QString headLine(const QString &signs, const EditedCell &cell, const ShownValue &value, bool isNull)
{
    const QString note = isNull ? u"NULL"_s : value.note;
    const QString head = signs + u' ' + word(cell.part);
    return note.isEmpty() ? head : QString(head + u" ("_s + note + u')');
}

} // namespace

std::optional<QByteArray> laidOutJson(const QByteArray &source)
{
    if (!readJson(source, mostCompared, mostLaidOut))
        return std::nullopt;
    QByteArray text;
    text.reserve(source.size() * 2);
    qsizetype depth = 0;
    const auto breakLine = [&text, &depth] {
        text += '\n';
        text.append(depth * 2, ' ');
    };
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    for (qsizetype at = 0; at < source.size(); ++at) {
        const char c = source.at(at);
        if (isBlank(c))
            continue;
        if (c == '"') {
            const qsizetype from = at;
            for (++at; source.at(at) != '"'; ++at)
                at += source.at(at) == '\\' ? 1 : 0;
            text.append(QByteArrayView(source).sliced(from, at - from + 1));
        } else if (c == '{' || c == '[') {
            text += c;
            qsizetype next = at + 1;
            while (isBlank(source.at(next)))
                ++next;
            if (source.at(next) == '}' || source.at(next) == ']') {
                text += source.at(next);
                at = next;
            } else {
                ++depth;
                breakLine();
            }
        } else if (c == '}' || c == ']') {
            --depth;
            breakLine();
            text += c;
        } else {
            text += c;
            if (c == ',')
                breakLine();
            else if (c == ':')
                text += ' ';
        }
    }
    return text;
}

QString unifiedDifference(const QStringList &before, const QStringList &after)
{
    const DifferenceLines lines = comparedLines(before, after);
    QStringList texts;
    qsizetype at = 0;
    qsizetype oldLine = 0; // lines that stand before `at`
    qsizetype newLine = 0;
    const auto pass = [&](qsizetype to) {
        for (; at < to; ++at) {
            oldLine += lines.at(at).sign == u'+' ? 0 : 1;
            newLine += lines.at(at).sign == u'-' ? 0 : 1;
        }
    };
    for (const auto &[from, to] : hunksOf(lines)) {
        pass(from);
        const qsizetype oldFrom = oldLine;
        const qsizetype newFrom = newLine;
        pass(to);
        texts += u"@@ -%1 +%2 @@"_s.arg(placeText(oldFrom, oldLine - oldFrom),
                                        placeText(newFrom, newLine - newFrom));
        for (qsizetype i = from; i < to; ++i)
            texts += QString(QChar(lines.at(i).sign) + lines.at(i).text);
    }
    return texts.join(u'\n');
}

QString differenceOf(const QList<EditedCell> &cells, const PayloadMasks &masks)
{
    QStringList texts;
    for (const EditedCell &cell : cells) {
        if (!cell.changes())
            continue;
        const bool isPayload = cell.part == RowPart::Payload;
        const ShownPayload seen = isPayload ? masks.shown(cell.seen.bytes) : ShownPayload();
        const ShownPayload now = isPayload ? masks.shown(cell.now->bytes) : ShownPayload();
        const bool isMasked = !seen.isClear() || !now.isClear();
        auto [before, after] = isMasked ? shownValues(maskedCell(seen), maskedCell(now))
                                        : shownValues(cell.seen, *cell.now);
        const bool isAlike = isMasked && before.lines == after.lines;
        texts += headLine(u"---"_s, cell, before, cell.seen.isNull());
        texts += headLine(u"+++"_s, cell, after, cell.now->isNull());
        if (cell.seen.isNull())
            before.lines.clear();
        if (cell.now->isNull())
            after.lines.clear();
        texts += isAlike ? maskedDifference() : unifiedDifference(before.lines, after.lines);
    }
    return texts.join(u'\n');
}

} // namespace outbox
