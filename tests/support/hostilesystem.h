// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A system of which every text that comes from outside is one and the same text.
#pragma once

#include "models/designs/designview.h"
#include "models/filter/taskfilter.h"
#include "models/groups/failuresample.h"
#include "models/mapping/tablesurvey.h"
#include "models/message/rowsearch.h"
#include "models/operations/auditentry.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/operations/scanreport.h"
#include "models/profile/profile.h"
#include "models/relay/relaystep.h"
#include "models/system/systemview.h"

namespace outbox::hostile {

[[nodiscard]] Error error(const QString &text);
[[nodiscard]] Profile profile(const QString &text);
[[nodiscard]] SourceHealth health(const QString &text);

/// A JSON document with the text as the name and as the value of a member.
[[nodiscard]] QByteArray payload(const QString &text);

/// One for each state.
[[nodiscard]] QList<Message> messages(const QString &text);
[[nodiscard]] QList<Task> tasks(const QString &text);
[[nodiscard]] FailureSample failures(const FailureQuestion &question, const QString &text);
/// Searches that failed.
[[nodiscard]] RowSearchState rowSearch(const QString &text);
[[nodiscard]] TaskSearchView taskSearch(const TaskRequest &request, const QString &text);
[[nodiscard]] OutboxPageView page(const QString &text);
[[nodiscard]] OutboxSnapshot counts(const QString &text);
[[nodiscard]] QList<QueueSnapshot> queues(const QString &text);
[[nodiscard]] QList<QueueServer> servers(const QString &text);
[[nodiscard]] QList<QueueWorker> workers(const QString &text);
[[nodiscard]] RedisFacts redis(const QString &text);
[[nodiscard]] IdVerdict verdict(const QString &text);

[[nodiscard]] QList<Activity> activities(const QString &text);
[[nodiscard]] QList<RelayStep> steps(const QString &text);
[[nodiscard]] ScanReport report(const QString &text);
[[nodiscard]] Plan plan(const QString &text);
[[nodiscard]] Receipt receipt(const Plan &plan, const QString &text);
[[nodiscard]] DesignView documents(const QString &text, DesignList list);

[[nodiscard]] OutboxShape shape(const QString &text);
[[nodiscard]] TableSurvey survey(const QString &text);
[[nodiscard]] MappingPreview preview(const QString &text);

/// All of the above; `documents` for the lists that there are.
struct Everything
{
    Error error;
    Profile profile;
    SourceHealth health;
    QByteArray payload;
    QList<Message> messages;
    QList<Task> tasks;
    OutboxPageView page;
    OutboxSnapshot counts;
    QList<QueueSnapshot> queues;
    QList<QueueServer> servers;
    QList<QueueWorker> workers;
    RedisFacts redis;
    IdVerdict verdict;
    QList<Activity> activities;
    QList<RelayStep> steps;
    ScanReport report;
    Plan plan;
    Receipt receipt;
    QHash<DesignList, DesignView> documents;
    OutboxShape shape;
    TableSurvey survey;
    MappingPreview preview;
};
[[nodiscard]] Everything everything(const QString &text);

} // namespace outbox::hostile
