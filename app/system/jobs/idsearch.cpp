// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/idsearch.h"

#include "app/audit/audittrail.h"
#include "app/relay/parking/outboxparking.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "connectors/sql/outbox/parkedrows.h"
#include "models/operations/auditjoin.h"
#include "models/phrases.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <tuple>

#include <poll.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostLinesOfId = 200; ///< of the table, about one message
constexpr qsizetype mostLives = 100; ///< tasks of one key that are read
constexpr qsizetype mostTraces = 200;

bool isMeant(const AuditedItem &item, const QStringList &ids)
{
    return ids.contains(item.row) || (!item.task.isEmpty() && ids.contains(item.task));
}

/// "Purge by ana@desk: done"
QString actText(const Activity &activity, const AuditedItem &item)
{
    const QString verb = activity.verb ? label(*activity.verb) : activity.what;
    const auto outcome = outcomeFromWord(item.after.section(u' ', 0, 0));
    const QString became = outcome ? label(*outcome)
        : item.after.isEmpty()     ? u"not known"_s
                                   : item.after;
    return u"%1 by %2: %3"_s.arg(verb, activity.who, became);
}

/// The key of the row, by which somebody gave it or its task.
MessageId keyMeant(const MessageId &typed, const OutboxShape &shape)
{
    return shape.keyOf(shape.keyIn(TaskId{typed.text}).value_or(typed).text);
}

/// The text of an id, as somebody typed it, as rows have it, and as tasks have it.
QStringList textsOf(const IdVerdict &facts, const OutboxShape &shape)
{
    QStringList ids{facts.message.text, facts.taskId.text};
    ids += keyMeant(facts.message, shape).text;
    ids.removeAll(QString());
    ids.removeDuplicates();
    return ids;
}

QString gap(const QString &where, const Error &error)
{
    return where + u": "_s + oneLine(error);
}

/// When a task came to be, as far as it says; what completed last comes first.
QDateTime newestMoment(const Task &task)
{
    QDateTime newest;
    for (const auto &at :
         {task.completedAt, task.archivedAt, task.lastFailed, task.pendingSince, task.nextRun}) {
        if (at && (newest.isNull() || *at > newest))
            newest = *at;
    }
    return newest;
}

} // namespace

IdVerdict IdSearch::search(IdVerdict facts, const std::stop_token &stop)
{
    facts.traces.clear();
    facts.lives.clear();
    facts.gaps.clear();
    m_ids = textsOf(facts, m_shape);
    m_tasks.clear();
    lookInFile(facts);
    if (!facts.row && !facts.rowError && !m_target.profile.databaseUrl.isEmpty()
        && !m_target.profile.design) {
        lookInTable(facts);
        lookInParking(facts);
    }
    std::stable_sort(facts.traces.begin(), facts.traces.end(),
                     [](const IdTrace &a, const IdTrace &b) { return a.at > b.at; });
    if (facts.traces.size() > mostTraces)
        facts.traces.resize(mostTraces);
    if (!facts.row && !facts.taskError && !m_target.profile.redisUrl.isEmpty())
        lookForLives(facts, stop);
    return facts;
}

void IdSearch::lookInFile(IdVerdict &facts)
{
    const auto entries
        = AuditTrail(Folders::standard({}, m_target.stateFolder).auditFile()).readAbout(m_ids);
    if (!entries) {
        facts.gaps += gap(u"the file of this machine"_s, entries.error());
        return;
    }
    QSet<QString> files;
    for (const Activity &activity : activitiesOf(*entries)) {
        bool isAboutIt = false;
        for (const AuditedItem &item : activity.items) {
            if (!isMeant(item, m_ids))
                continue;
            isAboutIt = true;
            facts.traces += IdTrace{IdTrace::Place::Record, activity.at, actText(activity, item),
                                    activity.operation};
            if (!item.task.isEmpty())
                m_tasks += std::pair(QueueName{item.queue}, TaskId{item.task});
        }
        if (!isAboutIt || activity.exportFile.isEmpty() || files.contains(activity.exportFile))
            continue;
        files += activity.exportFile;
        const bool isThere = QFileInfo::exists(activity.exportFile);
        facts.traces += IdTrace{IdTrace::Place::Export, activity.at,
                                isThere ? activity.exportFile
                                        : u"%1, which is gone"_s.arg(activity.exportFile),
                                activity.exportFile};
    }
}

