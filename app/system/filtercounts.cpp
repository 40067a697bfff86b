// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/filtercounts.h"

#include "app/settings/opening.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Milliseconds behind each one of work, for each rule.
constexpr double restForWork = 100;
constexpr std::chrono::milliseconds longestCountRest = std::chrono::hours(7 * 24); // of a timer

/// An error as the reason why a rule cannot be judged. Places in the filter are none of the rule.
FilterCount notCounted(Error why)
{
    why.position = -1;
    const bool isAway = why.kind == Error::Kind::Unreachable || why.kind == Error::Kind::Conflict;
    return {{}, oneLine(why).simplified(), !isAway};
}

/// Both count the same rows.
bool isOnSameRows(const AlertRule &one, const AlertRule &other)
{
    return one.filter == other.filter && one.inMs == other.inMs;
}

} // namespace

FilterCounts::FilterCounts(Target target, QString program, QObject *parent)
    : QObject(parent), m_target(std::move(target)), m_program(std::move(program)),
      m_job(u"filters"_s)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &FilterCounts::askNext);
}

std::chrono::milliseconds FilterCounts::restAfter(double tookMs, qsizetype rules)
{
    const double wanted = std::ceil(tookMs * restForWork * static_cast<double>(rules));
    const auto most = static_cast<double>(longestCountRest.count());
    return std::chrono::milliseconds(
        static_cast<qint64>(std::clamp(wanted, static_cast<double>(shortestRestMs), most)));
}

void FilterCounts::setRules(const QList<AlertRule> &rules)
{
    QList<Counted> before = std::exchange(m_rules, {});
    for (const AlertRule &rule : rules) {
        const auto isIt = [&rule](const Counted &one) { return one.rule == rule; };
        if (!rule.isOnFilter() || std::any_of(m_rules.cbegin(), m_rules.cend(), isIt))
            continue;
        const auto known = std::find_if(before.cbegin(), before.cend(), isIt);
        const auto alike
            = std::find_if(before.cbegin(), before.cend(),
                           [&rule](const Counted &one) { return isOnSameRows(one.rule, rule); });
        Counted next = known == before.cend() ? Counted{rule} : *known;
        if (known == before.cend() && alike != before.cend())
            next.looks = alike->looks;
        m_rules += next;
    }
    if (m_rules.isEmpty()) {
        m_isAsking = false;
        m_job.stop(); // ends the session
    }
    askNext();
}

void FilterCounts::setShape(const OutboxShape &shape)
{
    const bool isSame = m_shape == shape;
    m_shape = shape;
    if (m_turnedAway)
        return tellAll(Error(*m_turnedAway));
    if (!isSame || !m_next.isActive())
        askNext();
}

void FilterCounts::lose(const Error &why)
{
    m_shape.reset();
    m_next.stop();
    tellAll(why);
}

void FilterCounts::tellAll(const Error &why)
{
    const QList<Counted> rules = m_rules; // whoever is told may set others
    for (const Counted &one : rules)
        tell(one.rule, notCounted(why));
}

void FilterCounts::setRunning(bool running)
{
    if (std::exchange(m_isRunning, running) == running)
        return;
    if (running) {
        m_turnedAway.reset();
        return askNext();
    }
    m_next.stop();
    m_isAsking = false;
    m_job.stop();
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (Counted &one : m_rules)
        one.looks += CountedRows{now, {}}; // the time that begins now is nobody's
}

void FilterCounts::askNext()
{
    m_next.stop();
    if (!m_isRunning || !m_shape || m_isAsking || m_turnedAway || m_rules.isEmpty())
        return;
    const auto first = std::min_element(
        m_rules.cbegin(), m_rules.cend(), [](const Counted &one, const Counted &other) {
            return one.due.remainingTimeAsDuration() < other.due.remainingTimeAsDuration();
        });
    if (!first->due.hasExpired()) {
        const auto rest
            = std::chrono::ceil<std::chrono::milliseconds>(first->due.remainingTimeAsDuration());
        m_next.start(std::max(rest, std::chrono::milliseconds(1)));
        return;
    }
    ask(AlertRule(first->rule));
}

