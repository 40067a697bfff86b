// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health.h"

#include "models/enumtext.h"
#include "models/health/healthwords.h"
#include "models/phrases.h"

#include <algorithm>
#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using healthwords::healthText;

namespace {

constexpr int looksToEnter = 2;
constexpr int looksToLeave = 3;
constexpr double easing = 0.8;

QString speedPart(const HealthInput &input)
{
    if (!input.outPerSecond)
        return {};
    const double out = *input.outPerSecond;
    if (!input.inPerSecond) {
        return (input.relayHere == RelayState::Running ? healthText("the relay sends %1/s")
                                                       : healthText("out %1/s"))
            .arg(rateText(out));
    }
    const double in = *input.inPerSecond;
    if (input.relayHere == RelayState::Running) {
        const QString text = out > in
            ? healthText("the relay sends %1/s and is ahead of arrival (%2/s)")
            : healthText("the relay sends %1/s, %2/s arrive");
        return text.arg(rateText(out), rateText(in));
    }
    return healthText("in %1/s, out %2/s").arg(rateText(in), rateText(out));
}

/// Silence and a long transaction took their time to be believed already, and one answer ends them.
/// A relay knows its state.
bool countsAtOnce(HealthReason reason)
{
    using enum HealthReason;
    static constexpr std::array reasons{DatabaseSilent,  QueueSilent,  RelayFailed,
                                        RelayBackingOff, RelayStopped, LongTransaction};
    return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

constexpr auto healthLevels = enumTexts<HealthLevel>({
    {HealthLevel::Ok, u"OK", "Healthy"},
    {HealthLevel::Watch, u"WATCH", "Watch"},
    {HealthLevel::Stalled, u"STALLED", "Stalled"},
    {HealthLevel::Broken, u"BROKEN", "Broken"},
    {HealthLevel::Unknown, u"UNKNOWN", "Unknown"},
});
static_assert(levelsByWeight.size() == healthLevels.rows.size());

} // namespace

HealthLimits HealthLimits::ofDemo()
{
    HealthLimits limits;
    limits.transaction = 2.5;
    return limits;
}

HealthLimits HealthLimits::eased() const
{
    HealthLimits eased = *this;
    eased.oldestPending *= easing;
    eased.oldestQueued *= easing;
    eased.nothingLeft *= easing;
    eased.relaySilent *= easing;
    eased.head *= easing;
    eased.growing *= easing;
    eased.transaction *= easing;
    eased.clockOffset *= easing;
    eased.margin /= easing;
    eased.retryAfter /= easing;
    eased.failing *= easing;
    return eased;
}

HealthLimits HealthLimits::least() const
{
    constexpr double little = 1e-9;
    HealthLimits least = eased(); // of a margin it is said that it is thin
    for (double HealthLimits::*limit :
         {&HealthLimits::oldestPending, &HealthLimits::oldestQueued, &HealthLimits::nothingLeft,
          &HealthLimits::head, &HealthLimits::growing, &HealthLimits::transaction,
          &HealthLimits::clockOffset, &HealthLimits::failing})
        least.*limit = little;
    return least;
}

void sortWorstFirst(QList<HealthCause> &found)
{
    std::stable_sort(found.begin(), found.end(),
                     [](const HealthCause &one, const HealthCause &other) {
                         const int left = weightOf(one.level);
                         const int right = weightOf(other.level);
                         return left != right ? left > right : one.reason < other.reason;
                     });
}

HealthReport reportOf(const HealthInput &input, const QList<HealthCause> &found)
{
    HealthReport report;
    if (input.redis)
        report.promise = promise(input.redis->value, input.promiseTerms);
    report.causes = found;
    if (!found.isEmpty() && found.first().level != HealthLevel::Ok) {
        report.level = found.first().level;
        report.sentence = found.first().text;
        return report;
    }
    report.level = HealthLevel::Ok;
    const QString waiting
        = input.outbox ? healthwords::waiting(input.outbox->value, input.ofDocuments) : QString();
    const QString speed = speedPart(input);
    report.sentence = (speed.isEmpty() ? waiting : waiting + "; "_L1 + speed) + u'.';
    for (const HealthCause &note : found)
        report.sentence += u' ' + note.text;
    return report;
}

HealthReport assess(const HealthInput &input, const HealthLimits &limits)
{
    return reportOf(input, findings(input, limits));
}

HealthReport HealthWatch::look(const HealthInput &input)
{
    const QList<HealthCause> above = findings(input, m_limits);
    const QList<HealthCause> near = findings(input, m_limits.eased());
    const auto find = [](const QList<HealthCause> &list, HealthReason reason) {
        return std::find_if(list.cbegin(), list.cend(),
                            [reason](const HealthCause &one) { return one.reason == reason; });
    };
    const auto holds = [&find](const QList<HealthCause> &list, HealthReason reason) {
        return find(list, reason) != list.cend();
    };
    QList<HealthCause> faint; // made when it is needed
    for (const HealthCause &one : near) {
        Memory &memory = m_memory[one.reason];
        memory.cause = one;
        memory.missed = 0;
        memory.seen = holds(above, one.reason) ? memory.seen + 1 : 0;
        if (memory.seen >= looksToEnter
            || (memory.seen > 0 && (m_first || countsAtOnce(one.reason))))
            memory.shown = true;
    }
    m_first = false;

    QList<HealthCause> shown;
    for (auto at = m_memory.begin(); at != m_memory.end();) {
        Memory &memory = at.value();
        if (!holds(near, at.key())) {
            memory.seen = 0;
            if (!memory.shown || countsAtOnce(at.key()) || ++memory.missed >= looksToLeave) {
                at = m_memory.erase(at);
                continue;
            }
            if (faint.isEmpty())
                faint = findings(input, m_limits.least());
            const auto still = find(faint, at.key());
            if (still == faint.cend()) {
                at = m_memory.erase(at);
                continue;
            }
            memory.cause = *still;
        }
        if (memory.shown)
            shown += memory.cause;
        ++at;
    }
    sortWorstFirst(shown);
    return reportOf(input, shown);
}

void HealthWatch::forget()
{
    m_memory.clear();
    m_first = true;
}

int weightOf(HealthLevel level)
{
    const auto place = std::find(levelsByWeight.begin(), levelsByWeight.end(), level);
    return static_cast<int>(place - levelsByWeight.begin());
}

bool isWorse(HealthLevel level, HealthLevel than)
{
    return weightOf(level) > weightOf(than);
}

QString word(HealthLevel level)
{
    return healthLevels.word(level);
}

QString label(HealthLevel level)
{
    return healthLevels.label(level, "outbox::Health");
}

int nagiosCode(HealthLevel level)
{
    switch (level) {
    case HealthLevel::Ok:
        return 0;
    case HealthLevel::Watch:
        return 1;
    case HealthLevel::Stalled:
    case HealthLevel::Broken:
        return 2;
    case HealthLevel::Unknown:
        break;
    }
    return 3;
}

} // namespace outbox
