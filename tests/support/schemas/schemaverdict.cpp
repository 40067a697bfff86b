// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/schemas/schemaverdict.h"

#include "connectors/sql/roles/openparts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;

/// A way that some of the true ones allow.
template <typename How>
bool isAmong(const QList<TrueWay<How>> &ways, How how, const QStringList &columns)
{
    for (const TrueWay<How> &way : ways) {
        if (way.how != how)
            continue;
        if (way.columns.isEmpty())
            return true;
        for (const QString &column : columns) {
            if (!column.isEmpty() && way.columns.contains(column))
                return true;
        }
    }
    return false;
}

/// The values in `named` are those of `state`, as far as rows or the catalog show any.
bool areValuesOf(const OutboxTruth &truth, MessageState state, const QStringList &named)
{
    for (auto value = truth.values.begin(); value != truth.values.end(); ++value) {
        if (named.contains(value.key()) != (value.value() == state))
            return false;
    }
    return true;
}

bool hasShownValue(const OutboxTruth &truth, const QStringList &named)
{
    for (const QString &value : named) {
        if (truth.values.contains(value))
            return true;
    }
    return false;
}

bool isProcessedRight(const OutboxTruth &truth, const OutboxShape &shape)
{
    if (!isAmong(truth.processed, shape.processedHow, {shape.processedColumn}))
        return false;
    return shape.processedHow != Processed::Status
        || areValuesOf(truth, MessageState::Processed, shape.processedValues);
}

bool isLockedRight(const OutboxTruth &truth, const OutboxShape &shape)
{
    Locked how = shape.lockedHow;
    // an open transaction may hold a row of any table
    if (how == Locked::Row || (how == Locked::Status && !hasShownValue(truth, shape.lockedValues)))
        how = Locked::None;
    const QStringList columns = how == Locked::Until ? QStringList{shape.leaseColumn}
        : how == Locked::Owner ? QStringList{shape.ownerColumn, shape.lockTimeColumn}
                               : QStringList{shape.lockedColumn};
    if (!isAmong(truth.locked, how, columns))
        return false;
    return how != Locked::Status || areValuesOf(truth, MessageState::Locked, shape.lockedValues);
}

bool isFailedRight(const OutboxTruth &truth, const OutboxShape &shape)
{
    Failed how = shape.failedHow;
    if (how == Failed::Status && !hasShownValue(truth, shape.failedValues))
        how = Failed::None;
    if (!isAmong(truth.failed, how, {shape.failedColumn}))
        return false;
    if (how == Failed::Attempts)
        return shape.attemptsColumn == truth.attempts
            && shape.maxAttemptsColumn == truth.maxAttempts;
    return how != Failed::Status || areValuesOf(truth, MessageState::Failed, shape.failedValues);
}

bool areCountsRight(const OutboxTruth &truth, const OutboxShape &shape,
                    const OutboxSnapshot &counts)
{
    const auto fits = [&truth](const std::optional<qint64> &count, MessageState state) {
        return !count || *count == truth.rows.value(state);
    };
    return fits(counts.pending, MessageState::Pending)
        && fits(counts.waiting, MessageState::Waiting)
        && (!counts.lockVisible || fits(counts.locked, MessageState::Locked))
        && fits(counts.processed, MessageState::Processed)
        && (shape.failedHow == Failed::Table || fits(counts.failed, MessageState::Failed))
        && counts.unknown.value_or(0) == 0;
}

/// Nothing is counted in a state that it is not in: rows that depend on a zone which nobody said
/// are counted nowhere.
bool areOpenCountsTrue(const OutboxTruth &truth, const OutboxSnapshot &counts)
{
    qint64 all = counts.unknown.value_or(0);
    qint64 real = 0;
    bool isEachTrue = true;
    const auto add = [&](const std::optional<qint64> &count, MessageState state) {
        if (!count)
            return;
        all += *count;
        real += truth.rows.value(state);
        isEachTrue &= *count <= truth.rows.value(state);
    };
    add(counts.pending, MessageState::Pending);
    add(counts.waiting, MessageState::Waiting);
    add(counts.processed, MessageState::Processed);
    return isEachTrue
        && all
        <= real + truth.rows.value(MessageState::Locked) + truth.rows.value(MessageState::Failed);
}

