// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/listline.h"

#include "models/filter/completion.h"
#include "models/filter/filter.h"
#include "models/operations/commandline.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString namingFilter(const QString &before, const QStringList &ids)
{
    QStringList values;
    for (const QString &id : ids)
        values += asFilterValue(id);
    const QString filter = before + u"id="_s + values.join(u',');
    return !ids.isEmpty() && Filter::fromText(filter) ? filter : QString();
}

namespace {

/// `words` with a filter of these ids, behind `before`.
QString lineNaming(QStringList words, const QString &before, const QStringList &ids)
{
    constexpr qsizetype usualLimit = 100; // of a list that is told none
    const QString filter = namingFilter(before, ids);
    if (filter.isEmpty())
        return {};
    words += {u"--filter"_s, shellWord(filter)};
    if (ids.size() > usualLimit)
        words += {u"--limit"_s, QString::number(ids.size())};
    return words.join(u' ');
}

} // namespace

QString listLine(const QList<MessageId> &rows, const Profile &profile)
{
    QStringList ids;
    for (const MessageId &row : rows)
        ids += row.text;
    return lineNaming(QStringList{u"outboxctl"_s, u"list"_s} + targetWords(profile), {}, ids);
}

QString listLine(const QList<Task> &tasks, const Profile &profile)
{
    QStringList ids;
    QStringList states;
    for (const Task &task : tasks) {
        if (task.queue != tasks.first().queue || !soundTaskStates().contains(task.state))
            return {};
        ids += task.id.text;
        if (!states.contains(word(task.state)))
            states += word(task.state);
    }
    if (tasks.isEmpty())
        return {};
    return lineNaming(QStringList{u"outboxctl"_s, u"tasks"_s}
                          + targetWords(profile, tasks.first().queue),
                      u"state:%1 "_s.arg(states.join(u',')), ids);
}

} // namespace outbox
