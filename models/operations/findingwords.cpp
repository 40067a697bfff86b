// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/findingwords.h"

#include "models/operations/planwords.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <cmath>
#include <cstddef>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation findingSentences("outbox::FindingWords");

constexpr double latestSecond = 1e12; ///< no moment is later, as where scores are read

struct KindSentence
{
    FindingKind kind;
    const char *one;
    const char *many;
    const char *fix = nullptr; ///< of what is repaired elsewhere
};

// By number.
constexpr std::array kindSentences{
    KindSentence{
        FindingKind::StubHash,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 task has no message: its id is taken, and nothing can run"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 tasks have no message: their ids are taken, and nothing can run")},
    KindSentence{FindingKind::MemberWithoutHash,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 id is listed, and has no task"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 ids are listed, and have no task")},
    KindSentence{
        FindingKind::ActiveWithoutLease,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 task is active without a lease: no worker brings it back"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 tasks are active without a lease: no worker brings them back")},
    KindSentence{
        FindingKind::LeaseWithoutActive,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 task has a lease, and does not run"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 tasks have a lease, and do not run")},
    KindSentence{
        FindingKind::StateDiffers,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 task is in a list that its state denies"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 tasks are in a list that their state denies")},
    KindSentence{FindingKind::TwoContainers,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 task is in two lists at once"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 tasks are in two lists at once")},
    KindSentence{
        FindingKind::OrphanHash,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 task is in no list: it never runs, and its id is taken"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 tasks are in no list: they never run, and their ids are taken")},
    KindSentence{FindingKind::ProcessedWithoutTask,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 row is marked processed, but is nowhere in the queue"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 rows are marked processed, but are nowhere in the queue")},
    KindSentence{FindingKind::PendingWithTask,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 row is pending, though its task is in the queue"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 rows are pending, though their tasks are in the queue")},
    KindSentence{FindingKind::OtherMessage,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 row cannot be delivered: another message owns its id"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 rows cannot be delivered: other messages own their ids")},
    KindSentence{
        FindingKind::QueueNotListed,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 queue is missing from the list of queues: no tool sees it"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 queues are missing from the list of queues: no tool sees them")},
    KindSentence{FindingKind::DeadWithRow,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 message is dead in the queue, its row is there"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 messages are dead in the queue, their rows are there"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with Run or Replace")},
    KindSentence{
        FindingKind::ShortRetention,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 dedup window is too short: a retry may run a message twice"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 dedup windows are too short: a retry may run a message twice"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with a longer retention")},
    KindSentence{
        FindingKind::WrongType,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 key of the queue holds foreign data"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 keys of the queue hold foreign data")},
    KindSentence{FindingKind::LeakedEntry,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 entry stays in its document, though it is done"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 entries stay in their documents, though they are done")},
    KindSentence{FindingKind::GarbageToken,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 token is referred to by nothing"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 tokens are referred to by nothing")},
    KindSentence{FindingKind::TrimmedOrphan,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 id is taken by a task that a full archive left behind"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 ids are taken by tasks that a full archive left behind")},
    KindSentence{FindingKind::Undecodable,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 message cannot be decoded: no worker can run it"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 messages cannot be decoded: no worker can run them")},
    KindSentence{
        FindingKind::LeaseNobodyRecovers,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 task of a dead worker is not brought back"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 tasks of dead workers are not brought back")},
    KindSentence{FindingKind::ExpiredNotPurged,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 id is refused for longer than it was kept for"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 ids are refused for longer than they were kept for")},
    KindSentence{FindingKind::ServedByNobody,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 queue has no worker"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 queues have no worker"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with a worker for the queue")},
    KindSentence{FindingKind::LockWithoutTask,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 unique lock has no task, and refuses equal ones"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 unique locks have no task, and refuse equal ones")},
    KindSentence{
        FindingKind::ArchiveTooLarge,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 archive is too large: a task that fails may be lost from it"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 archives are too large: a task that fails may be lost from them"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with Delete in the archive")},
    KindSentence{FindingKind::DeadClaim,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 row is held for too long: it is not delivered"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 rows are held for too long: they are not delivered")},
    KindSentence{
        FindingKind::PoisonRow,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 row cannot be delivered as it is"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 rows cannot be delivered as they are"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with another row or mapping")},
    KindSentence{
        FindingKind::OverdueRow,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 row is due, and is not delivered"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 rows are due, and are not delivered"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with a relay")},
    KindSentence{
        FindingKind::EffectDisagrees,
        QT_TRANSLATE_NOOP("outbox::FindingWords", "1 status does not say that its message is done"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 statuses do not say that their messages are done")},
    KindSentence{FindingKind::TaskWithoutRow,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 task has no row"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 tasks have no row"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with Delete")},
    KindSentence{FindingKind::Undispatched,
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "1 entry waits in its document for longer than it may"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords",
                                   "%1 entries wait in their documents for longer than they may")},
    KindSentence{
        FindingKind::RedisLostData,
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "1 loss of data in Redis: delivered messages may never have run"),
        QT_TRANSLATE_NOOP("outbox::FindingWords",
                          "%1 losses of data in Redis: delivered messages may never have run"),
        QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with the repair of K8, relays stopped")},
    KindSentence{FindingKind::ClockSkew,
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "1 clock differs from the others"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "%1 clocks differ from the others"),
                 QT_TRANSLATE_NOOP("outbox::FindingWords", "fix with clocks that agree")},
};

const KindSentence &kindSentence(FindingKind kind)
{
    return kindSentences.at(static_cast<std::size_t>(kind) - 1);
}

/// "pending and archived", from "pending@12,archived@17".
QString listWords(const QString &places)
{
    if (places == u"-")
        return findingSentences("in no list");
    QStringList lists = places.split(u',');
    for (QString &one : lists)
        one = one.section(u'@', 0, 0);
    return findingSentences("in %1").arg(lists.join(findingSentences(" and ")));
}

/// What the guard of a task says; empty where `signature` is not one of a task.
QString taskWords(const QString &signature, const QDateTime &now)
{
    static const QRegularExpression parts(
        u"^key=(\\S*) msg=(\\d+)\\S* state=(.*) in=(\\S+) lease=(\\S+)"_s,
        QRegularExpression::DotMatchesEverythingOption);
    const auto found = parts.match(signature);
    // A state and a group may hold anything: what can be read in two ways is not read.
    if (!found.hasMatch() || signature.count(u" in="_s) != 1)
        return {};
    const QString type = found.captured(1);
    const QString state = found.captured(3);
    const QString places = found.captured(4);
    QStringList words;
    if (type.isEmpty() || type == u"none")
        words += findingSentences("No task");
    else if (type != u"hash")
        words += findingSentences("Key that holds a %1").arg(type);
    else
        words += state.isEmpty() ? findingSentences("Task without a state")
                                 : findingSentences("%1 task").arg(capital(state));
    if (type == u"hash" || places != u"-")
        words += listWords(places);
    if (const qint64 bytes = found.captured(2).toLongLong(); bytes > 0)
        words += bytesText(bytes);
    else if (type == u"hash")
        words += findingSentences("no message");
    bool isTime = false;
    const double lease = found.captured(5).toDouble(&isTime);
    if (isTime && std::abs(lease) <= latestSecond)
        words
            += findingSentences("lease until %1")
                   .arg(momentText(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(lease)), now));
    return words.join(u", "_s);
}

} // namespace

