// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/tokenscan.h"

#include "app/designs/documentreader.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tokensAtOnce = 200;
constexpr qsizetype idsAtOnce = 100;

/// What was not read to its end calls no token garbage.
void endEarly(TokenReferences &references, QStringList &notes, const QString &what)
{
    references.isComplete = false;
    notes += u"The look ended before all %1 were read"_s.arg(what);
}

QStringList idsOf(const QList<JudgedToken> &tokens, TokenReach reach)
{
    QStringList ids;
    for (const JudgedToken &one : tokens) {
        if (one.reach == reach)
            ids += one.token.id;
    }
    return ids;
}

Result<QList<Token>> readTokens(TokenStore &store, qsizetype most, bool &isCut,
                                const std::stop_token &stop)
{
    QHash<QString, Token> found; // a scan of Redis may show one twice
    QString cursor;
    do {
        const auto page = TRY(store.page(cursor, tokensAtOnce));
        for (const Token &token : page)
            found.insert(token.id, token);
        isCut = !cursor.isEmpty();
    } while (isCut && found.size() < most && !stop.stop_requested());
    QList<Token> tokens = found.values();
    std::sort(tokens.begin(), tokens.end(),
              [](const Token &one, const Token &other) { return one.id < other.id; });
    return tokens;
}

Result<void> readEntries(DocumentStores &stores, const std::stop_token &stop,
                         TokenReferences &references, QStringList &notes)
{
    DocumentReader look(stores, Design::Tokens, stop);
    QString after;
    qint64 unreadable = 0;
    do {
        const auto page = TRY(stores.documents().page(after, tokensAtOnce));
        for (const DocumentFacts &facts : page.documents) {
            const auto entries
                = facts.undispatched ? look.entriesOf(facts.id) : Result<QList<SeenEntry>>();
            if (!entries && !isUnreadable(entries))
                return passOn(entries);
            unreadable += !facts.undispatched || !entries ? 1 : 0;
            for (const SeenEntry &seen : entries.value_or(QList<SeenEntry>())) {
                unreadable += seen.entry.state == OutboxEntry::State::Malformed ? 1 : 0;
                QStringList &named = references.unfinished[seen.entry.incoming];
                for (const OutgoingMessage &message : seen.entry.messages) {
                    if (message.token.isEmpty())
                        continue;
                    named += message.token;
                    references.entries.insert(message.token,
                                              seen.document + u" / "_s + seen.entry.incoming);
                }
            }
        }
        after = page.next;
    } while (!after.isEmpty() && !stop.stop_requested());
    if (!after.isEmpty())
        endEarly(references, notes, u"documents"_s);
    if (unreadable > 0) {
        references.isComplete = false;
        notes += u"%1 documents or entries cannot be read, and may name tokens"_s.arg(unreadable);
    }
    return {};
}

/// Of a Cluster a node may be away, and what the others hold is known all the same.
Result<void> noteUnreadQueue(const AsynqInspector &inspector, const QString &what,
                             const Error &error, TokenReferences &references, QStringList &notes)
{
    if (!inspector.isOfCluster())
        return tl::unexpected(error);
    references.isComplete = false;
    notes += u"%1 was not read: %2"_s.arg(what, oneLine(error));
    return {};
}

Result<void> readCarried(AsynqInspector *inspector, const QList<Token> &tokens,
                         const std::stop_token &stop, TokenReferences &references,
                         QStringList &notes)
{
    if (!inspector) {
        references.isComplete = false;
        notes += u"The queues were not read: no Redis was named"_s;
        return {};
    }
    const auto queues = inspector->queues();
    if (!queues) {
        return noteUnreadQueue(*inspector, u"The list of all queues"_s, queues.error(), references,
                               notes);
    }
    for (const QueueName &queue : *queues) {
        for (qsizetype from = 0; from < tokens.size(); from += idsAtOnce) {
            if (stop.stop_requested()) {
                endEarly(references, notes, u"queues"_s);
                return {};
            }
            QList<TaskId> ids;
            for (const Token &token : tokens.mid(from, idsAtOnce))
                ids += TaskId{token.id};
            const auto glances = inspector->glance(queue, ids);
            if (!glances) {
                TRY(noteUnreadQueue(*inspector, u"Queue "_s + queue.text, glances.error(),
                                    references, notes));
                break;
            }
            for (auto glance = glances->cbegin(); glance != glances->cend(); ++glance) {
                if (glance->state != TaskState::None)
                    references.carried.insert(glance.key().text);
            }
        }
    }
    return {};
}

} // namespace

Result<TokenReport> scanTokens(DocumentStores &stores, AsynqInspector *queues, qsizetype mostTokens,
                               const std::stop_token &stop)
{
    QElapsedTimer clock;
    clock.start();
    if (!stores.tokens()) {
        return fail(Error::Kind::Invalid, u"looking at the tokens"_s, u"no store was named"_s, {},
                    u"Give --done-table NAME, or --done-prefix SET with --redis URL"_s);
    }
    TokenReport report;
    const auto found = TRY(readTokens(*stores.tokens(), mostTokens, report.isCut, stop));
    TokenReferences references;
    TRY(readEntries(stores, stop, references, report.notes));
    TRY(readCarried(queues, found, stop, references, report.notes));
    for (const Token &token : found) {
        const TokenReach reach = reachOf(token, references);
        report.tokens += JudgedToken{token, reach, reachText(token, reach, references)};
    }
    const QStringList suspects = idsOf(report.tokens, TokenReach::Garbage);
    const auto left = TRY(stores.tokens()->have(suspects));
    erase_if(report.tokens, [&left](const JudgedToken &one) {
        return one.reach == TokenReach::Garbage && !left.contains(one.token.id);
    });
    report.tookMs = millisecondsOf(clock);
    return report;
}

} // namespace outbox
