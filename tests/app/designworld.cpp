// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/designworld.h"

#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray taskPrefix = "asynq:{default}:t:";
constexpr qint64 retentionSeconds = 86'400;

QList<EntryIs> entriesOf(Design design)
{
    QList<EntryIs> entries;
    for (int entry = 0; entry <= int(EntryIs::Stubbed); ++entry)
        entries += static_cast<EntryIs>(entry);
    if (design == Design::Tokens)
        entries += EntryIs::Tokenless;
    return entries;
}

QList<StoreSays> storesOf(Design design)
{
    return design == Design::EntityState ? QList<StoreSays>{StoreSays::Nothing}
                                         : QList<StoreSays>{StoreSays::Open, StoreSays::Done};
}

} // namespace

QString word(EntryIs entry)
{
    static const QStringList words{
        u"no document"_s, u"no entry"_s,    u"waiting"_s,       u"half out"_s,  u"all out"_s,
        u"completed"_s,   u"empty"_s,       u"null"_s,          u"null, old"_s, u"null, bare"_s,
        u"unreadable"_s,  u"id is taken"_s, u"id is stubbed"_s, u"keyless"_s};
    return words.at(int(entry));
}

QString word(StoreSays store)
{
    static const QStringList words{u"-"_s, u"open"_s, u"done"_s};
    return words.at(int(store));
}

QByteArray DesignCell::payload(int message) const
{
    return "{\"cell\":" + QByteArray::number(number) + ",\"message\":" + QByteArray::number(message)
        + '}';
}

DesignWorld::DesignWorld(Databases &databases, PrivateRedis &redis, const DesignGround &ground)
    : m_ground(ground), m_url(databases.fresh(ground.dialect)),
      m_address(databases.addressOf(m_url)),
      m_endpoint(RedisEndpoint::fromUrl(queueUrlOf(redis)).value()),
      m_side(std::make_unique<SideSession>(m_url))
{
    const auto opened = openByHand(m_redis, redis);
    if (!opened)
        qFatal("%s", qPrintable(oneLine(opened.error())));
    static_cast<void>(asked({"FLUSHDB"}));
    // json keeps the payloads as they are written here, byte for byte; jsonb would not.
    m_side->all({u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT NULL,"
                 u" document %1 NOT NULL)"_s.arg(
                     ground.dialect == DatabaseUrl::Dialect::Sqlite ? u"text"_s : u"json"_s),
                 u"CREATE TABLE done (id text PRIMARY KEY)"_s,
                 u"CREATE TABLE tokens (id text PRIMARY KEY, attempt text, incoming text)"_s});
    for (const StoreSays store : storesOf(ground.design)) {
        for (const EntryIs entry : entriesOf(ground.design)) {
            m_cells += DesignCell{entry, store, int(m_cells.size())};
            fill(m_cells.constLast());
        }
    }
}

DesignPlace DesignWorld::place() const
{
    DesignPlace place;
    place.design = m_ground.design;
    place.shape.table = TableName::fromText(u"entities"_s);
    place.shape.timeMember = u"at"_s;
    place.rules = {QueueName{u"default"_s}, retentionSeconds};
    place.look = settingsFor(m_url, StoreAccess::ReadOnly);
    place.act = settingsFor(m_url, StoreAccess::Act);
    place.sessionName = u"matrix"_s;
    place.lookRedis = m_endpoint;
    place.actRedis = m_endpoint;
    if (m_ground.design == Design::EntityState)
        return place;
    const bool hasTokens = m_ground.design == Design::Tokens;
    if (m_ground.inRedis) {
        place.doneKeys = hasTokens ? DoneKeys{m_tokens, 0} : DoneKeys{"done:", 0};
        return place;
    }
    DoneTable table;
    table.table = TableName::fromText(hasTokens ? u"tokens"_s : u"done"_s);
    table.attemptColumn = hasTokens ? u"attempt"_s : QString();
    table.incomingColumn = hasTokens ? u"incoming"_s : QString();
    place.doneTable = table;
    return place;
}

bool DesignWorld::isCheckpointed(const DesignCell &cell) const
{
    switch (cell.entry) {
    case EntryIs::HalfOut:
    case EntryIs::AllOut:
    case EntryIs::OutAndDone:
    case EntryIs::Collides:
    case EntryIs::Stubbed:
        return m_ground.design == Design::Tokens;
    default:
        return false;
    }
}

QString DesignWorld::taskId(const DesignCell &cell, int message) const
{
    const QString first = isCheckpointed(cell) ? u"t"_s : u"o"_s;
    return u"%1-%2-%3"_s.arg(first, QString::number(cell.number), QString::number(message));
}

