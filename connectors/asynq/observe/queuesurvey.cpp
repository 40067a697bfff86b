// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/queuesurvey.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/tasknames.h"
#include "connectors/asynq/observe/taskread.h"

#include <algorithm>
#include <array>
#include <utility>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 pageIds = 100;
constexpr qint64 pageOverlap = 20; ///< removals on the left shift the rest towards it
constexpr qint64 longestPageMessage = 1024LL * 1024;
constexpr qint64 passIds = 1000;
constexpr qsizetype surveyHeadCommands = 3;

quint64 shortened(const QByteArray &id)
{
    return qHash(QByteArrayView(id), 0);
}

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

enum class QueueSurvey::Phase {
    Keys,
    Pending,
    Active,
    Lease,
    Scheduled,
    Retry,
    Archived,
    Completed,
    Groups,
    Hashes,
    Locks,
    Done,
};

struct QueueSurvey::Member
{
    QByteArray id;
    Place place;
};

QueueSurvey::QueueSurvey(RedisConnection &connection, const QueueName &queue,
                         qint64 patienceSeconds, bool scansKeys)
    : m_connection(connection), m_queue(queue), m_keys(queue), m_patienceSeconds(patienceSeconds),
      m_scansKeys(scansKeys)
{ }

void QueueSurvey::resumeAt(int phase, const QByteArray &cursor, const Suspects &suspects)
{
    m_phase = static_cast<Phase>(std::clamp(phase, 0, static_cast<int>(Phase::Done)));
    m_cursor = cursor;
    m_suspects = suspects;
    m_knowsLists = m_phase <= Phase::Pending && cursor.isEmpty();
}

QString QueueSurvey::doing() const
{
    return u"looking through the queue %1"_s.arg(m_queue.text);
}

QString QueueSurvey::phaseText() const
{
    static constexpr std::array names{"keys",      "pending", "active",   "leases",
                                      "scheduled", "retry",   "archived", "completed",
                                      "groups",    "hashes",  "locks",    "end"};
    return u"%1 of %2"_s.arg(QLatin1StringView(names.at(static_cast<std::size_t>(m_phase))),
                             m_queue.text);
}

void QueueSurvey::suspect(const QByteArray &id, const QByteArray &groupKey)
{
    QByteArrayList &groups = m_suspects[id];
    if (!groupKey.isEmpty() && !groups.contains(groupKey))
        groups += groupKey;
}

Finding QueueSurvey::aboutKey(FindingKind kind, const QByteArray &key,
                              const QString &evidence) const
{
    Finding finding;
    finding.kind = kind;
    finding.queue = m_queue;
    finding.subject = QString::fromUtf8(key);
    finding.evidence = evidence;
    return finding;
}

bool QueueSurvey::isDone() const
{
    return m_phase == Phase::Done;
}

void QueueSurvey::leavePhase()
{
    m_phase = static_cast<Phase>(static_cast<int>(m_phase) + 1);
    if (m_phase == Phase::Hashes && !m_scansKeys)
        m_phase = Phase::Done;
    m_cursor.clear();
}

Result<void> QueueSurvey::readTime()
{
    const auto reply = TRY(askAll(m_connection, {{"TIME"}}, doing()));
    m_now = redisTime(reply.first()).toSecsSinceEpoch();
    return {};
}

Result<SurveyPage> QueueSurvey::next()
{
    TRY(readTime());
    Result<SurveyPage> page = pageOfPhase();
    if (page || page.error().code != "WRONGTYPE"_L1)
        return page;
    SurveyPage skipped;
    skipped.notes += u"%1 was not read: its key is of the wrong type"_s.arg(phaseText());
    leavePhase();
    return skipped;
}

Result<SurveyPage> QueueSurvey::pageOfPhase()
{
    switch (m_phase) {
    case Phase::Keys:
        return lookAtKeys();
    case Phase::Pending:
        return pageOfList(TaskState::Pending);
    case Phase::Active:
        return pageOfList(TaskState::Active);
    case Phase::Lease:
        return pageOfLeases();
    case Phase::Scheduled:
        return pageOfSet(TaskState::Scheduled, m_keys.scheduled());
    case Phase::Retry:
        return pageOfSet(TaskState::Retry, m_keys.retry());
    case Phase::Archived:
        return pageOfSet(TaskState::Archived, m_keys.archived());
    case Phase::Completed:
        return pageOfSet(TaskState::Completed, m_keys.completed());
    case Phase::Groups:
        return pageOfGroups();
    case Phase::Hashes:
        return pageOfHashes();
    case Phase::Locks:
        return pageOfLocks();
    case Phase::Done:
        break;
    }
    return SurveyPage();
}

