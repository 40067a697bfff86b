// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/consent.h"

#include "models/operations/verbdescriptor.h"
#include "models/translation.h"

#include <QLocale>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation consentText("outbox::Consent");

bool holdsSecondExecution(const Plan &plan)
{
    return plan.counts().contains(Outcome::SecondExecution);
}

/// Acts that destroy, or that make something run twice, are typed wherever they are done.
bool isAlwaysTyped(const Plan &plan)
{
    return descriptorOf(plan.verb).alwaysTyped || plan.trimmed > 0 || plan.reopensWindow
        || holdsSecondExecution(plan);
}

} // namespace

Confirmation confirmationFor(const Plan &plan)
{
    if (isAlwaysTyped(plan))
        return Confirmation::Typed;
    switch (plan.environment) {
    case Environment::Development:
    case Environment::Demo:
        return Confirmation::Click;
    case Environment::Production:
        return plan.acting() > 1 ? Confirmation::Typed : Confirmation::Dialog;
    case Environment::Staging:
    case Environment::Unsaid:
        break;
    }
    return Confirmation::Dialog;
}

QString textToType(const Plan &plan)
{
    const QString name = plan.profile.isEmpty() ? word(plan.environment) : plan.profile;
    return QString::number(plan.acting()) + u' ' + name;
}

std::optional<Error> objection(const Plan &plan, const Consent &consent)
{
    const QString doing = consentText("carrying out: %1").arg(label(plan.verb));
    if (plan.acting() == 0) {
        return Error{Error::Kind::Refused,
                     doing,
                     consentText("nothing in the plan can be done"),
                     {},
                     consentText("Look at the reasons in the plan")};
    }
    if (plan.trimmed > 0 && !consent.trim) {
        return Error{
            Error::Kind::Refused,
            doing,
            consentText("the archive holds 9,999 tasks at most: %1 of the oldest would have to go")
                .arg(QLocale::c().toString(plan.trimmed)),
            {},
            consentText("Allow trimming, or archive fewer")};
    }
    if (confirmationFor(plan) == Confirmation::Typed && consent.typed != textToType(plan)) {
        return Error{Error::Kind::Refused,
                     doing,
                     consentText("it was not confirmed"),
                     {},
                     consentText("Type \"%1\" to confirm").arg(textToType(plan))};
    }
    return std::nullopt;
}

Plan withConsent(Plan plan, const Consent &consent)
{
    if (consent.secondExecution)
        return plan;
    const QString why = descriptorOf(plan.verb).target == VerbTarget::File
        ? consentText("It may have run since the export: that must be allowed in writing. %1")
        : consentText("It ran before: a second execution must be allowed in writing. %1");
    for (PlanItem &item : plan.items) {
        if (item.expected != Outcome::SecondExecution)
            continue;
        item.expected = Outcome::NotAllowed;
        item.reason = why.arg(item.reason);
    }
    return plan;
}

} // namespace outbox
