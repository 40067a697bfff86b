// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a look at documents finds, read from the bytes of real documents by the real rules.
#pragma once

#include "models/designs/designview.h"

#include <QDateTime>

namespace outbox {

/// The entries of one document, with what is safe next for each; `done` are the incoming messages
/// that the other store knows, and it is `now` by the database's clock.
[[nodiscard]] inline QList<SeenEntry> entriesIn(const QString &document, const QByteArray &json,
                                                const QDateTime &now, Design design,
                                                const QStringList &done = {})
{
    DocumentShape shape;
    shape.timeMember = QStringLiteral("At");
    QList<SeenEntry> seen;
    const auto state = OutboxState::read(json, shape);
    if (!state)
        return seen;
    for (const OutboxEntry &entry : state->entries()) {
        const auto isDone = design == Design::EntityState
            ? std::nullopt
            : std::optional<bool>(done.contains(entry.incoming));
        const auto age = entry.made ? std::optional(double(entry.made->secsTo(now))) : std::nullopt;
        seen += SeenEntry{document, QStringLiteral("7"), entry, nextStep(entry, design, isDone),
                          age};
    }
    return seen;
}

/// Two messages that wait since 90 s, one null, one that nobody can read.
[[nodiscard]] inline QByteArray sampleDocument(const QDateTime &now)
{
    const QByteArray at = now.addSecs(-90).toString(Qt::ISODateWithMs).toUtf8();
    return R"({"OutboxState":{"m-1":{"OutgoingMessages":[{"id":"o-1","type":"email:deliver"},)"
           R"({"id":"o-2","type":"sms:send"}],"At":")"
        + at + R"("},"m-2":null,"m-3":7}})";
}

} // namespace outbox