QString DesignWorld::entryText(const DesignCell &cell, EntryIs entry) const
{
    const auto message = [&](int which) -> QString {
        const QString token = isCheckpointed(cell)
            ? QString(u",\"token\":\""_s + taskId(cell, which) + u'"')
            : QString();
        return u"{\"id\":\"o-%1-%2\",\"type\":\"paid\",\"payload\":%3%4}"_s.arg(
            QString::number(cell.number), QString::number(which),
            QString::fromUtf8(cell.payload(which)), token);
    };
    const auto with = [&](const QString &messages, const QString &made) -> QString {
        const bool isNamed = m_ground.design == Design::Tokens && entry != EntryIs::Tokenless;
        return u"{\"OutgoingMessages\":%1,\"at\":\"%2\"%3}"_s.arg(
            messages, made,
            isNamed ? QString(u",\"token\":\""_s + cell.token() + u'"') : QString());
    };
    const QString old = u"2020-01-01T00:00:00Z"_s;
    switch (entry) {
    case EntryIs::NoDocument:
    case EntryIs::NoEntry:
        return {};
    case EntryIs::NullBare:
        return u"null"_s;
    case EntryIs::Unreadable:
        return u"5"_s;
    case EntryIs::NullYoung:
        return with(u"null"_s, QDateTime::currentDateTimeUtc().addSecs(-60).toString(Qt::ISODate));
    case EntryIs::NullOld:
        return with(u"null"_s, old);
    case EntryIs::Empty:
        return with(u"[]"_s, old);
    default:
        return with(u'[' + message(1) + u',' + message(2) + u']', old);
    }
}

QString DesignWorld::documentWith(const DesignCell &cell, EntryIs entry) const
{
    const QString text = entryText(cell, entry);
    return u"{\"Balance\": 12.50, \"OutboxState\": {%1\"other-%2\": {\"OutgoingMessages\": null,"
           " \"at\": \"2999-01-01T00:00:00Z\"}}}"_s.arg(
               text.isEmpty() ? QString() : QString(u"\"%1\": %2, "_s.arg(cell.incoming(), text)),
               QString::number(cell.number));
}

void DesignWorld::fill(const DesignCell &cell)
{
    if (cell.entry != EntryIs::NoDocument)
        putDocument(cell, documentWith(cell, cell.entry));
    if (cell.store != StoreSays::Nothing)
        setDone(cell, cell.store == StoreSays::Done);
    if (isCheckpointed(cell)) {
        for (const int message : {1, 2})
            putToken(taskId(cell, message), u"attempt"_s, cell.incoming());
    }
    placeTasks(cell);
}

void DesignWorld::placeTasks(const DesignCell &cell)
{
    const auto place = [&](int message, TaskState state, const QByteArray &payload) {
        EnqueueRequest request = sampleRequest(taskId(cell, message));
        request.type = u"paid"_s;
        request.payload = payload;
        if (!placeTask(m_redis, request, state))
            qFatal("a task cannot be placed");
    };
    switch (cell.entry) {
    case EntryIs::HalfOut:
        place(1, TaskState::Pending, cell.payload(1));
        break;
    case EntryIs::AllOut:
        place(1, TaskState::Retry, cell.payload(1));
        place(2, TaskState::Pending, cell.payload(2));
        break;
    case EntryIs::OutAndDone:
        place(1, TaskState::Completed, cell.payload(1));
        place(2, TaskState::Completed, cell.payload(2));
        break;
    case EntryIs::Collides: // of the same length
        place(2, TaskState::Pending, QByteArray(cell.payload(2)).replace('{', '['));
        break;
    case EntryIs::Stubbed:
        static_cast<void>(
            asked({"HSET", taskPrefix + taskId(cell, 2).toUtf8(), "state", "active"}));
        break;
    default:
        break;
    }
}

RedisReply DesignWorld::asked(const RedisCommand &command) const
{
    const auto reply = m_redis.command(command, u"asking"_s);
    if (!reply)
        qFatal("%s", qPrintable(oneLine(reply.error())));
    return *reply;
}

void DesignWorld::putDocument(const DesignCell &cell, const QString &json)
{
    const QString found
        = m_side->one(u"SELECT version FROM entities WHERE id = '%1'"_s.arg(cell.document()));
    dropDocument(cell);
    m_side->run(u"INSERT INTO entities VALUES ('%1', %2, '%3')"_s.arg(
        cell.document(), QString::number(found.toInt() + 1), json));
}

void DesignWorld::dropDocument(const DesignCell &cell)
{
    m_side->run(u"DELETE FROM entities WHERE id = '%1'"_s.arg(cell.document()));
}