QString findingSentence(FindingKind kind, qsizetype count)
{
    const KindSentence &sentence = kindSentence(kind);
    return counted(count, findingSentences(sentence.one), findingSentences(sentence.many));
}

QString fixWords(FindingKind kind)
{
    const KindSentence &sentence = kindSentence(kind);
    return sentence.fix ? findingSentences(sentence.fix) : QString();
}

QString evidenceWords(const PlanItem &item, const QDateTime &now)
{
    const auto guard = guardFromText(item.evidence);
    if (!guard)
        return item.evidence;
    const QString task = taskWords(guard->signature, now);
    if (task.isEmpty()) {
        const QString seen = seenWords(item, now);
        return seen.isEmpty() ? guard->signature : seen;
    }
    if (!item.rowSeen)
        return task;
    return findingSentences("%1; its row is %2").arg(task, label(item.rowSeen->state).toLower());
}

QString summaryWords(const std::optional<ScanSummary> &summary, const QDateTime &now)
{
    if (!summary)
        return findingSentences("Not checked for inconsistencies yet.");
    const QString found = summary->found == 0
        ? findingSentences("No inconsistency")
        : counted(summary->found, findingSentences("1 inconsistency"),
                  findingSentences("%1 inconsistencies"));
    const QString at = momentText(summary->at, now);
    return summary->complete
        ? findingSentences("%1, checked at %2.").arg(found, at)
        : findingSentences("%1 in what was checked at %2, which was not all.").arg(found, at);
}

} // namespace outbox
