// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/fleet.h"

#include "app/cli/output/printer.h"
#include "app/cli/output/rowjson.h"
#include "app/cli/run/askeach.h"
#include "app/system/jobs/rowandtask.h"
#include "app/cli/run/systemreader.h"
#include "app/settings/opening.h"
#include "app/system/fleet/statusquestion.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/exactcount.h"

#include <QStringList>

#include <algorithm>
#include <functional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Of a table for people, with most errors of a connection in full; JSON has all of it.
constexpr int sentenceCharacters = 160;

/// One message in one system.
class FindQuestion : public SystemQuestion
{
public:
    using Take = std::function<void(const FleetAnswer &answer)>;

    FindQuestion(const Target &target, const MessageId &id, Take take)
        : SystemQuestion(target, ownPlace()), m_id(id), m_take(std::move(take))
    { }

private:
    void ask() override
    {
        recognize(true, [this](const Result<OutboxShape> &shape, bool /*isOpen*/) { find(shape); });
    }

    void find(const Result<OutboxShape> &shape)
    {
        const Profile &profile = target().profile;
        OutboxShape known;
        if (shape)
            known = *shape;
        else if (profile.shape)
            known = profile.refined(*profile.shape);
        const auto job = [shape, known, endpoint = redisOf(target().profile, target().secrets),
                          id = m_id, queue = QueueName{profile.queue}](SystemSessions &sessions) {
            const auto findRow
                = [&shape, &sessions](const MessageId &key) -> Result<std::optional<Message>> {
                if (!shape)
                    return passOn(shape);
                return sessions.outbox().find(key);
            };
            const auto openTasks = [&endpoint, &sessions]() -> Result<AsynqInspector *> {
                const RedisEndpoint there = TRY(endpoint);
                AsynqInspector &tasks = sessions.tasksAt(there);
                TRY(tasks.ready(there, sessionName(u"outboxctl"_s)));
                return &tasks;
            };
            return rowAndTask(findRow, openTasks(), known, queue, id);
        };
        step(job, [this, shape](const IdVerdict &found) { tell(shape, found); });
    }

    void tell(const Result<OutboxShape> &shape, const IdVerdict &found)
    {
        const Profile &profile = target().profile;
        FleetAnswer answer;
        answer.found = found;
        answer.masks = profile.masks;
        if (found.rowError && !profile.databaseUrl.isEmpty())
            answer.error = found.rowError;
        else if (found.taskError && !profile.redisUrl.isEmpty())
            answer.error = found.taskError;
        if (shape)
            answer.table = shape->table.text();
        if (const auto &task = found.task; task && !found.row) {
            const bool isOurs
                = profile.sendsTo(task->queue) || (shape && shape->keyIn(task->id).has_value());
            if (!isOurs) {
                answer.found.task.reset();
                answer.found.queue = profile.ownQueue();
            }
        }
        answer.needsTaskId = shape && shape->needsBirth();
        m_take(answer);
        end();
    }

    MessageId m_id;
    Take m_take;
};

/// A task that stands in the queue of one of these systems, or belongs to a row of it, is no other
/// one's of the same Redis, though the rows of others may have its id.
void leaveTasksToTheirSystems(const QList<FleetSystem> &systems, QList<FleetAnswer> &answers)
{
    const auto profileOf = [&systems](qsizetype at) -> const Profile & {
        return systems.at(at).target->profile; // of one that was asked
    };
    const auto owns = [&answers, &profileOf](qsizetype at) {
        const IdVerdict &found = answers.at(at).found;
        return found.task && (found.row || profileOf(at).sendsTo(found.task->queue));
    };
    QList<qsizetype> owners;
    for (qsizetype at = 0; at < answers.size(); ++at) {
        if (owns(at))
            owners += at;
    }
    for (qsizetype at = 0; at < answers.size(); ++at) {
        FleetAnswer &answer = answers[at];
        const auto isItsTask = [&](qsizetype owner) {
            const Task &task = *answers.at(owner).found.task;
            return profileOf(owner).redisUrl == profileOf(at).redisUrl
                && task.queue == answer.found.task->queue && task.id == answer.found.task->id;
        };
        if (answer.found.task && !owns(at)
            && std::any_of(owners.cbegin(), owners.cend(), isItsTask)) {
            answer.found.task.reset();
            answer.found.queue = profileOf(at).ownQueue();
        }
        answer.needsTaskId = answer.needsTaskId && !answer.hasIt();
    }
}

QString systemCell(const QString &name, const QString &group)
{
    const QString shown = name.isEmpty() ? u"(not readable)"_s : plainText(name);
    return group.isEmpty() ? shown : u"%1 (%2)"_s.arg(shown, plainText(group));
}

QStringList fleetLine(const FleetReading &reading)
{
    const FleetLine line = fleetLineOf(reading);
    const auto &oldest = line.oldestPendingSeconds;
    return {word(line.report.level),
            systemCell(reading.name, reading.group),
            plainText(clipped(line.report.sentence, sentenceCharacters)),
            oldest ? spanText(*oldest) : u"-"_s,
            countOrDash(line.waiting, line.isWaitingExact),
            countOrDash(line.dead, true),
            countOrDash(line.depth, line.isDepthExact)};
}

QString systemsText(qsizetype count)
{
    return count == 1 ? u"1 system"_s : u"%1 systems"_s.arg(countText(count));
}

QJsonObject namedJson(const QString &name, const QString &group)
{
    return {{u"system"_s, name.isEmpty() ? QJsonValue() : QJsonValue(name)},
            {u"group"_s, group.isEmpty() ? QJsonValue() : QJsonValue(group)}};
}

} // namespace

