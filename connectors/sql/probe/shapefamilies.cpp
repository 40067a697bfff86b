// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/shapefamilies.h"

#include "connectors/sql/names/schemawords.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What tells a family, and the members of a shape that only its makers know. "@name" stands for a
/// column, "#name" for a table beside; spelling does not matter.
struct FamilyText
{
    QLatin1StringView name;
    QLatin1StringView columns; ///< all of them, but one in five
    QLatin1StringView table; ///< what its name contains; may be empty
    QLatin1StringView beside; ///< tables that must stand beside it
    QLatin1StringView shape; ///< JSON; empty where the columns say it all
};

const QList<FamilyText> &familyTexts()
{
    static const QList<FamilyText> families{
        {"brighter"_L1,
         "messageid topic messagetype timestamp dispatched headerbag body"_L1,
         {},
         {},
         {}},
        {"cap"_L1,
         "id version name content retries added expiresat statusname"_L1,
         {},
         {},
         R"({"processed":{"how":"status","column":"@statusname","values":["Succeeded"]},
             "failed":{"how":"status","column":"@statusname","values":["Failed"]},
             "waiting":{"how":"status","column":"@statusname","values":["Delayed","Queued"]},
             "pending":{"how":"status","column":"@statusname","values":["Scheduled"]},
             "due":{"column":"@expiresat",
                    "only_in":[{"column":"@statusname","is":"in","value":["Delayed","Queued"]}]},
             "locked":{"how":"row"}})"_L1},
        {"eshop"_L1,
         "eventid eventtypename state timessent creationtime content transactionid"_L1,
         {},
         {},
         R"({"processed":{"how":"status","column":"@state","values":["2"]},
             "locked":{"how":"status","column":"@state","values":["1"]},
             "failed":{"how":"status","column":"@state","values":["3"]},
             "pending":{"how":"status","column":"@state","values":["0"]}})"_L1},
        {"eventuate-tram"_L1, "id destination headers payload creation_time"_L1, "message"_L1,
         "received_messages"_L1,
         // it is read from the log, or polled where its tables have a mark
         R"({"processed":[{"how":"flag","column":"@published"},{"how":"log"}]})"_L1},
        {"good_job"_L1,
         "id active_job_id serialized_params performed_at finished_at error"_L1,
         "good_jobs"_L1,
         {},
         R"({"processed":{"how":"time","column":"@finished_at",
                          "and":[{"column":"@error","is":"null"}]},
             "failed":{"how":"error","column":"@error"}})"_L1},
        {"gruelbox-txno"_L1,
         "id invocation nextattempttime attempts blocked uniquerequestid processed"_L1,
         {},
         {},
         R"({"locked":{"how":"until","column":"@nextattempttime"}})"_L1},
        {"graphile-worker"_L1,
         "id payload priority run_at attempts max_attempts last_error locked_at locked_by"_L1,
         "job"_L1,
         {},
         {}},
        {"hangfire"_L1,
         "id stateid statename invocationdata arguments createdat expireat"_L1,
         {},
         "jobqueue"_L1,
         R"({"processed":{"how":"status","column":"@statename","values":["Succeeded"]},
             "locked":{"how":"status","column":"@statename","values":["Processing"]},
             "failed":{"how":"status","column":"@statename","values":["Failed","Deleted"]},
             "waiting":{"how":"status","column":"@statename","values":["Scheduled","Awaiting"]},
             "pending":{"how":"status","column":"@statename","values":["Enqueued"]},
             "type":{"column":"@invocationdata"},
             "payload":{"column":"@arguments","form":"text"}})"_L1},
        {"masstransit"_L1,
         "sequencenumber enqueuetime senttime outboxid messageid messagetype body"_L1,
         {},
         "outboxstate"_L1,
         R"({"processed":{"how":"member","table":"#outboxstate","on":{"@outboxid":"@outboxid"},
                          "column":"@delivered"},
             "locked":{"how":"lock-row","table":"#outboxstate","on":{"@outboxid":"@outboxid"},
                       "column":"@lockid"},
             "due":"@enqueuetime"})"_L1},
        {"nservicebus"_L1,
         "messageid dispatched dispatchedat operations"_L1,
         {},
         {},
         R"({"payload":{"column":"@operations","form":"many"}})"_L1},
        {"oagudo-outbox"_L1,
         "id created_at scheduled_at metadata payload times_attempted"_L1,
         {},
         {},
         {}},
        {"oban"_L1,
         "id state queue worker args attempt max_attempts inserted_at scheduled_at"_L1,
         {},
         {},
         {}},
        {"db-scheduler"_L1,
         "task_name task_instance task_data execution_time picked picked_by"_L1,
         "task"_L1,
         {},
         R"({"processed":{"how":"deleted"},"due":"@execution_time",
             "locked":{"how":"owner","owner":"@picked_by","time":"@last_heartbeat"},
             "payload":{"column":"@task_data","form":"opaque"},"type":{"column":"@task_name"}})"_L1},
        {"pgmq"_L1,
         "msg_id read_ct enqueued_at vt message"_L1,
         "q_"_L1,
         {},
         R"({"processed":{"how":"deleted"},"locked":{"how":"until","column":"@vt"},
             "created":"@enqueued_at","payload":{"column":"@message","form":"json"},
             "attempts":"@read_ct"})"_L1},
        {"pg-transactional-outbox"_L1,
         "id message_type segment concurrency payload locked_until processed_at abandoned_at "
         "started_attempts finished_attempts"_L1,
         {},
         {},
         {}},
        {"rails-event-store"_L1,
         "id split_key format payload created_at enqueued_at"_L1,
         "outbox"_L1,
         {},
         {}},
        {"river"_L1,
         "id args attempt attempted_at attempted_by finalized_at kind max_attempts state queue"_L1,
         {},
         {},
         {}},
        {"solid_queue"_L1,
         "id queue_name class_name arguments finished_at"_L1,
         "solid_queue"_L1,
         "solid_queue_ready_executions"_L1,
         {}},
        {"spring-modulith"_L1,
         "id listener_id event_type serialized_event publication_date "
         "completion_date"_L1,
         {},
         {},
         R"({"locked":{"how":"status","column":"@status","values":["PROCESSING"]},
             "failed":{"how":"status","column":"@status","values":["FAILED"]}})"_L1},
        {"symfony"_L1,
         "id body headers queue_name created_at available_at delivered_at"_L1,
         {},
         {},
         R"({"processed":{"how":"deleted"},
             "locked":{"how":"until","column":"@delivered_at","lease_s":3600},
             "failed":{"how":"queue","column":"@queue_name","values":["failed"]}})"_L1},
        {"watermill"_L1, "offset uuid created_at payload metadata transaction_id"_L1, {}, {}, {}},
        {"wolverine"_L1,
         "id owner_id destination deliver_by body attempts message_type"_L1,
         {},
         {},
         R"({"locked":[{"how":"node","owner":"@owner_id","free":["0"],
                        "node":{"table":"#wolverine_nodes","key":"@node_number"}},
                       {"how":"node","owner":"@owner_id","free":["0"]}]})"_L1},
    };
    return families;
}