void DesignWorld::setDone(const DesignCell &cell, bool isDone)
{
    if (m_ground.design == Design::Tokens) { // the token is gone where it is done
        dropToken(cell.token());
        if (!isDone)
            putToken(cell.token(), {}, {});
    } else if (m_ground.inRedis) {
        const QByteArray key = "done:" + cell.incoming().toUtf8();
        static_cast<void>(asked(isDone ? RedisCommand{"SET", key, "1"} : RedisCommand{"DEL", key}));
    } else {
        m_side->run(u"DELETE FROM done WHERE id = '%1'"_s.arg(cell.incoming()));
        if (isDone)
            m_side->run(u"INSERT INTO done VALUES ('%1')"_s.arg(cell.incoming()));
    }
}

void DesignWorld::putToken(const QString &token, const QString &attempt, const QString &incoming)
{
    if (!m_ground.inRedis) {
        m_side->run(
            u"INSERT INTO tokens VALUES ('%1', '%2', '%3')"_s.arg(token, attempt, incoming));
        return;
    }
    static_cast<void>(asked({"SADD", m_tokens, token.toUtf8()}));
    const QString record = u"[\"%1\",\"%2\",1767225600000]"_s.arg(attempt, incoming);
    if (!attempt.isEmpty())
        static_cast<void>(asked({"HSET", m_tokens + ":attempts", token.toUtf8(), record.toUtf8()}));
}

void DesignWorld::dropToken(const QString &token)
{
    if (!m_ground.inRedis) {
        m_side->run(u"DELETE FROM tokens WHERE id = '%1'"_s.arg(token));
        return;
    }
    static_cast<void>(asked({"SREM", m_tokens, token.toUtf8()}));
    static_cast<void>(asked({"HDEL", m_tokens + ":attempts", token.toUtf8()}));
}

void DesignWorld::putTask(const QString &id)
{
    if (!placeTask(m_redis, sampleRequest(id), TaskState::Archived))
        qFatal("a task cannot be placed");
    static_cast<void>(asked({"SADD", "asynq:queues", "default"}));
}

DesignSight DesignWorld::look() const
{
    DesignSight sight;
    for (const QString &row : m_side->run(u"SELECT id || '|' || version || '|' || document FROM"
                                          " entities"_s))
        sight.documents.insert(row.section(u'|', 0, 0), row.section(u'|', 1));
    for (const RedisReply &key : asked({"KEYS", taskPrefix + "*"}).elements) {
        const QByteArray id = key.bytes.mid(taskPrefix.size());
        sight.tasks.insert(QString::fromUtf8(id),
                           asked({"HGET", key.bytes, "state"}).bytes + '|'
                               + asked({"HGET", key.bytes, "msg"}).bytes);
    }
    if (m_ground.design == Design::EntityState)
        return sight;
    if (m_ground.design == Design::Tokens && m_ground.inRedis) {
        for (const RedisReply &member : asked({"SMEMBERS", m_tokens}).elements)
            sight.store.insert(QString::fromUtf8(member.bytes));
    } else if (m_ground.inRedis) {
        for (const RedisReply &key : asked({"KEYS", "done:*"}).elements)
            sight.store.insert(QString::fromUtf8(key.bytes.mid(5)));
    } else {
        const QString table = m_ground.design == Design::Tokens ? u"tokens"_s : u"done"_s;
        for (const QString &id : m_side->run(u"SELECT id FROM "_s + table))
            sight.store.insert(id);
    }
    return sight;
}

QJsonObject DesignWorld::document(const DesignCell &cell) const
{
    const QString json
        = m_side->one(u"SELECT document FROM entities WHERE id = '%1'"_s.arg(cell.document()));
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

QStringList DesignWorld::tasksOf(const DesignCell &cell) const
{
    QStringList ids;
    for (const RedisReply &key : asked({"KEYS", taskPrefix + "*"}).elements) {
        const auto message = asynq::decode(asked({"HGET", key.bytes, "msg"}).bytes);
        if (message && (message->payload == cell.payload(1) || message->payload == cell.payload(2)))
            ids += QString::fromUtf8(key.bytes.mid(taskPrefix.size()));
    }
    return ids;
}

QString DesignWorld::attemptOf(const QString &token) const
{
    if (!m_ground.inRedis)
        return m_side->one(u"SELECT attempt FROM tokens WHERE id = '%1'"_s.arg(token));
    const QByteArray record = asked({"HGET", m_tokens + ":attempts", token.toUtf8()}).bytes;
    return QString::fromUtf8(record);
}

} // namespace outbox
