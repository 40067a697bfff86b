// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/seededbugs.h"

#include <algorithm>
#include <array>
#include <utility>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array bugs{Bug::None,          Bug::CommitFirst,   Bug::ErrorSwallowed,
                          Bug::ConflictFails, Bug::StubAccepted,  Bug::HalfCommitted,
                          Bug::RefusedParts,  Bug::OnlyBehindLast};

QList<EnqueueAnswer> allStored(qsizetype rows)
{
    EnqueueAnswer stored;
    stored.kind = EnqueueAnswer::Kind::Stored;
    return QList<EnqueueAnswer>(rows, stored);
}

} // namespace

QString word(Bug bug)
{
    switch (bug) {
    case Bug::None:
        break;
    case Bug::CommitFirst:
        return u"commit-first"_s;
    case Bug::ErrorSwallowed:
        return u"error-swallowed"_s;
    case Bug::ConflictFails:
        return u"conflict-fails"_s;
    case Bug::StubAccepted:
        return u"stub-accepted"_s;
    case Bug::HalfCommitted:
        return u"half-committed"_s;
    case Bug::RefusedParts:
        return u"refused-parts"_s;
    case Bug::OnlyBehindLast:
        return u"only-behind-last"_s;
    }
    return u"none"_s;
}

std::optional<Bug> bugFrom(const QString &text)
{
    for (const Bug bug : bugs) {
        if (word(bug) == text)
            return bug;
    }
    return std::nullopt;
}

Result<QList<EnqueueAnswer>> WrongQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    using Kind = EnqueueAnswer::Kind;
    if (m_bug == Bug::CommitFirst) {
        if (auto flushed = flush(); !flushed)
            return passOn(flushed);
        m_owed = batch;
        return allStored(batch.size());
    }
    if (m_bug == Bug::HalfCommitted && batch.size() > 1) {
        // The first time the whole batch is given back. What the relay claims then it narrows to
        // the rows that were not refused, and commits those alone: the ones that were never sent.
        const qsizetype sent = std::exchange(m_isFirst, false) ? 1 : batch.size() / 2;
        if (const auto stored = m_queue.enqueue(batch.first(sent)); !stored)
            return stored;
        QList<EnqueueAnswer> swapped = allStored(batch.size());
        for (qsizetype row = 0; row < sent; ++row)
            swapped[row].kind = Kind::Rejected;
        return swapped;
    }
    auto answers = m_queue.enqueue(batch);
    if (!answers && m_bug == Bug::RefusedParts && batch.size() > 1
        && !std::exchange(m_isFirst, false))
        return allStored(batch.size());
    if (!answers)
        return m_bug == Bug::ErrorSwallowed ? allStored(batch.size()) : std::move(answers);
    for (EnqueueAnswer &answer : *answers) {
        if (m_bug == Bug::ConflictFails && answer.kind == Kind::Exists)
            return fail(Error::Kind::Conflict, u"enqueueing"_s, u"task id conflict"_s);
        if (m_bug == Bug::StubAccepted && answer.kind == Kind::Damaged) {
            answer.kind = Kind::Exists;
            answer.state = TaskState::Pending;
            answer.same = true;
        }
    }
    return answers;
}

Result<void> WrongQueue::flush()
{
    if (m_owed.isEmpty())
        return {};
    const auto sent = m_queue.enqueue(std::exchange(m_owed, {}));
    return sent ? Result<void>() : passOn(sent);
}

Result<QList<ParkedRow>> OnlyBehindLast::rows()
{
    QList<ParkedRow> rows;
    for (qint64 id = 1; id <= m_last; ++id)
        rows += ParkedRow{MessageId{QString::number(id)}, u"behind the last id"_s, 0, {}};
    return rows;
}

Result<void> OnlyBehindLast::put(const QList<ParkedRow> &)
{
    return {};
}

Result<void> OnlyBehindLast::release(const QList<MessageId> &)
{
    return {};
}

void OnlyBehindLast::at(RelayStage moment, const QList<MessageId> &ids)
{
    if (moment != RelayStage::Committed)
        return;
    for (const MessageId &id : ids)
        m_last = std::max(m_last, id.text.toLongLong());
}

} // namespace outbox::crash
