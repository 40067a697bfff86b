// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/commandline.h"
#include "models/utctext.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Where messages wait inside documents these have subcommands of their own.
QStringList designCommandOf(const OperationRequest &request, const Profile &profile)
{
    const auto *part = std::get_if<DocumentPart>(&request.selection.meant);
    if (!part || !profile.design || !request.undoOf.isEmpty())
        return {};
    switch (*part) {
    case DocumentPart::Undispatched:
        return {u"documents"_s, u"dispatch"_s};
    case DocumentPart::Unsettled:
        return {u"documents"_s, u"reconcile"_s};
    case DocumentPart::Entries:
        return {u"documents"_s, u"purge"_s};
    case DocumentPart::Tokens:
        break;
    }
    return {u"tokens"_s, u"force"_s};
}

bool isHarmless(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
        || u"-_./:@%+=,"_s.contains(c);
}

void add(QStringList &words, const QString &option, const QString &value)
{
    if (!value.isEmpty())
        words += {option, shellWord(value)};
}

/// The demo and what was named by its parts on the command line stand in no file.
bool isSaved(const Profile &profile)
{
    return profile.environment != Environment::Demo && !profile.name.isEmpty()
        && profile.name != u"command line"_s;
}

void addConsent(QStringList &words, const Profile &profile, const std::optional<Consent> &consent,
                const QString &unlockReason)
{
    if (!consent)
        return;
    words += u"--yes"_s;
    if (consent->secondExecution)
        words += u"--allow-second-execution"_s;
    if (consent->trim)
        words += u"--trim"_s;
    // Elsewhere --yes stands for the typed text.
    if (profile.environment == Environment::Production)
        add(words, u"--confirm"_s, consent->typed);
    if (isSaved(profile) && profile.readOnly)
        add(words, u"--unlock"_s, unlockReason.isEmpty() ? u"as in the console"_s : unlockReason);
    add(words, u"--note"_s, consent->note);
}

/// A payload may be anything: its file is for the reader to name.
void addEdit(QStringList &words, const RowEdit &edit)
{
    if (edit.payload)
        words += {u"--payload-file"_s, u"NEW-PAYLOAD"_s};
    if (edit.type)
        words += {u"--type"_s, shellWord(*edit.type)};
    if (edit.queue)
        words += {u"--to-queue"_s, shellWord(*edit.queue)};
    if (edit.due)
        words += {u"--at"_s, utcText(*edit.due)};
}

} // namespace

QString shellWord(const QString &text)
{
    if (!text.isEmpty() && std::all_of(text.begin(), text.end(), isHarmless))
        return text;
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

QStringList targetArguments(const Profile &profile, const QueueName &queue)
{
    QStringList words;
    const auto name = [&words](const QString &option, const QString &value) {
        if (!value.isEmpty())
            words += {option, value};
    };
    if (isSaved(profile)) {
        name(u"--profile"_s, profile.name);
        if (queue.text != profile.queue || !profile.shards().isEmpty())
            name(u"--queue"_s, queue.text);
        return words;
    }
    name(u"--database"_s, profile.databaseUrl);
    name(u"--table"_s, profile.table);
    name(u"--redis"_s, profile.redisUrl);
    name(u"--queue"_s, queue.isEmpty() ? profile.queue : queue.text);
    name(u"--retention"_s, QString::number(profile.retentionSeconds) + u's');
    return words;
}

QStringList targetWords(const Profile &profile, const QueueName &queue)
{
    QStringList words;
    for (const QString &one : targetArguments(profile, queue))
        words += shellWord(one);
    return words;
}

QString commandLine(const OperationRequest &request, const Profile &profile,
                    const std::optional<Consent> &consent, const QString &unlockReason)
{
    const Selection &selection = request.selection;
    const bool undoes = !request.undoOf.isEmpty();
    const QStringList design = designCommandOf(request, profile);
    const bool namesTokens = selection.meant == Meant(DocumentPart::Tokens);
    QStringList words{u"outboxctl"_s};
    if (design.isEmpty())
        words += undoes ? u"audit"_s : word(request.verb);
    else
        words += design;
    words += targetWords(profile, selection.queue);
    add(words, u"--undo"_s, request.undoOf);
    if (selection.edit)
        addEdit(words, *selection.edit);
    if (design.isEmpty())
        add(words, u"--kind"_s, word(selection.meant));
    else if (!namesTokens) {
        for (const TaskId &incoming : selection.tasks)
            add(words, u"--incoming"_s, incoming.text);
    }
    add(words, u"--filter"_s, selection.filter);
    addConsent(words, profile, consent, unlockReason);
    QStringList subjects;
    for (const MessageId &id : selection.rows)
        subjects += shellWord(id.text);
    if (design.isEmpty() || namesTokens) {
        for (const TaskId &id : selection.tasks)
            subjects += shellWord(id.text);
    }
    if (!selection.file.isEmpty())
        subjects += shellWord(selection.file);
    // An id may begin with a dash.
    if (std::any_of(subjects.begin(), subjects.end(),
                    [](const QString &one) { return one.startsWith(u'-'); }))
        words += u"--"_s;
    return (words + subjects).join(u' ');
}

} // namespace outbox