const CatalogColumn *columnOf(const CatalogTable &table, QStringView name)
{
    for (const CatalogColumn &column : table.columns) {
        if (column.name.compare(name, Qt::CaseInsensitive) == 0)
            return &column;
    }
    return nullptr;
}

const CatalogTable *besideOf(const CatalogTable &table, const Catalog &catalog, QStringView name)
{
    for (const CatalogTable &other : catalog.tables) {
        if (other.name.schema == table.name.schema
            && other.name.table.compare(name, Qt::CaseInsensitive) == 0)
            return &other;
    }
    return nullptr;
}

/// Puts the catalog's names into a member: "@name" is a column, "#name" a table.
class Naming
{
public:
    Naming(const CatalogTable &table, const Catalog &catalog) : m_table(table), m_catalog(catalog)
    { }

    /// Null where a name is not there.
    [[nodiscard]] QJsonValue named(const QJsonValue &value, const CatalogTable &of) const
    {
        if (value.isString())
            return text(value.toString(), of);
        if (value.isArray()) {
            QJsonArray list;
            for (const auto &one : value.toArray()) {
                const QJsonValue entry = named(one, of);
                if (entry.isNull())
                    return {};
                list.append(entry);
            }
            return list;
        }
        return value.isObject() ? object(value.toObject(), of) : value;
    }

private:
    [[nodiscard]] QJsonValue text(const QString &text, const CatalogTable &of) const
    {
        if (text.startsWith(u'@')) {
            const CatalogColumn *column = columnOf(of, QStringView(text).mid(1));
            return column ? QJsonValue(column->name) : QJsonValue();
        }
        if (text.startsWith(u'#')) {
            const CatalogTable *other = besideOf(m_table, m_catalog, QStringView(text).mid(1));
            return other ? QJsonValue(other->name.text()) : QJsonValue();
        }
        return text;
    }

