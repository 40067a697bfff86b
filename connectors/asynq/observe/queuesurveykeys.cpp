// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the walk that goes by keys: the queue's own, stray hashes, unique locks.
#include "connectors/asynq/observe/queuesurvey.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/tasknames.h"
#include "connectors/asynq/observe/taskread.h"

#include <algorithm>
#include <array>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 archiveDays = 90;
constexpr qint64 secondsOfDay = 86'400;
constexpr qint64 mostStaleArchived = 8'000; ///< more do not fit into one Lua call of a worker
constexpr qint64 mostArchived = 16'000; ///< asynq keeps 9,999; its script breaks near 18,000
constexpr qsizetype hashCommands = 2;

struct FixedKey
{
    QByteArray key;
    QByteArrayView type;
};

QList<FixedKey> fixedKeys(const QueueKeys &keys)
{
    return {{keys.pending(), "list"},        {keys.active(), "list"}, {keys.lease(), "zset"},
            {keys.scheduled(), "zset"},      {keys.retry(), "zset"},  {keys.archived(), "zset"},
            {keys.completed(), "zset"},      {keys.groups(), "set"},  {keys.paused(), "string"},
            {keys.aggregationSets(), "zset"}};
}

} // namespace

Result<SurveyPage> QueueSurvey::lookAtKeys()
{
    const QList<FixedKey> fixed = fixedKeys(m_keys);
    const QByteArray patient = QByteArray::number(m_now - m_terms.patienceSeconds);
    const QByteArray stale = QByteArray::number(m_now - archiveDays * secondsOfDay);
    QList<RedisCommand> commands{
        {"SISMEMBER", allQueues, m_queue.text.toUtf8()},
        {"EXISTS", m_keys.deadlines()},
        {"ZCARD", m_keys.archived()},
        {"ZCOUNT", m_keys.archived(), "-inf", stale},
        {"ZRANGEBYSCORE", m_keys.aggregationSets(), "-inf", patient, "LIMIT", "0", "1000"},
    };
    const qsizetype types = commands.size();
    for (const FixedKey &one : fixed)
        commands += {"TYPE", one.key};
    const auto replies = ask(m_connection, commands, doing());
    if (!replies)
        return passOn(replies);

    SurveyPage page;
    QStringList there;
    for (qsizetype i = 0; i < fixed.size(); ++i) {
        const RedisReply &type = replies->at(types + i);
        if (type.isError())
            return tl::unexpected(errorFromReply(type, doing(), m_connection.asker()));
        if (type.bytes == "none")
            continue;
        there += QString::fromUtf8(fixed.at(i).key.mid(m_keys.prefix().size()));
        if (type.bytes != fixed.at(i).type) {
            page.findings += aboutKey(
                FindingKind::WrongType, fixed.at(i).key,
                u"it holds a %1 instead of a %2"_s.arg(QString::fromLatin1(type.bytes),
                                                       QString::fromLatin1(fixed.at(i).type)));
        }
    }
    if (!replies->at(0).isError() && replies->at(0).integer == 0 && !there.isEmpty()) {
        page.findings += aboutKey(FindingKind::QueueNotListed, m_queue.text.toUtf8(),
                                  u"these keys of it are there: %1"_s.arg(there.join(u", "_s)));
    }
    m_hasLeases = replies->at(1).integer == 0;
    if (!m_hasLeases)
        page.notes
            += u"%1 is served by workers before 0.22, which have no leases"_s.arg(m_queue.text);
    const qint64 archived = replies->at(2).integer;
    const qint64 old = replies->at(3).integer;
    if (archived >= mostArchived || old >= mostStaleArchived) {
        page.findings += aboutKey(
            FindingKind::ArchiveTooLarge, m_keys.archived(),
            u"%1 tasks, %2 of them older than %3 days"_s.arg(archived).arg(old).arg(archiveDays));
    }
    for (const RedisReply &set : replies->at(4).elements) {
        page.findings += aboutKey(FindingKind::LeaseNobodyRecovers, set.bytes,
                                  u"an aggregation set past its deadline"_s);
    }
    leavePhase();
    return page;
}

Result<QByteArrayList> QueueSurvey::scanKeys(const QByteArray &prefix)
{
    const auto parts = scan({"SCAN", "MATCH", literally(prefix) + '*', "COUNT", "1000"}, m_cursor);
    if (!parts)
        return passOn(parts);
    m_cursor = parts->at(0).bytes;
    QByteArrayList rest;
    for (const RedisReply &key : parts->at(1).elements)
        rest += key.bytes.mid(prefix.size());
    return rest;
}

