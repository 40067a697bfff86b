// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demodesign.h"

#include "models/enumtext.h"
#include "models/translation.h"

namespace outbox {

namespace {

constexpr Translation designText("outbox::DemoDesign");

constexpr auto demoDesignTexts = enumTexts<DemoDesign>({
    {DemoDesign::RedisRelay, u"relay", "Outbox table and Redis relay"},
    {DemoDesign::ProcessedDate, u"processed-date", "ProcessedDate job"},
    {DemoDesign::Entity, u"entity", "Entity with OutboxState"},
    {DemoDesign::DedupStore, u"dedup-store", "Separate dedup store"},
    {DemoDesign::Tokens, u"tokens", "Tokens"},
});

} // namespace

QList<DemoDesign> demoDesigns()
{
    return demoDesignTexts.all();
}

QString word(DemoDesign design)
{
    return demoDesignTexts.word(design);
}

std::optional<DemoDesign> demoDesignFromWord(QStringView name)
{
    return demoDesignTexts.fromWord(name);
}

QString label(DemoDesign design)
{
    return demoDesignTexts.label(design, "outbox::DemoDesign");
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
