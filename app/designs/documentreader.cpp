// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/documentreader.h"

#include "models/elapsed.h"

#include <QElapsedTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int documentsAtOnce = 200;

void older(std::optional<double> &age, const std::optional<double> &other)
{
    if (other && (!age || *age < *other))
        age = other;
}

void add(DocumentSummary &summary, const DocumentFacts &facts)
{
    ++summary.documents;
    summary.bytes += facts.bytes;
    if (facts.bytes > summary.largest.bytes)
        summary.largest = facts;
    summary.undispatched += facts.undispatched.value_or(0);
    summary.dispatched += facts.dispatched.value_or(0);
    summary.malformed += facts.malformed.value_or(0);
    summary.unreadable += facts.undispatched ? 0 : 1;
    older(summary.oldestUndispatchedSeconds, facts.oldestUndispatchedSeconds);
    older(summary.oldestDispatchedSeconds, facts.oldestDispatchedSeconds);
}

/// The messages of an entry that leaked are out: it waits for nothing, however old it is.
DocumentFacts withoutLeaks(DocumentFacts facts, const QList<SeenEntry> &entries, qint64 &leaked)
{
    facts.undispatched = 0;
    facts.oldestUndispatchedSeconds.reset();
    for (const SeenEntry &seen : entries) {
        if (seen.next.kind == FindingKind::LeakedEntry) {
            ++leaked;
        } else if (seen.entry.state == OutboxEntry::State::Undispatched) {
            ++*facts.undispatched;
            older(facts.oldestUndispatchedSeconds, seen.ageSeconds);
        }
    }
    return facts;
}

bool hasEntries(const DocumentFacts &facts)
{
    return facts.undispatched.value_or(1) + facts.dispatched.value_or(0)
        + facts.malformed.value_or(0)
        > 0;
}

/// The first `most` entries of a walk.
struct Kept
{
    qsizetype most = 0;
    QList<SeenEntry> entries;

    [[nodiscard]] DocumentReader::Show show()
    {
        return [this](const SeenEntry &seen) -> Result<bool> {
            if (entries.size() == most)
                return false;
            entries += seen;
            return true;
        };
    }
};

Result<QList<SeenEntry>> keptOf(const Result<bool> &walked, Kept &kept, bool &isCut)
{
    if (!walked)
        return passOn(walked);
    isCut = !*walked;
    return std::move(kept.entries);
}

} // namespace

bool isUnreadable(const Result<QList<SeenEntry>> &entries)
{
    // What a database complains of has its code, and is not the document's.
    return !entries && entries.error().kind == Error::Kind::Invalid
        && entries.error().code.isEmpty();
}

std::optional<double> ageOf(const OutboxEntry &entry, const StoredDocument &document)
{
    if (!entry.made)
        return std::nullopt;
    return double(entry.made->msecsTo(document.readAt)) / 1000;
}

DocumentReader::DocumentReader(DocumentStores &stores, Design design, std::stop_token stop)
    : m_stores(stores), m_design(design), m_stop(std::move(stop))
{ }

Result<QList<SeenEntry>> DocumentReader::entriesOf(const QString &document)
{
    QList<SeenEntry> seen;
    const auto found = TRY(m_stores.documents().find(document));
    if (!found)
        return seen;
    const auto state = TRY(OutboxState::read(found->json, m_stores.documents().shape()));
    const auto done = m_stores.areDone(state.entries()); // after the document: correctness.md 6
    if (!done)
        return passOn(done);
    for (const OutboxEntry &entry : state.entries()) {
        const auto known = done->constFind(entry.incoming);
        const auto isDone = known == done->constEnd() ? std::nullopt : std::optional<bool>(*known);
        seen += SeenEntry{found->id, found->version, entry, nextStep(entry, m_design, isDone),
                          ageOf(entry, *found)};
    }
    return seen;
}

Result<DocumentSummary> DocumentReader::summary(qint64 most)
{
    QElapsedTimer clock;
    clock.start();
    DocumentSummary summary;
    summary.store = m_stores.trust();
    if (summary.store)
        summary.leaked = 0;
    QString after;
    do {
        const auto limit = int(std::min<qint64>(documentsAtOnce, most - summary.documents));
        const auto page = TRY(m_stores.documents().page(after, limit));
        for (const DocumentFacts &facts : page.documents) {
            const bool asks = summary.leaked && hasEntries(facts) && facts.undispatched;
            if (!asks) {
                add(summary, facts);
                continue;
            }
            const auto entries = entriesOf(facts.id);
            if (isUnreadable(entries)) {
                ++summary.documents;
                ++summary.unreadable;
                continue;
            }
            if (!entries)
                return passOn(entries);
            add(summary, withoutLeaks(facts, *entries, *summary.leaked));
        }
        after = page.next;
        summary.exact = page.next.isEmpty();
    } while (!summary.exact && summary.documents < most && !m_stop.stop_requested());
    summary.tookMs = millisecondsOf(clock);
    return summary;
}

Result<bool> DocumentReader::eachUnsettled(const Show &show)
{
    // Where another store knows what is done, an entry that is null may be a leftover too.
    return walk(
        m_design == Design::EntityState,
        [](const SeenEntry &seen) { return seen.next.act != NextStep::Act::Keep; }, show);
}

Result<bool> DocumentReader::eachDispatched(const Show &show)
{
    return walk(
        false,
        [](const SeenEntry &seen) { return seen.entry.state == OutboxEntry::State::Dispatched; },
        show);
}

Result<QList<SeenEntry>> DocumentReader::unsettled(qsizetype most, bool &isCut)
{
    Kept kept{most, {}};
    return keptOf(eachUnsettled(kept.show()), kept, isCut);
}

Result<QList<SeenEntry>> DocumentReader::dispatched(qsizetype most, bool &isCut)
{
    Kept kept{most, {}};
    return keptOf(eachDispatched(kept.show()), kept, isCut);
}

Result<bool> DocumentReader::walk(bool onlyUndispatched, const Wanted &isWanted, const Show &show)
{
    QString after;
    do {
        const auto page = TRY(m_stores.documents().page(after, documentsAtOnce, onlyUndispatched));
        for (const DocumentFacts &facts : page.documents) {
            if (!facts.undispatched || !hasEntries(facts))
                continue; // unreadable ones are counted by the summary
            if (m_stop.stop_requested())
                return false;
            const auto entries = entriesOf(facts.id);
            if (isUnreadable(entries))
                continue;
            if (!entries)
                return passOn(entries);
            for (const SeenEntry &seen : *entries) {
                if (!isWanted(seen))
                    continue;
                auto goesOn = show(seen);
                if (!goesOn || !*goesOn)
                    return goesOn;
            }
        }
        after = page.next;
    } while (!after.isEmpty() && !m_stop.stop_requested());
    return after.isEmpty();
}

} // namespace outbox
