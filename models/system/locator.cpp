// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/locator.h"

#include "models/filter/completion.h"
#include "models/translation.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using LocatedKind = LocatorEntry::Kind;

constexpr qsizetype longestId = 512; ///< characters, as the Dedup page takes it

bool hasAllWords(const QString &name, const QStringList &words)
{
    return std::all_of(words.begin(), words.end(), [&name](const QString &word) {
        return name.contains(word, Qt::CaseInsensitive);
    });
}

/// How many words it is, as an id and the parts of a name are words; 0: it is anything else.
qsizetype bareWords(const QString &text)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        return 0;
    const QList<FilterNode> &parts = filter->root.parts;
    const bool isOfWords = std::all_of(parts.begin(), parts.end(), [](const FilterNode &part) {
        return part.kind == FilterNode::Kind::Term && part.term.isWord()
            && !part.term.values.first().quoted;
    });
    return isOfWords ? parts.size() : 0;
}

/// Whether somebody writes a filter of this subject, ready or not, and not one word alone; the text
/// has `bare` words.
bool isFilterOf(FilterSubject subject, const QString &text, qsizetype bare, const QDateTime &now)
{
    const FilterStatus status = readFilter(text, subject, now).status;
    return status == FilterStatus::Incomplete || (status == FilterStatus::Complete && bare != 1);
}

bool mayBeId(const QString &text, qsizetype bare, bool isNamed, const QDateTime &now)
{
    if (text.size() > longestId)
        return false;
    for (const FilterSubject subject :
         {FilterSubject::Rows, FilterSubject::Tasks, FilterSubject::Activities}) {
        if (isFilterOf(subject, text, bare, now))
            return false;
    }
    return !isNamed
        || std::any_of(text.begin(), text.end(), [](QChar one) { return one.isDigit(); });
}

/// Those of one kind, not more than are shown.
void addFound(LocatorFindings &found, QList<LocatorEntry> entries, const QString &text)
{
    std::stable_partition(entries.begin(), entries.end(), [&text](const LocatorEntry &one) {
        return one.name.startsWith(text, Qt::CaseInsensitive);
    });
    const qsizetype shown = std::min(entries.size(), LocatorFindings::mostOfKind);
    found.entries += entries.first(shown);
    found.more += entries.size() - shown;
}

} // namespace

QString label(LocatorEntry::Kind kind)
{
    constexpr Translation said("outbox::LocatorEntry");
    switch (kind) {
    case LocatedKind::Id:
        return said("Message id");
    case LocatedKind::Page:
        return said("Page");
    case LocatedKind::Action:
        return said("Action");
    case LocatedKind::SavedFilter:
        return said("Saved filter");
    case LocatedKind::Filter:
        return said("Filter");
    case LocatedKind::Profile:
        break;
    }
    return said("Profile");
}

LocatorFindings located(const QString &typed, const LocatorOffer &offer, const QDateTime &now)
{
    LocatorFindings found;
    const QString text = typed.trimmed();
    if (text.size() > Filter::mostCharacters)
        return found;
    static const QRegularExpression blanks(u"\\s+"_s);
    QStringList words = text.split(blanks, Qt::SkipEmptyParts);
    words.removeDuplicates();
    QMap<LocatedKind, QList<LocatorEntry>> kinds;
    for (const LocatorEntry &one : offer.named) {
        if (hasAllWords(one.name, words))
            kinds[one.kind] += one;
    }
    if (!text.isEmpty()) {
        const bool isNamed = !kinds.isEmpty();
        const qsizetype bare = bareWords(text);
        if (!offer.aboutIds.isEmpty() && mayBeId(text, bare, isNamed, now))
            kinds[LocatedKind::Id] += LocatorEntry{LocatedKind::Id, text, offer.aboutIds};
        if (offer.subject && (bare == 0 || (bare > 1 && !isNamed))
            && readFilter(text, *offer.subject, now).status == FilterStatus::Complete)
            kinds[LocatedKind::Filter]
                += LocatorEntry{LocatedKind::Filter, text, offer.aboutFilters};
    }
    for (const QList<LocatorEntry> &entries : std::as_const(kinds))
        addFound(found, entries, text);
    return found;
}

} // namespace outbox