/// The columns that the finding asks about, because too little shows what they mean.
QStringList askedColumns(const ProbeFinding &finding)
{
    QStringList columns;
    for (const QString &question : finding.questions) {
        if (!question.startsWith(openQuestion))
            continue;
        const QStringList parts = question.split(u'`');
        for (qsizetype part = 1; part < parts.size(); part += 2)
            columns += parts.at(part);
    }
    return columns;
}

/// The columns that the shape takes for a fact, and those that truly tell it.
std::pair<QStringList, QStringList> columnsOf(const QString &fact, const OutboxTruth &truth,
                                              const OutboxShape &shape)
{
    if (fact == u"type")
        return {{shape.typeColumn}, truth.type};
    if (fact == u"payload")
        return {{shape.payloadColumn}, {truth.payload}};
    if (fact == u"created")
        return {{shape.createdColumn}, truth.created};
    if (fact == u"due")
        return {{shape.dueColumn}, {truth.due}};
    if (fact == u"processed")
        return {{shape.processedColumn}, truth.processed.constFirst().columns};
    if (fact == u"locked") {
        return {{shape.leaseColumn, shape.ownerColumn, shape.lockTimeColumn, shape.lockedColumn},
                truth.locked.constFirst().columns};
    }
    const bool isByTries = shape.failedHow == Failed::Attempts;
    QStringList real = truth.failed.constFirst().columns;
    if (truth.failed.constFirst().how == Failed::Attempts)
        real += {truth.attempts, truth.maxAttempts};
    return {{isByTries ? shape.attemptsColumn : shape.failedColumn}, real};
}

/// Whoever answers the question about columns says what is so: all that the shape takes is asked
/// about, and one that truly tells it, where there is one.
bool isAskedAbout(const QString &fact, const OutboxTruth &truth, const ProbeFinding &finding)
{
    static const QSet<QString> facts{u"type"_s,      u"payload"_s, u"created"_s, u"due"_s,
                                     u"processed"_s, u"locked"_s,  u"failed"_s};
    if (!facts.contains(fact))
        return false;
    const QStringList asked = askedColumns(finding);
    auto [taken, real] = columnsOf(fact, truth, finding.shape);
    taken.removeAll(QString());
    real.removeAll(QString());
    const auto isAsked = [&asked](const QString &column) { return asked.contains(column); };
    return !(taken.isEmpty() && real.isEmpty())
        && std::all_of(taken.cbegin(), taken.cend(), isAsked)
        && (real.isEmpty() || std::any_of(real.cbegin(), real.cend(), isAsked));
}

} // namespace

