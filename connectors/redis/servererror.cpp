// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/servererror.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Meaning
{
    const char *word;
    Error::Kind kind;
    bool ofServer; ///< any other command would hear the same
    const char *hint;
};

constexpr std::array meanings{
    Meaning{"OOM", Error::Kind::Refused, true,
            "Redis is out of memory: raise maxmemory or let retained tasks expire"},
    Meaning{"READONLY", Error::Kind::Refused, true, "This is a replica: connect to its master"},
    Meaning{"MISCONF", Error::Kind::Refused, true,
            "Redis cannot save to disk and refuses writes: look at its disk and its log"},
    Meaning{"NOREPLICAS", Error::Kind::Refused, true,
            "Fewer replicas are connected than min-replicas-to-write asks for"},
    Meaning{"NOAUTH", Error::Kind::Refused, true, "Give a user and a password"},
    Meaning{"WRONGPASS", Error::Kind::Refused, true, ""}, // its own words say it all
    Meaning{"NOPERM", Error::Kind::Refused, true, "The Redis user lacks a right: see its ACL"},
    Meaning{"LOADING", Error::Kind::Unreachable, true, "Redis is reading its data: wait"},
    Meaning{"BUSY", Error::Kind::Unreachable, true,
            "Another client's script blocks Redis: wait, or end it with SCRIPT KILL"},
    Meaning{"MASTERDOWN", Error::Kind::Unreachable, true, "The replica has lost its master"},
    Meaning{"CLUSTERDOWN", Error::Kind::Unreachable, true, "The cluster is not complete: wait"},
    Meaning{"TRYAGAIN", Error::Kind::Unreachable, true, "The cluster is moving this slot: wait"},
    Meaning{"UNKILLABLE", Error::Kind::Unreachable, true, "A writing script blocks Redis: wait"},
    Meaning{"MOVED", Error::Kind::Unsupported, true,
            "This is one node of a Redis Cluster: name the Cluster, redis+cluster://HOST:PORT"},
    Meaning{"ASK", Error::Kind::Unsupported, true,
            "This is one node of a Redis Cluster: name the Cluster, redis+cluster://HOST:PORT"},
    Meaning{"CROSSSLOT", Error::Kind::Unsupported, true,
            "This is one node of a Redis Cluster: name the Cluster, redis+cluster://HOST:PORT"},
    Meaning{"NOSCRIPT", Error::Kind::Protocol, true, "Redis forgot the script again: ask anew"},
    // The enqueue script looks at the type of the task's key itself, so this is a key of the queue.
    Meaning{"WRONGTYPE", Error::Kind::Constraint, true,
            "A key of the queue holds something else: is it used by another program?"},
};

const Meaning *meaningOf(const QByteArray &word)
{
    const auto found = std::find_if(meanings.begin(), meanings.end(),
                                    [&](const Meaning &meaning) { return word == meaning.word; });
    return found == meanings.end() ? nullptr : &*found;
}

bool isErrorWord(QByteArrayView word)
{
    return word.size() > 1
        && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// The commands that a script calls on the line at which Redis stopped it.
QStringList commandsAtFault(const QString &said, const QByteArray &script)
{
    static const QRegularExpression where(u"@?user_script:(\\d+)"_s);
    static const QRegularExpression call(u"call\\('(\\w+)'"_s);
    const auto line = where.match(said);
    if (!line.hasMatch() || script.isEmpty())
        return {};
    const QString text = QString::fromUtf8(script.split('\n').value(line.captured(1).toInt() - 1));
    QStringList commands;
    for (auto calls = call.globalMatch(text); calls.hasNext();)
        commands += calls.next().captured(1).toLower();
    commands.removeDuplicates();
    return commands;
}

/// "NOPERM … the 'config|get' command", "… access one of the keys …", and what Redis 6 and 7.2 say.
QString missingRule(const QString &said, const RedisAsker &asker)
{
    static const QRegularExpression named(u"'([^' ]+)' (?:command|subcommand)"_s);
    static const QRegularExpression listed(u" lacks( \\+[a-z+ ]+)$"_s); // what our scripts say
    if (const auto list = listed.match(said); list.hasMatch())
        return list.captured(1).trimmed();
    if (said.contains(" channel"_L1))
        return u"&asynq:cancel"_s;
    if (said.contains(" key"_L1))
        return asker.keyRule;
    if (const auto command = named.match(said); command.hasMatch())
        return u'+' + command.captured(1).toLower();
    const QStringList commands = commandsAtFault(said, asker.script);
    return commands.isEmpty() ? QString() : u'+' + commands.join(u" +"_s);
}

QString rightHint(const QString &said, const RedisAsker &asker)
{
    const QString rule = missingRule(said, asker);
    if (rule.isEmpty())
        return {};
    const QString what = rule.startsWith(u'+')
        ? u"lacks the right "_s + rule
        : (rule.startsWith(u'&') ? u"may not use that channel"_s : u"may not touch such keys"_s);
    return asker.user.isEmpty()
        ? u"The Redis user %1: ACL SETUSER … %2"_s.arg(what, rule)
        : u"The Redis user %1 %2: ACL SETUSER %1 %3"_s.arg(asker.user, what, rule);
}

} // namespace

QByteArray errorWord(const RedisReply &reply)
{
    QByteArray first = reply.errorPrefix();
    if (first != "ERR")
        return first;
    const QByteArray &text = reply.bytes;
    if (text.contains("can't run this command") || text.contains("can't access at least one of"))
        return "NOPERM"; // Redis 7 inside a script
    if (text.contains("max number of clients"))
        return "MAXCLIENTS";
    if (text.contains("nknown command") || text.contains("nknown Redis command"))
        return "UNKNOWNCOMMAND";
    // Redis 6 wraps the command's own error: "… @user_script: 12: -OOM command not allowed …"
    const qsizetype script = text.indexOf("@user_script:");
    if (script >= 0) {
        for (const QByteArray &part : text.mid(script).split(':')) {
            QByteArray word = part.trimmed().split(' ').first();
            if (word.startsWith('-'))
                word.remove(0, 1);
            if (isErrorWord(word))
                return word;
        }
    }
    return first;
}

bool concernsServer(const RedisReply &reply)
{
    const QByteArray word = errorWord(reply);
    if (word == "MAXCLIENTS" || word == "UNKNOWNCOMMAND")
        return true;
    if (word == "NOPERM" && reply.bytes.contains(" key"))
        return false; // these keys may not be touched, others may
    const Meaning *meaning = meaningOf(word);
    return meaning && meaning->ofServer;
}

Error errorFromReply(const RedisReply &reply, const QString &doing, const RedisAsker &asker)
{
    const QByteArray word = errorWord(reply);
    Error error{Error::Kind::Protocol,
                doing,
                QString::fromUtf8(reply.bytes).trimmed(),
                QString::fromUtf8(word),
                {}};
    if (const Meaning *meaning = meaningOf(word)) {
        error.kind = meaning->kind;
        error.hint = QString::fromLatin1(meaning->hint);
        const QString rule = word == "NOPERM" ? rightHint(error.text, asker) : QString();
        if (!rule.isEmpty())
            error.hint = rule;
    } else if (word == "MAXCLIENTS") {
        error.kind = Error::Kind::Unreachable;
        error.hint = u"Redis has no free connection: raise maxclients or close others"_s;
    } else if (word == "UNKNOWNCOMMAND") {
        error.kind = Error::Kind::Unsupported;
        error.hint = u"Redis 6.0.6 or newer is needed, with no command renamed"_s;
    }
    return error;
}

} // namespace outbox
