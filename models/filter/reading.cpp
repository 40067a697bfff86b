// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/reading.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The last term of the filter, which is the one that is being typed.
const FilterTerm *lastTerm(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return &node.term;
    return node.parts.isEmpty() ? nullptr : lastTerm(node.parts.last());
}

bool consistsOf(QStringView text, QStringView letters)
{
    return std::all_of(text.begin(), text.end(),
                       [letters](QChar c) { return letters.contains(c); });
}

bool begins(const QStringList &words, const QString &text)
{
    return std::any_of(words.begin(), words.end(), [&text](const QString &word) {
        return word.startsWith(text, Qt::CaseInsensitive);
    });
}

/// Whether a value could become one of its field when more is typed.
bool mayBecome(const FieldInfo &info, FilterSubject subject, const QString &text)
{
    switch (info.kind) {
    case FilterKind::Words:
        return begins(wordsOf(subject, info.field), text);
    case FilterKind::Presence:
        return begins({u"any"_s, u"none"_s}, text);
    case FilterKind::Number:
    case FilterKind::Size:
    case FilterKind::Duration:
    case FilterKind::Value:
        return consistsOf(text, u"-0123456789.") || begins({u"any"_s, u"none"_s}, text);
    case FilterKind::Time:
        return consistsOf(text, u"-0123456789:.TZ+")
            || begins({u"today"_s, u"yesterday"_s, u"any"_s, u"none"_s}, text);
    case FilterKind::Text:
    case FilterKind::Start:
        break;
    }
    return false;
}

/// Whether the fault is in the value at the very end, and may go away by going on.
bool isBeingTyped(const Filter &filter, FilterSubject subject, const Error &fault, qsizetype size)
{
    const FilterTerm *term = lastTerm(filter.root);
    if (!term || term->isWord() || term->position + term->length < size)
        return false;
    const FieldInfo *info = fieldNamed(subject, term->name());
    const FilterValue &value = term->values.last();
    if (!info || value.quoted)
        return false;
    if (value.isRange())
        return fault.position >= value.endPosition() && mayBecome(*info, subject, value.to);
    return fault.position >= value.position && mayBecome(*info, subject, value.text);
}

} // namespace

FilterReading readFilter(const QString &text, FilterSubject subject, const QDateTime &now)
{
    FilterReading reading;
    FilterParse parse = parseFilter(text);
    if (parse.fault) {
        reading.status = parse.incomplete ? FilterStatus::Incomplete : FilterStatus::Wrong;
        reading.fault = parse.fault;
        const FilterTerm &term = parse.unfinished;
        if (parse.incomplete && !term.isWord() && !fieldNamed(subject, term.name())) {
            // No value makes a field of it.
            reading.status = FilterStatus::Wrong;
            reading.fault = fieldFault(term, subject).value();
        }
        return reading;
    }
    auto checks = checksOf(parse.filter, subject, now);
    if (!checks) {
        reading.fault = checks.error();
        reading.status = isBeingTyped(parse.filter, subject, checks.error(), text.size())
            ? FilterStatus::Incomplete
            : FilterStatus::Wrong;
        return reading;
    }
    reading.filter = std::move(parse.filter);
    reading.checks = *std::move(checks);
    return reading;
}

} // namespace outbox
