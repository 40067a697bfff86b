// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demodesign.h"

#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation designText("outbox::DemoDesign");

} // namespace

QList<DemoDesign> demoDesigns()
{
    return {DemoDesign::RedisRelay, DemoDesign::ProcessedDate, DemoDesign::Entity,
            DemoDesign::DedupStore, DemoDesign::Tokens};
}

QString word(DemoDesign design)
{
    switch (design) {
    case DemoDesign::RedisRelay:
        return u"relay"_s;
    case DemoDesign::ProcessedDate:
        return u"processed-date"_s;
    case DemoDesign::Entity:
        return u"entity"_s;
    case DemoDesign::DedupStore:
        return u"dedup-store"_s;
    case DemoDesign::Tokens:
        break;
    }
    return u"tokens"_s;
}

std::optional<DemoDesign> demoDesignFromWord(QStringView name)
{
    for (const DemoDesign design : demoDesigns()) {
        if (word(design) == name)
            return design;
    }
    return std::nullopt;
}

QString label(DemoDesign design)
{
    switch (design) {
    case DemoDesign::RedisRelay:
        return designText("Outbox table and Redis relay");
    case DemoDesign::ProcessedDate:
        return designText("ProcessedDate job");
    case DemoDesign::Entity:
        return designText("Entity with OutboxState");
    case DemoDesign::DedupStore:
        return designText("Separate dedup store");
    case DemoDesign::Tokens:
        break;
    }
    return designText("Tokens");
}

QString description(DemoDesign design)
{
    switch (design) {
    case DemoDesign::RedisRelay:
        return designText(
            "A shop writes orders and messages in one transaction; a relay moves them to "
            "the queue and deletes them.");
    case DemoDesign::ProcessedDate:
        return designText(
            "Published rows stay and get a date. The first row cannot be published: it is "
            "set aside, so that it does not block those behind it.");
    case DemoDesign::Entity:
        return designText(
            "Messages wait inside the orders themselves. Some handlers die before they "
            "send; a relay sends what they left.");
    case DemoDesign::DedupStore:
        return designText(
            "Finished messages are noted in a table beside the orders. Some handlers die "
            "before they clean up: their entries leak.");
    case DemoDesign::Tokens:
        break;
    }
    return designText(
        "Each message carries a token that its receiver consumes. Handlers that die leave "
        "entries behind, and tokens that nothing refers to.");
}

std::optional<Design> documentDesign(DemoDesign design)
{
    switch (design) {
    case DemoDesign::RedisRelay:
    case DemoDesign::ProcessedDate:
        return std::nullopt;
    case DemoDesign::Entity:
        return Design::EntityState;
    case DemoDesign::DedupStore:
        return Design::DedupStore;
    case DemoDesign::Tokens:
        break;
    }
    return Design::Tokens;
}

} // namespace outbox