Result<SurveyPage> QueueSurvey::pageOfList(TaskState state)
{
    const qint64 start = m_cursor.toLongLong();
    const auto ids = TRY(askAll(m_connection,
                                {{"LRANGE", m_keys.container(state), QByteArray::number(start),
                                  QByteArray::number(start + pageIds - 1)}},
                                doing()));
    QList<Member> members;
    for (const RedisReply &id : ids.first().elements) {
        members += Member{id.bytes, {state, {}, {}}};
        m_listed.insert(shortened(id.bytes));
    }
    auto page = judged(members);
    if (!page)
        return page;
    if (members.size() < pageIds)
        leavePhase();
    else
        m_cursor = QByteArray::number(start + pageIds - pageOverlap);
    return page;
}

Result<QList<RedisReply>> QueueSurvey::scan(const RedisCommand &command, const QByteArray &cursor)
{
    RedisCommand step = command;
    step.insert(command.first() == "SCAN" ? 1 : 2, cursor.isEmpty() ? QByteArray("0") : cursor);
    QList<RedisCommand> commands{step};
    if (command.first() == "SCAN") // it names no key: a node that gives the slot away tells it here
        commands += RedisCommand{"EXISTS", m_keys.rightsTry()};
    const auto reply = TRY(askAll(m_connection, commands, doing()));
    const QList<RedisReply> &parts = reply.first().elements;
    if (parts.size() != 2)
        return fail(Error::Kind::Protocol, doing(), u"the answer to a scan makes no sense"_s);
    return parts;
}

Result<SurveyPage> QueueSurvey::pageOfSet(TaskState state, const QByteArray &key)
{
    const auto parts = TRY(scan({"ZSCAN", key, "COUNT", QByteArray::number(pageIds)}, m_cursor));
    QList<Member> members;
    const QList<RedisReply> &pairs = parts.at(1).elements;
    for (qsizetype i = 0; i + 1 < pairs.size(); i += 2)
        members += Member{pairs.at(i).bytes, {state, pairs.at(i + 1).bytes, {}}};
    auto page = judged(members);
    if (!page)
        return page;
    m_cursor = parts.at(0).bytes;
    if (m_cursor == "0")
        leavePhase();
    return page;
}

Result<SurveyPage> QueueSurvey::pageOfLeases()
{
    TRY(rememberLists());
    const auto parts
        = TRY(scan({"ZSCAN", m_keys.lease(), "COUNT", QByteArray::number(pageIds)}, m_cursor));
    const QList<RedisReply> &pairs = parts.at(1).elements;
    QByteArrayList ids;
    QList<RedisCommand> commands;
    for (qsizetype i = 0; i + 1 < pairs.size(); i += 2) {
        ids += pairs.at(i).bytes;
        commands += {"HGET", m_keys.task(ids.last()), "state"};
    }
    const auto states = TRY(ask(m_connection, commands, doing()));
    for (qsizetype i = 0; i < ids.size(); ++i) {
        if (states.at(i).bytes != "active" || !m_listed.contains(shortened(ids.at(i))))
            suspect(ids.at(i));
    }
    m_cursor = parts.at(0).bytes;
    if (m_cursor == "0")
        leavePhase();
    return SurveyPage();
}

Result<void> QueueSurvey::listGroups()
{
    m_groups.clear();
    QByteArray cursor;
    while (cursor != "0") {
        const auto parts = TRY(scan({"SSCAN", m_keys.groups(), "COUNT", "1000"}, cursor));
        for (const RedisReply &group : parts.at(1).elements)
            m_groups += m_keys.group(group.bytes);
        cursor = parts.at(0).bytes;
    }
    cursor.clear();
    while (cursor != "0") {
        const auto parts = TRY(scan({"ZSCAN", m_keys.aggregationSets(), "COUNT", "1000"}, cursor));
        for (qsizetype i = 0; i + 1 < parts.at(1).elements.size(); i += 2)
            m_groups += parts.at(1).elements.at(i).bytes;
        cursor = parts.at(0).bytes;
    }
    std::sort(m_groups.begin(), m_groups.end());
    m_groups.erase(std::unique(m_groups.begin(), m_groups.end()), m_groups.end());
    return {};
}