void FilterCounts::ask(const AlertRule &rule)
{
    const RowCountRequest request = rule.countAt(QDateTime::currentDateTime());
    if (const QString why = whyNotWrite(*m_shape); !why.isEmpty()) {
        const Error guess
            = fail(Error::Kind::Unsupported, u"counting rows by a filter"_s, why).value();
        return take(rule, request.most, {Failure(guess), {}, false});
    }
    auto settings
        = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly, m_program);
    if (!settings)
        return take(rule, request.most, {passOn(settings), {}, false});
    settings->statementTimeoutMs = mostMsOfCount;
    m_isAsking = true;
    if (!m_job.isRunning())
        m_job.start();
    m_job.ask(
        [settings = *settings, shape = *m_shape, folder = m_target.stateFolder, request](
            OutboxSource &source) { return countOne(source, settings, shape, folder, request); },
        [this, rule, most = request.most](const Answer &answer) {
            m_isAsking = false;
            take(rule, most, answer);
        });
}

FilterCounts::Answer FilterCounts::countOne(OutboxSource &source, const StoreSettings &settings,
                                            const OutboxShape &shape, const QString &stateFolder,
                                            const RowCountRequest &request)
{
    auto opened = source.ready(settings, stateFolder, shape);
    if (opened)
        opened = source.ensureOpen(); // where it is a standby's, a better one may be back
    if (!opened) {
        const bool isRefused = opened.error().kind == Error::Kind::Refused;
        return {passOn(opened), {}, isRefused};
    }
    QElapsedTimer clock;
    clock.start();
    auto rows = source.count(request);
    return {std::move(rows), millisecondsOf(clock), false};
}

void FilterCounts::take(const AlertRule &rule, qint64 most, const Answer &answer)
{
    if (answer.isTurnedAway)
        m_turnedAway = answer.rows.error();
    QTimer::singleShot(0, this, &FilterCounts::askNext); // not from within what it asked
    if (!answer.tookMs) { // a server without a connection left gets no attempt of each rule
        const QDeadlineTimer again(restAfter(0, m_rules.size()));
        for (Counted &one : m_rules) {
            if (one.due < again)
                one.due = again;
        }
        return tellAll(Error(answer.rows.error()));
    }
    const auto known = std::find_if(m_rules.begin(), m_rules.end(),
                                    [&rule](const Counted &one) { return one.rule == rule; });
    if (known == m_rules.end())
        return;
    known->due = QDeadlineTimer(restAfter(*answer.tookMs, m_rules.size()));
    FilterCount count;
    if (answer.rows)
        count.reading = {static_cast<double>(*answer.rows), *answer.rows > most};
    else
        count = notCounted(answer.rows.error());
    tell(rule, count);
}

void FilterCounts::tell(const AlertRule &rule, const FilterCount &count)
{
    const auto known = std::find_if(m_rules.begin(), m_rules.end(),
                                    [&rule](const Counted &one) { return one.rule == rule; });
    if (known == m_rules.end())
        return;
    const bool isLater
        = known->looks.isEmpty() || known->looks.constLast().reading.value || count.reading.value;
    if (isLater) // of looks that know nothing the first is enough
        known->looks += CountedRows{QDateTime::currentDateTimeUtc(), count.reading};
    if (known->looks.size() > mostHeld)
        known->looks.remove(0, mostHeld / 10);
    emit counted(rule, count);
}

AlertTrial FilterCounts::tried(const AlertRule &rule) const
{
    const Counted *best = nullptr;
    for (const Counted &one : m_rules) {
        if (!isOnSameRows(one.rule, rule))
            continue;
        // Its own counts, or else those that were counted furthest.
        const bool isBetter = !best || one.rule == rule
            || (best->rule != rule && one.rule.limit > best->rule.limit);
        best = isBetter ? &one : best;
    }
    return tryAlert(rule, best ? best->looks : QList<CountedRows>(),
                    QDateTime::currentDateTimeUtc());
}

} // namespace outbox
