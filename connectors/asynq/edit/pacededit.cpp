// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/pacededit.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/redis/servererror.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostTasks = 500;
constexpr qsizetype firstTasks = 100;
constexpr qint64 firstWalk = 250'000; ///< ids that the first script may walk past: some 5 ms
constexpr qint64 shortScript = 2'000; ///< µs
constexpr qint64 longScript = 5'000;
constexpr qsizetype mostBytesOfScript = 1024LL * 1024; ///< of messages in one script

/// Microseconds since 1970, of an answer of TIME.
std::optional<qint64> clockOf(const RedisReply &reply)
{
    if (reply.kind != RedisReply::Kind::Array || reply.elements.size() != 2)
        return std::nullopt;
    return reply.elements.at(0).bytes.toLongLong() * 1'000'000
        + reply.elements.at(1).bytes.toLongLong();
}

TaskState stateOf(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes);
    QList<TaskState> all = soundTaskStates();
    all += {TaskState::Stub, TaskState::WrongType, TaskState::None};
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](TaskState state) { return word(state) == text; });
    return found == all.end() ? TaskState::Orphan : *found;
}

std::optional<TaskAnswer::Kind> kindOf(const QByteArray &text)
{
    constexpr std::array<std::pair<const char *, TaskAnswer::Kind>, 6> kinds{{
        {"done", TaskAnswer::Kind::Done},
        {"changed", TaskAnswer::Kind::Changed},
        {"gone", TaskAnswer::Kind::Gone},
        {"active", TaskAnswer::Kind::Active},
        {"damaged", TaskAnswer::Kind::Damaged},
        {"full", TaskAnswer::Kind::Full},
    }};
    const auto found
        = std::find_if(kinds.begin(), kinds.end(), [&](auto kind) { return text == kind.first; });
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

TaskAnswer answerOf(TaskAnswer::Kind kind, const RedisReply &reply)
{
    TaskAnswer answer;
    answer.kind = kind;
    answer.state = stateOf(reply.elements.value(1).bytes);
    answer.stamp = reply.elements.value(2).bytes;
    const QByteArray lock = reply.elements.value(3).bytes;
    if (lock == "unlocked") {
        answer.detail
            = u"it is back without its unique lock: another task has it, or this user lacks +set"_s;
    } else if (lock == "locked") {
        answer.detail = u"it holds its unique lock now, which is of the old content"_s;
    } else {
        answer.detail = explanation(kind, answer.state);
    }
    return answer;
}

} // namespace

QByteArrayList editedKeys(const QueueKeys &keys)
{
    return {keys.pending(),   keys.scheduled(), keys.retry(),           keys.archived(),
            keys.completed(), keys.groups(),    keys.aggregationSets(), keys.active(),
            keys.lease(),     keys.rightsTry()};
}

QString explanation(TaskAnswer::Kind kind, TaskState state)
{
    switch (kind) {
    case TaskAnswer::Kind::Done:
        return {};
    case TaskAnswer::Kind::Changed:
        return u"it is not as it was seen: %1 now"_s.arg(word(state));
    case TaskAnswer::Kind::Gone:
        return u"there is no such task any more"_s;
    case TaskAnswer::Kind::Active:
        return state == TaskState::Aggregating ? u"a worker is merging its group"_s
                                               : u"a worker runs it"_s;
    case TaskAnswer::Kind::Damaged:
        return state == TaskState::Stub     ? u"its hash holds no message"_s
            : state == TaskState::WrongType ? u"a key of another type stands in its place"_s
                                            : u"its id does not stand where its hash says"_s;
    case TaskAnswer::Kind::Full:
        return u"the archive holds 9,999 tasks, and one more would push out the oldest"_s;
    case TaskAnswer::Kind::Failed:
    case TaskAnswer::Kind::InDoubt:
        break;
    }
    return u"the server answered an error"_s;
}

EditPace::EditPace(qint64 listLength)
    : m_tasks(std::clamp<qint64>(firstWalk / std::max<qint64>(listLength, 1), 1, firstTasks))
{ }