QList<FleetReading> readFleet(const QList<FleetSystem> &systems)
{
    QList<FleetReading> readings;
    QList<qsizetype> asked;
    for (const FleetSystem &system : systems) {
        if (system.target) {
            asked += readings.size();
            readings += FleetReading{system.name, system.group, {}, {}};
        } else {
            readings += unreadSystem(system);
        }
    }
    askEach(asked.size(), [&](qsizetype at) {
        const FleetSystem &system = systems.at(asked.at(at));
        FleetReading &reading = readings[asked.at(at)];
        return std::make_unique<StatusQuestion>(
            *system.target, ownPlace(), std::make_shared<ReadingJudge>(system.target->profile),
            ClosedSources(),
            [&reading, &system](const SystemReading &look, const ClosedSources & /*closed*/) {
                reading = fleetReadingOf(system, look);
            });
    });
    std::stable_sort(readings.begin(), readings.end(),
                     [](const FleetReading &one, const FleetReading &other) {
                         return comesBefore(fleetLineOf(one), fleetLineOf(other));
                     });
    return readings;
}

QList<FleetAnswer> findInFleet(const QList<FleetSystem> &systems, const MessageId &id)
{
    QList<FleetAnswer> answers;
    QList<qsizetype> asked;
    for (const FleetSystem &system : systems) {
        FleetAnswer answer;
        answer.name = system.name;
        answer.group = system.group;
        answer.found.message = id;
        if (system.target)
            asked += answers.size();
        else
            answer.error = system.target.error();
        answers += answer;
    }
    askEach(asked.size(), [&](qsizetype at) {
        const FleetSystem &system = systems.at(asked.at(at));
        FleetAnswer &place = answers[asked.at(at)];
        return std::make_unique<FindQuestion>(*system.target, id,
                                              [&place, &system](const FleetAnswer &answer) {
                                                  place = answer;
                                                  place.name = system.name;
                                                  place.group = system.group;
                                              });
    });
    leaveTasksToTheirSystems(systems, answers);
    return answers;
}

QJsonObject fleetJson(const FleetReading &reading)
{
    QJsonObject json = toJson(reading.look);
    const QJsonObject named = namedJson(reading.name, reading.group);
    for (auto member = named.begin(); member != named.end(); ++member)
        json.insert(member.key(), member.value());
    if (reading.error)
        json["error"_L1] = errorJson(*reading.error);
    return json;
}

QJsonObject fleetJson(const FleetTotals &totals)
{
    return {{u"systems"_s, totals.systems},  {u"ok"_s, totals.ok},
            {u"watch"_s, totals.watch},      {u"stalled"_s, totals.stalled},
            {u"broken"_s, totals.broken},    {u"unknown"_s, totals.unknown},
            {u"worst"_s, word(totals.worst)}};
}

QJsonObject fleetJson(const FleetAnswer &answer)
{
    const IdVerdict &found = answer.found;
    QJsonObject json = namedJson(answer.name, answer.group);
    json["id"_L1] = found.message.text;
    json["task_id"_L1] = found.taskId.text;
    json["table"_L1] = answer.table.isEmpty() ? QJsonValue() : QJsonValue(answer.table);
    json["queue"_L1] = found.queue.text;
    json["row"_L1] = found.row ? QJsonValue(rowJson(*found.row, answer.masks)) : QJsonValue();
    json["task"_L1] = found.task ? QJsonValue(taskJson(*found.task, answer.masks)) : QJsonValue();
    if (answer.error)
        json["error"_L1] = errorJson(*answer.error);
    return json;
}

QString fleetText(const QList<FleetReading> &readings, bool all)
{
    const FleetTotals totals = totalsOf(readings);
    QList<QStringList> table{
        {u"LEVEL"_s, u"SYSTEM"_s, u"SENTENCE"_s, u"OLDEST"_s, u"WAITING"_s, u"DEAD"_s, u"QUEUE"_s}};
    for (const FleetReading &reading : readings) {
        if (all || reading.look.report.level != HealthLevel::Ok)
            table += fleetLine(reading);
    }
    QStringList lines;
    if (table.size() > 1)
        lines += tableText(table);
    if (totals.ok > 0 && !all) {
        lines += u"%1 of %2 are well."_s.arg(countText(totals.ok), countText(totals.systems));
    }
    lines += u"%1: OK %2, WATCH %3, STALLED %4, BROKEN %5, UNKNOWN %6; worst: %7"_s.arg(
        systemsText(totals.systems), countText(totals.ok), countText(totals.watch),
        countText(totals.stalled), countText(totals.broken), countText(totals.unknown),
        word(totals.worst));
    return lines.join(u'\n');
}

QString fleetText(const QList<FleetAnswer> &answers)
{
    qsizetype having = 0;
    qsizetype unasked = 0;
    QList<QStringList> table{{u"SYSTEM"_s, u"PLACE"_s, u"STATE"_s}};
    for (const FleetAnswer &answer : answers) {
        const QString name = systemCell(answer.name, answer.group);
        if (const auto &row = answer.found.row)
            table += QStringList{name, u"row of "_s + plainText(answer.table), word(row->state)};
        if (const auto &task = answer.found.task) {
            table += QStringList{name, u"task in queue "_s + plainText(task->queue.text),
                                 word(task->state)};
        }
        if (answer.error)
            table += QStringList{name, u"not asked"_s, plainText(oneLine(*answer.error))};
        having += answer.hasIt() ? 1 : 0;
        unasked += answer.error ? 1 : 0;
    }
    QStringList lines;
    if (table.size() > 1)
        lines += tableText(table);
    QString last = u"Found in %1 of %2"_s.arg(countText(having), systemsText(answers.size()));
    if (unasked > 0)
        last += u"; %1 could not be asked"_s.arg(countText(unasked));
    lines += last;
    return lines.join(u'\n');
}

} // namespace outbox