SchemaVerdict verdictOf(const OutboxTruth &truth, const ProbeFinding &finding, bool isListed,
                        const SchemaCounts &counts)
{
    const OutboxShape &shape = finding.shape;
    SchemaVerdict verdict;
    verdict.confidence = finding.confidence;
    const auto check = [&verdict](bool isRight, const QString &fact) {
        if (!isRight)
            verdict.wrong += fact;
    };
    check(isListed, u"found"_s);
    check(
        QSet<QString>(truth.key.begin(), truth.key.end()) ==
            [&shape] {
                const QStringList columns = shape.keyColumns();
                return QSet<QString>(columns.begin(), columns.end());
            }(),
        u"key"_s);
    check(truth.type.contains(shape.typeColumn), u"type"_s);
    check(truth.payload == shape.payloadColumn, u"payload"_s);
    check(truth.created.isEmpty() ? shape.createdColumn.isEmpty()
                                  : truth.created.contains(shape.createdColumn),
          u"created"_s);
    check(truth.due == shape.dueColumn, u"due"_s);
    check(isProcessedRight(truth, shape), u"processed"_s);
    check(isLockedRight(truth, shape), u"locked"_s);
    check(isFailedRight(truth, shape), u"failed"_s);
    const bool isTold = finding.confidence < sureEnough;
    const bool isOpen = isTold && !truth.unknowable.isEmpty();
    check(isOpen || areCountsRight(truth, shape, counts.all), u"counts"_s);
    check(isOpen || !counts.open || areOpenCountsTrue(truth, *counts.open), u"open counts"_s);

    const bool isAllOpen
        = std::all_of(verdict.wrong.cbegin(), verdict.wrong.cend(),
                      [&truth](const QString &fact) { return truth.unknowable.contains(fact); });
    static const QSet<QString> sums{u"counts"_s, u"open counts"_s}; // they follow from facts
    const auto isFactAsked = [&](const QString &fact) {
        return truth.unknowable.contains(fact) || isAskedAbout(fact, truth, finding);
    };
    const bool isAllAsked
        = std::all_of(verdict.wrong.cbegin(), verdict.wrong.cend(),
                      [&](const QString &fact) { return sums.contains(fact) || isFactAsked(fact); })
        && std::any_of(verdict.wrong.cbegin(), verdict.wrong.cend(), isFactAsked);
    verdict.asksAboutColumns = !askedColumns(finding).isEmpty();
    if (truth.mustBeAsked && !isTold)
        verdict.wrong += u"certain"_s;
    if (verdict.wrong.isEmpty())
        verdict.is = !isTold    ? SchemaVerdict::Is::Right
            : truth.mustBeAsked ? SchemaVerdict::Is::Asked
                                : SchemaVerdict::Is::RightTold;
    else if (isTold && isAllOpen)
        verdict.is = SchemaVerdict::Is::Asked;
    else if (isTold && isAllAsked)
        verdict.is = SchemaVerdict::Is::WrongAsked;
    else if (verdict.wrong == QStringList{u"found"_s}) // "no table here looks like an outbox"
        verdict.is = SchemaVerdict::Is::WrongTold;
    else
        verdict.is = isTold ? SchemaVerdict::Is::WrongTold : SchemaVerdict::Is::WrongSilent;
    return verdict;
}

void VerdictTally::add(const SchemaVerdict &verdict)
{
    ++m_counts[verdict.is];
    m_asking += verdict.asksAboutColumns ? 1 : 0;
    for (const QString &fact : verdict.wrong) {
        if (verdict.is == SchemaVerdict::Is::WrongTold)
            ++m_told[fact];
        else if (verdict.is == SchemaVerdict::Is::WrongSilent)
            ++m_silent[fact];
    }
}

int VerdictTally::all() const
{
    int sum = 0;
    for (const int count : m_counts)
        sum += count;
    return sum;
}

double VerdictTally::rightPerCent() const
{
    const int right = count(SchemaVerdict::Is::Right) + count(SchemaVerdict::Is::RightTold)
        + count(SchemaVerdict::Is::Asked);
    return all() > 0 ? 100.0 * right / all() : 0;
}

QString VerdictTally::text() const
{
    using Is = SchemaVerdict::Is;
    const auto byFact = [](const QMap<QString, int> &facts) {
        QStringList parts;
        for (auto fact = facts.begin(); fact != facts.end(); ++fact)
            parts += u"%1 %2"_s.arg(fact.key()).arg(fact.value());
        return parts.isEmpty() ? QString() : u" ("_s + parts.join(u", "_s) + u')';
    };
    return u"%1 outboxes: %2 % right; right and sure %3, right but told as a guess %4, asked %5; "
           "wrong, but asked about by column %11; wrong and told %6%7; wrong in silence %8%9; "
           "%10 ask about columns"_s.arg(all())
               .arg(rightPerCent(), 0, 'f', 1)
               .arg(count(Is::Right))
               .arg(count(Is::RightTold))
               .arg(count(Is::Asked))
               .arg(count(Is::WrongTold))
               .arg(byFact(m_told))
               .arg(count(Is::WrongSilent))
               .arg(byFact(m_silent))
               .arg(m_asking)
               .arg(count(Is::WrongAsked));
}

} // namespace outbox
