// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An alert as somebody wrote it down: a rule with a name, whom it tells and when not; its sentences
// and its JSON.
#pragma once

#include "models/alerts/alertrule.h"
#include "models/alerts/alertstate.h"
#include "models/alerts/quiettimes.h"
#include "models/result.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace outbox {

struct Alert
{
    QString name; ///< no two of a list have the same
    AlertRule rule;
    QStringList command{}; ///< a program and its arguments; no shell reads them; empty: none
    QUrl webhook{}; ///< http or https; empty: none
    std::optional<QuietTimes> quiet{};

    bool operator==(const Alert &) const = default;
};

/// `[{"name":…,"rule":…,"command":["program","argument"],"webhook":"https://…",
/// "quiet":"22:00-07:00"}]`, of which name and rule are needed. All or nothing: fails with Invalid
/// and says which alert and which member is at fault, at which character of it, and what to write.
[[nodiscard]] Result<QList<Alert>> alertsFrom(const QJsonDocument &document);

[[nodiscard]] QString word(AlertEvent::Kind kind); ///< "raised", "over"
/// `Late mail is raised: lag is 3 min (lag > 2m for 1m)`; plain text, one line.
[[nodiscard]] QString alertSentence(const Alert &alert, const AlertEvent &event);
/// The rule cannot be judged: `Late mail: whether lag > 2m holds is not known since 14:02:11; what
/// was said stays`.
[[nodiscard]] QString unknownAlertSentence(const Alert &alert, const AlertState &state,
                                           const QDateTime &now);
/// What commands and webhooks are given, and what stands under `alert` in the output of `watch`.
[[nodiscard]] QJsonObject toJson(const Alert &alert, const AlertEvent &event);

} // namespace outbox
