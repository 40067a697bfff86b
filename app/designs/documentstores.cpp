// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/documentstores.h"

#include "app/settings/opening.h"
#include "models/health/promise.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

template <typename Store, typename Place, typename... Where>
Result<void> openAs(Store &store, Place *&place, const Where &...where)
{
    auto opened = store.open(where...);
    if (opened)
        place = &store;
    return opened;
}

} // namespace

Result<QHash<QString, bool>> areDone(const QList<const OutboxEntry *> &entries, DedupStore *done,
                                     TokenStore *tokens)
{
    QHash<QString, bool> known;
    QStringList asked;
    for (const OutboxEntry *entry : entries) {
        if (done)
            asked += entry->incoming;
        else if (tokens && !entry->token.isEmpty())
            asked += entry->token;
    }
    if (asked.isEmpty() || (!done && !tokens))
        return known;
    const auto have = TRY(done ? done->have(asked) : tokens->have(asked));
    for (const OutboxEntry *entry : entries) {
        if (done)
            known.insert(entry->incoming, have.contains(entry->incoming));
        else if (!entry->token.isEmpty()) // the token is the right to execute it: gone means done
            known.insert(entry->incoming, !have.contains(entry->token));
    }
    return known;
}

Result<void> DocumentStores::open(const DesignPlace &place, StoreAccess access)
{
    const bool looks = access == StoreAccess::ReadOnly;
    m_watch.reset();
    TRY(m_documents.open(looks ? place.look : place.act, place.shape));
    if (place.design != Design::EntityState) {
        TRY(openOther(place, access));
    }
    if (looks)
        return {};
    if (!place.actRedis) {
        return fail(Error::Kind::Unsupported, u"opening the queue"_s, u"no Redis was named"_s, {},
                    u"Give --redis URL"_s);
    }
    return openQueue(place);
}

/// As strict as the relay of rows: an entry is given up for what the queue holds.
Result<void> DocumentStores::openQueue(const DesignPlace &place)
{
    const QString doing = u"opening the queue"_s;
    if (place.rules.retentionSeconds < 1) {
        return fail(Error::Kind::Refused, doing,
                    u"without a retention the queue takes a copy of a message once more"_s, {},
                    u"Give --retention 24h, or as long as a copy may be under way"_s);
    }
    watchMaster(place);
    TRY(m_queue.open(*place.actRedis, place.sessionName));
    m_queue.checkServer(place.actRedis->isCluster() ? whyRelayMustNotUseNode
                                                    : whyRelayMustNotStart);
    auto judged = m_queue.judge();
    if (!judged && judged.error().code.isEmpty() && judged.error().kind == Error::Kind::Refused)
        judged.error().doing = doing; // the rule says no
    return judged ? mayCommit() : judged;
}

void DocumentStores::watchMaster(const DesignPlace &place)
{
    if (place.actRedis && !m_watch)
        m_watch = masterWatchOf(*place.actRedis, place.sessionName);
}

Result<void> DocumentStores::mayCommit() const
{
    if (!m_watch || !m_watch->isInDoubt())
        return {};
    return fail(Error::Kind::Unreachable, u"relying on Redis"_s,
                u"its master fails over, and what it took may be lost"_s, {},
                u"Look again when the failover is over"_s);
}

Result<void> DocumentStores::openOther(const DesignPlace &place, StoreAccess access)
{
    const QString doing = u"opening the store beside the documents"_s;
    const bool looks = access == StoreAccess::ReadOnly;
    const bool hasTokens = place.design == Design::Tokens;
    const StoreSettings &settings = looks ? place.look : place.act;
    m_done = nullptr;
    m_tokens = nullptr;
    if (place.doneTable) {
        TRY(hasTokens ? openAs(m_tokenTable, m_tokens, settings, *place.doneTable)
                      : openAs(m_dedupTable, m_done, settings, *place.doneTable));
    } else if (place.doneKeys && place.lookRedis && place.actRedis) {
        if (!looks)
            watchMaster(place);
        const RedisEndpoint &endpoint = looks ? *place.lookRedis : *place.actRedis;
        const auto how = looks ? RedisConnection::Access::ReadOnly : RedisConnection::Access::Act;
        TRY(hasTokens
                ? openAs(m_tokenSet, m_tokens, endpoint, how, place.sessionName, *place.doneKeys)
                : openAs(m_dedupKeys, m_done, endpoint, how, place.sessionName, *place.doneKeys));
    } else if (!looks) {
        return fail(Error::Kind::Invalid, doing, u"no store was named"_s, {},
                    u"Give --done-table NAME, or --done-prefix PREFIX with --redis URL"_s);
    }
    if (const auto found = trust(); !looks && !found->holds) {
        return fail(Error::Kind::Refused, doing, found->words, {},
                    u"Name a store whose reads are never stale and whose records last"_s);
    }
    return mayCommit();
}

std::optional<StoreDurability> DocumentStores::trust() const
{
    if (m_tokens)
        return m_tokens->trust();
    return m_done ? std::optional(m_done->trust()) : std::nullopt;
}

Result<QHash<QString, bool>> DocumentStores::areDone(const QList<OutboxEntry> &entries)
{
    QList<const OutboxEntry *> all;
    all.reserve(entries.size());
    for (const OutboxEntry &entry : entries)
        all += &entry;
    return outbox::areDone(all, m_done, m_tokens);
}

void DocumentStores::interrupt() noexcept
{
    m_documents.interrupt();
    m_dedupTable.interrupt();
    m_tokenTable.interrupt();
}

Result<DesignPlace> designPlaceOf(const Profile &profile, const ProfilePasswords &looking,
                                  const ProfilePasswords &acting, const QString &program)
{
    const QString doing = u"looking for the documents"_s;
    if (profile.databaseUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, doing, u"no database was named"_s, {},
                    u"Give its URL and the table of the documents"_s);
    }
    if (!profile.design)
        return fail(Error::Kind::Invalid, doing, u"the profile names no design of documents"_s);
    if (const QString why = profile.design->problem(profile.retentionSeconds); !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    DesignPlace place;
    place.design = profile.design->design;
    place.shape = profile.design->documents;
    place.doneTable = profile.design->doneTable;
    place.doneKeys = profile.design->doneKeys;
    place.rules.queue.text = profile.queue;
    place.rules.retentionSeconds = profile.retentionSeconds;
    place.sessionName = sessionName(program);
    place.look = TRY(storeSettingsOf(profile, looking, StoreAccess::ReadOnly, program));
    place.act = TRY(storeSettingsOf(profile, acting, StoreAccess::Act, program));
    if (profile.redisUrl.isEmpty())
        return place;
    place.lookRedis = TRY(redisOf(profile, looking));
    place.actRedis = TRY(actingRedisOf(profile, acting));
    return place;
}

OutboxShape documentsAsShape(const DesignProfile &design)
{
    OutboxShape shape;
    shape.table = design.documents.table;
    return shape;
}

} // namespace outbox