/// The cursor is that of a group's sorted set, a blank, and the group's key. The groups are gone
/// through in the order of their keys, so that a resumption finds its place among others.
Result<SurveyPage> QueueSurvey::pageOfGroups()
{
    const qsizetype blank = m_cursor.indexOf(' ');
    const QByteArray stopped = m_cursor.mid(blank + 1);
    if (!m_knowsGroups) {
        TRY(listGroups());
        m_groups.removeIf([&](const QByteArray &key) { return key < stopped; });
        m_knowsGroups = true;
    }
    if (m_groups.isEmpty()) {
        leavePhase();
        return SurveyPage();
    }
    const QByteArray key = m_groups.first();
    const QByteArray inside = key == stopped ? m_cursor.left(blank) : QByteArray("0");
    const auto parts = scan({"ZSCAN", key, "COUNT", QByteArray::number(pageIds)}, inside);
    if (!parts && parts.error().code != "WRONGTYPE"_L1)
        return passOn(parts);
    Result<SurveyPage> page;
    if (parts) {
        QList<Member> members;
        const QList<RedisReply> &pairs = parts->at(1).elements;
        for (qsizetype i = 0; i + 1 < pairs.size(); i += 2)
            members
                += Member{pairs.at(i).bytes, {TaskState::Aggregating, pairs.at(i + 1).bytes, key}};
        page = judged(members);
    } else {
        page->findings += aboutKey(FindingKind::WrongType, key, u"a group is no sorted set"_s);
    }
    if (!page)
        return page;
    if (parts && parts->at(0).bytes != "0") {
        m_cursor = parts->at(0).bytes + ' ' + key;
        return page;
    }
    m_groups.removeFirst();
    if (m_groups.isEmpty())
        leavePhase();
    else
        m_cursor = "0 " + m_groups.first();
    return page;
}

/// A survey that was resumed has not seen the lists: they are passed once more, ids only.
Result<void> QueueSurvey::rememberLists()
{
    if (m_knowsLists)
        return {};
    for (const TaskState state : {TaskState::Pending, TaskState::Active}) {
        qint64 start = 0;
        qsizetype got = passIds;
        while (got == passIds) {
            const auto ids = askAll(m_connection,
                                    {{"LRANGE", m_keys.container(state), QByteArray::number(start),
                                      QByteArray::number(start + passIds - 1)}},
                                    doing());
            if (!ids && ids.error().code == "WRONGTYPE"_L1)
                break;
            if (!ids)
                return passOn(ids);
            for (const RedisReply &id : ids->first().elements)
                m_listed.insert(shortened(id.bytes));
            got = ids->first().elements.size();
            start += passIds - pageOverlap;
        }
    }
    m_knowsLists = true;
    return {};
}

Result<SurveyPage> QueueSurvey::judged(const QList<Member> &members)
{
    QList<RedisCommand> heads;
    for (const Member &member : members) {
        const QByteArray key = m_keys.task(member.id);
        heads += {"HMGET", key, "state", "group", "unique_key"};
        heads += {"HSTRLEN", key, "msg"};
        heads += {"ZSCORE", m_keys.lease(), member.id};
    }
    const auto replies = TRY(ask(m_connection, heads, doing()));

    SurveyPage page;
    QList<RedisCommand> reads;
    QList<qsizetype> readRows;
    QList<TaskFacts> all;
    for (qsizetype i = 0; i < members.size(); ++i) {
        const RedisReply &fields = replies.at(i * surveyHeadCommands);
        TaskFacts facts;
        facts.id = members.at(i).id;
        facts.state = fields.elements.value(0).bytes;
        facts.messageBytes = fields.isError() ? 0 : replies.at(i * surveyHeadCommands + 1).integer;
        facts.keyType = facts.messageBytes > 0 ? "hash" : "none"; // what it is exactly comes later
        facts.lease = replies.at(i * surveyHeadCommands + 2).bytes;
        facts.places += members.at(i).place;
        if (facts.messageBytes > 0 && facts.messageBytes <= longestPageMessage) {
            reads += {"HGET", m_keys.task(facts.id), "msg"};
            readRows += i;
        }
        all += facts;
    }
    const auto messages = TRY(ask(m_connection, reads, doing()));
    for (qsizetype i = 0; i < readRows.size(); ++i) {
        TaskFacts &facts = all[readRows.at(i)];
        facts.messageBytes = messages.at(i).bytes.size(); // it may have been written anew
        takeMessage(messages.at(i).bytes, facts);
    }
    for (const TaskFacts &facts : std::as_const(all)) {
        if (diagnose(facts, m_now, m_patienceSeconds, m_hasLeases))
            suspect(facts.id, facts.places.first().key);
        Task task = facts.message;
        task.id.text = QString::fromUtf8(facts.id);
        task.queue = m_queue;
        task.state = facts.places.first().state;
        page.tasks += task;
    }
    return page;
}

// The part of the walk that goes by keys: the queue's own, stray hashes, unique locks.