Result<SurveyPage> QueueSurvey::pageOfHashes()
{
    if (auto read = rememberLists(); !read)
        return passOn(read);
    const QByteArray before = m_cursor;
    const auto ids = scanKeys(m_keys.taskPrefix());
    if (!ids)
        return passOn(ids);
    QList<RedisCommand> commands;
    for (const QByteArray &id : *ids) {
        commands += {"HMGET", m_keys.task(id), "state", "group"};
        commands += {"HSTRLEN", m_keys.task(id), "msg"};
    }
    const auto replies = ask(m_connection, commands, doing());
    QList<RedisCommand> scores;
    QByteArrayList scored;
    for (qsizetype i = 0; replies && i < ids->size(); ++i) {
        const QByteArray &id = ids->at(i);
        const RedisReply &fields = replies->at(i * hashCommands);
        const auto state = stateFromHash(fields.elements.value(0).bytes);
        const QByteArray group = fields.elements.value(1).bytes;
        if (replies->at(i * hashCommands + 1).integer == 0 || !state) {
            suspect(id); // no hash, no message, or no word of asynq
        } else if (*state == TaskState::Pending || *state == TaskState::Active) {
            if (!m_listed.contains(qHash(QByteArrayView(id), 0)))
                suspect(id);
        } else {
            scores += {"ZSCORE",
                       *state == TaskState::Aggregating ? m_keys.group(group)
                                                        : m_keys.container(*state),
                       id};
            scored += id;
        }
    }
    const auto places = replies ? ask(m_connection, scores, doing()) : replies;
    if (!places) {
        m_cursor = before;
        return passOn(places);
    }
    for (qsizetype i = 0; i < scored.size(); ++i) {
        if (places->at(i).kind != RedisReply::Kind::Bulk)
            suspect(scored.at(i));
    }
    SurveyPage page;
    page.keys = ids->size();
    if (m_cursor == "0")
        leavePhase();
    return page;
}

/// A lock is taken together with its task and freed by it: it is looked at twice in a row.
Result<SurveyPage> QueueSurvey::pageOfLocks()
{
    const QByteArray before = m_cursor;
    const auto names = scanKeys(m_keys.lockPrefix());
    if (!names)
        return passOn(names);
    QByteArrayList locks;
    for (const QByteArray &name : *names)
        locks += m_keys.lockPrefix() + name;
    QHash<QByteArray, QByteArray> freeIn; ///< lock → id, of the look before
    for (int look = 0; look < 2 && !locks.isEmpty(); ++look) {
        const auto seen = strayLocks(locks);
        if (!seen) {
            m_cursor = before;
            return passOn(seen);
        }
        locks.removeIf([&](const QByteArray &lock) {
            return !seen->contains(lock) || (look > 0 && freeIn.value(lock) != seen->value(lock));
        });
        freeIn = *seen;
    }
    SurveyPage page;
    page.keys = names->size();
    for (const QByteArray &lock : std::as_const(locks)) {
        const QByteArray id = freeIn.value(lock);
        Finding finding = aboutKey(
            FindingKind::LockWithoutTask, lock,
            u"it names the task %1, which does not hold it"_s.arg(QString::fromUtf8(id)));
        finding.task.text = QString::fromUtf8(id);
        finding.signature = QString::fromUtf8(id + ' ' + lock);
        page.findings += finding;
    }
    if (m_cursor == "0")
        leavePhase();
    return page;
}

Result<QHash<QByteArray, QByteArray>> QueueSurvey::strayLocks(const QByteArrayList &locks)
{
    QList<RedisCommand> commands;
    for (const QByteArray &lock : locks)
        commands += {"GET", lock};
    const auto owners = ask(m_connection, commands, doing());
    if (!owners)
        return passOn(owners);
    commands.clear();
    for (const RedisReply &owner : *owners)
        commands += {"HGET", m_keys.task(owner.bytes), "unique_key"};
    const auto held = ask(m_connection, commands, doing());
    if (!held)
        return passOn(held);
    QHash<QByteArray, QByteArray> stray;
    for (qsizetype i = 0; i < locks.size(); ++i) {
        const RedisReply &owner = owners->at(i);
        if (owner.kind == RedisReply::Kind::Bulk && !held->at(i).isError()
            && held->at(i).bytes != locks.at(i)) {
            stray.insert(locks.at(i), owner.bytes);
        }
    }
    return stray;
}

} // namespace outbox::asynq
