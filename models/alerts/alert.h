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
    std::optional<QDateTime> mutedUntil{}; ///< UTC; nobody is told before
    bool isShown = true; ///< by the window, as a notice of the desktop

    /// Whether nobody is to be disturbed at this moment.
    [[nodiscard]] bool isHeldBack(const QDateTime &at) const;
    bool operator==(const Alert &) const = default;
};

/// No list holds more.
inline constexpr qsizetype mostAlerts = 200;

/// `[{"name":…,"rule":…,"command":["program","argument"],"webhook":"https://…",
/// "quiet":"22:00-07:00","muted_until":"2026-01-31T12:00:00Z","desktop":false}]`, of which name and
/// rule are needed. All or nothing: fails with Invalid and says which alert and which member is at
/// fault, at which character of it, and what to write.
[[nodiscard]] Result<QList<Alert>> alertsFrom(const QJsonDocument &document);
/// What `alertsFrom` reads; an empty list is none for it.
[[nodiscard]] QJsonDocument toJson(const QList<Alert> &alerts);

/// As a list of alerts takes it. Fails with Invalid and what to write.
[[nodiscard]] Result<QString> alertNameFrom(const QString &text);
/// The same of a webhook; the address may hold a secret, and no error repeats it.
[[nodiscard]] Result<QUrl> webhookFrom(const QString &text);

[[nodiscard]] QString word(AlertEvent::Kind kind); ///< "raised", "over"
/// `Late mail is raised: lag is 3 min (lag > 2m for 1m)`; plain text, one line.
[[nodiscard]] QString alertSentence(const Alert &alert, const AlertEvent &event);
/// The rule cannot be judged: `Late mail: whether lag > 2m holds is not known since 14:02:11; what
/// was said stays`, or where it is known `Late mail cannot be judged: WHY; what was said stays`.
[[nodiscard]] QString unknownAlertSentence(const Alert &alert, const AlertState &state,
                                           const QDateTime &now, const QString &why = {});
/// For the record of what was done, behind a change of `mutedUntil`: `Alert late: muted for 8 h,
/// until 2026-01-31T12:00:00Z`. In English, whoever reads it.
[[nodiscard]] QString mutingSentence(const Alert &alert, const QDateTime &now);
/// What commands and webhooks are given, and what stands under `alert` in the output of `watch`.
[[nodiscard]] QJsonObject toJson(const Alert &alert, const AlertEvent &event);

} // namespace outbox