    [[nodiscard]] QJsonValue object(const QJsonObject &json, const CatalogTable &of) const
    {
        const CatalogTable *theirs = &of;
        if (const QString table = json.value("table"_L1).toString(); table.startsWith(u'#')) {
            theirs = besideOf(m_table, m_catalog, QStringView(table).mid(1));
            if (!theirs)
                return {};
        }
        QJsonObject named;
        for (auto member = json.begin(); member != json.end(); ++member) {
            QJsonValue value;
            if (member.key() == "on"_L1)
                value = pairs(member.value().toObject(), *theirs);
            else
                value = this->named(member.value(), *theirs);
            if (value.isNull())
                return {};
            named[member.key()] = value;
        }
        return named;
    }

    [[nodiscard]] QJsonValue pairs(const QJsonObject &json, const CatalogTable &theirs) const
    {
        QJsonObject on;
        for (auto pair = json.begin(); pair != json.end(); ++pair) {
            const QJsonValue their = text(pair.key(), theirs);
            const QJsonValue our = text(pair.value().toString(), m_table);
            if (their.isNull() || our.isNull())
                return {};
            on[their.toString()] = our;
        }
        return on;
    }

    const CatalogTable &m_table;
    const Catalog &m_catalog;
};

} // namespace

std::optional<FamilyMatch> familyOf(const CatalogTable &table, const Catalog &catalog)
{
    std::optional<FamilyMatch> best;
    for (const FamilyText &family : familyTexts()) {
        const QStringList columns = QString(family.columns).split(u' ');
        int missing = 0;
        for (const QString &name : columns)
            missing += columnOf(table, name) ? 0 : 1;
        bool hasNeighbours = true;
        for (const QString &name : QString(family.beside).split(u' ', Qt::SkipEmptyParts))
            hasNeighbours = hasNeighbours && besideOf(table, catalog, name);
        const bool isNamed = family.table.isEmpty()
            || table.name.table.contains(family.table, Qt::CaseInsensitive);
        const bool isBeside
            = hasAnyWord(wordsOf(table.name.table),
                         {u"inbox"_s, u"received"_s, u"incoming"_s, u"archive"_s, u"dead"_s});
        const int count = static_cast<int>(columns.size());
        if (!hasNeighbours || !isNamed || isBeside || missing * 5 > count)
            continue;
        if (!best || missing < best->missing || (missing == best->missing && count > best->columns))
            best = FamilyMatch{family.name, missing, count};
    }
    return best;
}

OutboxShape withFamily(const OutboxShape &shape, const QString &family, const CatalogTable &table,
                       const Catalog &catalog)
{
    OutboxShape known = shape;
    for (const FamilyText &one : familyTexts()) {
        if (one.name != family || one.shape.isEmpty())
            continue;
        const QJsonObject members
            = QJsonDocument::fromJson(QByteArray(one.shape.data(), one.shape.size())).object();
        Q_ASSERT(!members.isEmpty());
        const Naming naming(table, catalog);
        QJsonObject json = known.toJson();
        for (auto member = members.begin(); member != members.end(); ++member) {
            const QJsonArray ways
                = member.value().isArray() ? member.value().toArray() : QJsonArray{member.value()};
            for (const auto &way : ways) { // the first that the catalog allows
                const QJsonValue value = naming.named(way, table);
                if (value.isNull())
                    continue;
                json[member.key()] = value;
                break;
            }
        }
        if (const auto read = OutboxShape::fromJson(json))
            known = *read;
    }
    known.family = family;
    known.use = OutboxShape::Use::Watch;
    return known;
}

bool isStatusExplained(const QString &family)
{
    for (const FamilyText &one : familyTexts()) {
        if (one.name == family && one.shape.contains("\"status\""_L1))
            return true;
    }
    return false;
}

} // namespace outbox