void IdSearch::lookInTable(IdVerdict &facts)
{
    const QString where = u"the table outbox_audit"_s;
    const auto settings
        = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly, m_face);
    const TableName outbox = m_shape.table.table.isEmpty()
        ? TableName::fromText(m_target.profile.table)
        : m_shape.table;
    auto opened = settings ? m_table.open(*settings, outbox) : Result<void>(passOn(settings));
    auto page = opened ? m_table.about(m_ids, mostLinesOfId) : Result<AuditPage>(passOn(opened));
    m_table.close();
    if (!page) {
        if (page.error().kind != Error::Kind::Unsupported)
            facts.gaps += gap(where, page.error());
        return;
    }
    if (!page->isWhole) {
        facts.gaps += u"%1: only its newest %2 entries were looked through"_s.arg(
            where, countText(page->rows.isEmpty() ? AuditTable::mostUnordered : mostLinesOfId));
    }
    QSet<QString> known;
    for (const IdTrace &trace : std::as_const(facts.traces))
        known += trace.name;
    for (const Activity &activity : activitiesIn(*page, {})) {
        if (known.contains(activity.operation))
            continue;
        for (const AuditedItem &item : activity.items)
            facts.traces += IdTrace{IdTrace::Place::Database, activity.at, actText(activity, item),
                                    activity.operation};
    }
}

void IdSearch::lookInParking(IdVerdict &facts)
{
    const QString where = u"the parked rows"_s;
    const auto settings
        = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly, m_face);
    OutboxParking parking;
    auto opened = settings ? parking.open(*settings, m_shape, m_target.stateFolder)
                           : Result<void>(passOn(settings));
    const auto rows = opened ? parking.rows() : Result<QList<ParkedRow>>(passOn(opened));
    if (!rows) {
        facts.gaps += gap(where, rows.error());
        return;
    }
    for (const ParkedRow &row : *rows) {
        if (m_ids.contains(row.id.text))
            facts.traces += IdTrace{IdTrace::Place::Parked, row.at,
                                    u"%1; its row is gone"_s.arg(parkedText(row)), parking.place()};
    }
}

void IdSearch::lookForLives(IdVerdict &facts, const std::stop_token &stop)
{
    const QString where = u"the keys of Redis"_s;
    const MessageId key = keyMeant(facts.message, m_shape);
    const bool isTypedWhole = facts.task && facts.task->id.text == facts.message.text;
    const bool isScanned = m_shape.needsBirth() && !isTypedWhole;
    if (!isScanned && m_tasks.isEmpty())
        return;
    AsynqInspector queue;
    const auto endpoint = redisOf(m_target.profile, m_target.secrets);
    auto opened
        = endpoint ? queue.open(*endpoint, sessionName(m_face)) : Result<void>(passOn(endpoint));
    if (!opened) {
        facts.gaps += gap(where, opened.error());
        return;
    }
    QList<std::pair<QueueName, TaskId>> places = m_tasks;
    QElapsedTimer whole;
    whole.start();
    QString cursor;
    for (qint64 keys = 0; isScanned; keys += 1000) {
        if (stop.stop_requested() || keys >= mostKeys || whole.elapsed() > mostSeconds * 1000) {
            facts.gaps += u"%1: the search ended after about %2"_s.arg(where, countText(keys));
            break;
        }
        QElapsedTimer step;
        step.start();
        const auto named = queue.tasksNamed(m_shape.taskIdParts(key.text), cursor);
        if (!named) {
            facts.gaps += gap(where, named.error());
            break;
        }
        for (const auto &[name, task] : *named) {
            if (m_shape.keyIn(task) == key) // the pattern may fit another key, too
                places += std::pair(name, task);
        }
        if (cursor.isEmpty())
            break;
        // At most half of the time Redis is ours.
        ::poll(nullptr, 0, static_cast<int>(step.elapsed()) + 1);
    }
    std::sort(places.begin(), places.end(), [](const auto &a, const auto &b) {
        return std::tie(a.first.text, a.second.text) < std::tie(b.first.text, b.second.text);
    });
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.size() > mostLives) {
        facts.gaps += u"%1: %2 tasks have this key, %3 of them were read"_s.arg(
            where, countText(places.size()), countText(mostLives));
        places.resize(mostLives);
    }
    for (const auto &[name, task] : std::as_const(places)) {
        if (facts.task && facts.task->queue == name && facts.task->id == task)
            continue;
        const auto found = queue.find(name, task, qint64{1024} * 1024);
        if (!found)
            facts.gaps += gap(task.text, found.error());
        else if (*found)
            facts.lives += **found;
    }
    std::stable_sort(facts.lives.begin(), facts.lives.end(), [](const Task &a, const Task &b) {
        return newestMoment(a) > newestMoment(b);
    });
    if (!facts.task && !facts.lives.isEmpty()) {
        facts.task = facts.lives.takeFirst();
        facts.queue = facts.task->queue;
        facts.taskId = facts.task->id;
    }
}

} // namespace outbox
