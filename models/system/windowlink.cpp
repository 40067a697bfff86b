// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/windowlink.h"

#include "models/filter/completion.h"
#include "models/filter/listline.h"
#include "models/operations/commandline.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QStringList pageWords()
{
    return {u"overview"_s, u"outbox"_s,   u"queue"_s, u"dedup"_s, u"reconcile"_s,
            u"relay"_s,    u"activity"_s, u"fleet"_s, u"alerts"_s};
}

std::optional<int> pageOfWord(const QString &word)
{
    const QString lower = word.toLower();
    const qsizetype place
        = pageWords().indexOf(lower == u"documents"_s ? QString(u"outbox"_s) : lower);
    return place < 0 ? std::nullopt : std::optional(static_cast<int>(place));
}

QStringList windowArguments(const Profile &profile, const WindowLink &link)
{
    QStringList words = targetArguments(profile);
    const auto name = [&words](const QString &option, const QString &value) {
        if (!value.isEmpty())
            words += QString(option + u'=' + value); // joined: it may begin with a dash
    };
    name(u"--page"_s, link.page);
    name(u"--filter"_s, link.filter);
    name(u"--id"_s, link.id);
    return words;
}

namespace {

QString lineOf(const Profile &profile, const WindowLink &link)
{
    if (link.filter.isEmpty() && link.id.isEmpty())
        return {};
    QStringList words{u"outboxdeck"_s};
    for (const QString &one : windowArguments(profile, link))
        words += shellWord(one);
    return words.join(u' ');
}

} // namespace

QString windowLine(const QList<MessageId> &rows, const Profile &profile)
{
    WindowLink link{u"outbox"_s, {}, {}};
    QStringList ids;
    for (const MessageId &row : rows)
        ids += row.text;
    if (ids.size() == 1)
        link.id = ids.constFirst();
    else
        link.filter = namingFilter({}, ids);
    return lineOf(profile, link);
}

QString windowLine(const QList<Task> &tasks, const Profile &profile)
{
    QStringList ids;
    for (const Task &task : tasks)
        ids += task.id.text;
    const QString queue = tasks.isEmpty()
        ? QString()
        : QString(u"queue:"_s + asFilterValue(tasks.constFirst().queue.text) + u' ');
    return lineOf(profile, {u"queue"_s, namingFilter(queue, ids), {}});
}

} // namespace outbox