Result<SurveyPage> QueueSurvey::lookAtKeys()
{
    const QList<FixedKey> fixed = fixedKeys(m_keys);
    const QByteArray patient = QByteArray::number(m_now - m_patienceSeconds);
    const QByteArray stale = QByteArray::number(m_now - archiveDays * secondsOfDay);
    const RedisCommand asksList{"SISMEMBER", allQueues, m_queue.text.toUtf8()};
    QList<RedisCommand> commands{
        m_isListed ? RedisCommand{"PING"} : asksList, // the replies stay in step
        {"EXISTS", m_keys.deadlines()},
        {"ZCARD", m_keys.archived()},
        {"ZCOUNT", m_keys.archived(), "-inf", stale},
        {"ZRANGEBYSCORE", m_keys.aggregationSets(), "-inf", patient, "LIMIT", "0", "1000"},
    };
    const qsizetype types = commands.size();
    for (const FixedKey &one : fixed)
        commands += {"TYPE", one.key};
    const auto replies = TRY(ask(m_connection, commands, doing()));

    SurveyPage page;
    QStringList there;
    for (qsizetype i = 0; i < fixed.size(); ++i) {
        const RedisReply &type = replies.at(types + i);
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
    const bool isListed
        = m_isListed.value_or(replies.at(0).isError() || replies.at(0).integer != 0);
    if (!isListed && !there.isEmpty()) {
        page.findings += aboutKey(FindingKind::QueueNotListed, m_queue.text.toUtf8(),
                                  u"these keys of it are there: %1"_s.arg(there.join(u", "_s)));
    }
    m_hasLeases = replies.at(1).integer == 0;
    if (!m_hasLeases)
        page.notes
            += u"%1 is served by workers before 0.22, which have no leases"_s.arg(m_queue.text);
    const qint64 archived = replies.at(2).integer;
    const qint64 old = replies.at(3).integer;
    if (archived >= mostArchived || old >= mostStaleArchived) {
        page.findings += aboutKey(
            FindingKind::ArchiveTooLarge, m_keys.archived(),
            u"%1 tasks, %2 of them older than %3 days"_s.arg(archived).arg(old).arg(archiveDays));
    }
    for (const RedisReply &set : replies.at(4).elements) {
        page.findings += aboutKey(FindingKind::LeaseNobodyRecovers, set.bytes,
                                  u"an aggregation set past its deadline"_s);
    }
    leavePhase();
    return page;
}

Result<QByteArrayList> QueueSurvey::scanKeys(const QByteArray &prefix)
{
    const auto parts
        = TRY(scan({"SCAN", "MATCH", literally(prefix) + '*', "COUNT", "1000"}, m_cursor));
    m_cursor = parts.at(0).bytes;
    QByteArrayList rest;
    for (const RedisReply &key : parts.at(1).elements)
        rest += key.bytes.mid(prefix.size());
    return rest;
}

Result<SurveyPage> QueueSurvey::pageOfHashes()
{
    TRY(rememberLists());
    const QByteArray before = m_cursor;
    const auto ids = TRY(scanKeys(m_keys.taskPrefix()));
    QList<RedisCommand> commands;
    for (const QByteArray &id : ids) {
        commands += {"HMGET", m_keys.task(id), "state", "group"};
        commands += {"HSTRLEN", m_keys.task(id), "msg"};
    }
    const auto replies = ask(m_connection, commands, doing());
    QList<RedisCommand> scores;
    QByteArrayList scored;
    for (qsizetype i = 0; replies && i < ids.size(); ++i) {
        const QByteArray &id = ids.at(i);
        const RedisReply &fields = replies->at(i * hashCommands);
        const auto state = stateFromHash(fields.elements.value(0).bytes);
        const QByteArray group = fields.elements.value(1).bytes;
        if (replies->at(i * hashCommands + 1).integer == 0 || !state) {
            suspect(id); // no hash, no message, or no word of asynq
        } else if (*state == TaskState::Pending || *state == TaskState::Active) {
            if (!m_listed.contains(shortened(id)))
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
    page.keys = ids.size();
    if (m_cursor == "0")
        leavePhase();
    return page;
}

/// A lock is taken together with its task and freed by it: it is looked at twice in a row.
Result<SurveyPage> QueueSurvey::pageOfLocks()
{
    const QByteArray before = m_cursor;
    const auto names = TRY(scanKeys(m_keys.lockPrefix()));
    QByteArrayList locks;
    for (const QByteArray &name : names)
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
    page.keys = names.size();
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
    const auto owners = TRY(ask(m_connection, commands, doing()));
    commands.clear();
    for (const RedisReply &owner : owners)
        commands += {"HGET", m_keys.task(owner.bytes), "unique_key"};
    const auto held = TRY(ask(m_connection, commands, doing()));
    QHash<QByteArray, QByteArray> stray;
    for (qsizetype i = 0; i < locks.size(); ++i) {
        const RedisReply &owner = owners.at(i);
        if (owner.kind == RedisReply::Kind::Bulk && !held.at(i).isError()
            && held.at(i).bytes != locks.at(i)) {
            stray.insert(locks.at(i), owner.bytes);
        }
    }
    return stray;
}

} // namespace outbox::asynq