void EditPace::learn(qsizetype answered, qsizetype sent, qint64 microseconds)
{
    if (answered < sent)
        m_tasks = answered;
    else if (microseconds > longScript)
        m_tasks = std::max<qsizetype>(sent / 2, 1);
    else if (microseconds < shortScript)
        m_tasks = std::min(2 * m_tasks, mostTasks);
}

PacedEdit::PacedEdit(QueueNode &node, const RedisScript &script, QByteArrayList settings,
                     QString doing, EditPace pace, KeysOfTasks beside)
    : m_node(node), m_script(script), m_settings(std::move(settings)), m_doing(std::move(doing)),
      m_pace(pace), m_beside(std::move(beside))
{ }

Result<RedisReply> PacedEdit::send(const QByteArrayList &keys, const QByteArrayList &arguments,
                                   qint64 &microseconds)
{
    const QByteArrayList rest = QByteArrayList{QByteArray::number(keys.size())} + keys + arguments;
    return m_node.act([&](RedisConnection &connection) -> Result<RedisReply> {
        const auto ask = [&](const RedisCommand &how) {
            return connection.pipeline({{"TIME"}, how + rest, {"TIME"}});
        };
        auto replies = ask({"EVALSHA", m_script.sha()});
        if (replies && replies->at(1).errorPrefix() == "NOSCRIPT")
            replies = ask({"EVAL", m_script.text()});
        if (!replies) {
            replies.error().doing = m_doing;
            return passOn(replies);
        }
        const RedisReply &answers = replies->at(1);
        if (answers.isError())
            return tl::unexpected(
                errorFromReply(answers, m_doing, connection.asker(m_script.text())));
        const auto began = clockOf(replies->at(0));
        const auto ended = clockOf(replies->at(2));
        microseconds = began && ended ? *ended - *began : shortScript;
        return answers;
    });
}

/// One script; answers how many tasks it dealt with.
Result<qsizetype> PacedEdit::step(const QList<QByteArrayList> &tasks, qsizetype from,
                                  QList<TaskAnswer> &answers)
{
    using namespace std::chrono;
    const auto now = system_clock::now().time_since_epoch();
    QByteArrayList arguments{m_node.keys().prefix(),
                             QByteArray::number(qint64{duration_cast<seconds>(now).count()}),
                             QByteArray::number(qint64{duration_cast<nanoseconds>(now).count()})};
    arguments += m_settings;
    QByteArrayList keys = editedKeys(m_node.keys());
    qsizetype sent = 0;
    for (qsizetype bytes = 0; from + sent < tasks.size() && sent < m_pace.tasks(); ++sent) {
        const QByteArrayList &task = tasks.at(from + sent);
        for (const QByteArray &argument : task)
            bytes += argument.size();
        if (sent > 0 && bytes > mostBytesOfScript)
            break;
        arguments += task;
        keys += m_node.keys().task(task.first());
    }
    if (m_beside)
        keys += TRY(m_beside(tasks.mid(from, sent)));

    qint64 microseconds = 0;
    const auto done = TRY(send(keys, arguments, microseconds));
    const QList<RedisReply> &replies = done.elements;
    qsizetype answered = 0;
    for (; answered < std::min(sent, replies.size()); ++answered) {
        const RedisReply &reply = replies.at(answered);
        const auto kind = kindOf(reply.elements.value(0).bytes);
        if (!kind)
            break; // its turn did not come
        answers += answerOf(*kind, reply);
        m_acted = m_acted || *kind == TaskAnswer::Kind::Done;
    }
    if (answered == 0 || replies.size() != sent) {
        return fail(Error::Kind::Protocol, m_doing, u"the script's answer makes no sense"_s);
    }
    m_pace.learn(answered, sent, microseconds);
    m_answered = true;
    return answered;
}

Result<QList<TaskAnswer>> PacedEdit::run(const QList<QByteArrayList> &tasks)
{
    QList<TaskAnswer> answers;
    answers.reserve(tasks.size());
    while (answers.size() < tasks.size()) {
        const auto answered = step(tasks, answers.size(), answers);
        if (answered)
            continue;
        if (!m_answered || mayHaveHappened(answered.error()))
            return passOn(answered);
        TaskAnswer refused;
        refused.detail = oneLine(answered.error());
        answers.resize(tasks.size(), refused);
    }
    return answers;
}

} // namespace outbox::asynq
