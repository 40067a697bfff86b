// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the enqueue script answers: a row may be deleted for it, so what makes no sense says nothing
// of any row.
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/redis/replyreader.h"
#include "tests/fuzz/fuzzing.h"

#include <algorithm>

using namespace outbox;
using asynq::EnqueueFinding;
using Kind = EnqueueAnswer::Kind;

namespace {

QList<EnqueueRequest> batch()
{
    QList<EnqueueRequest> requests;
    for (const QString &id : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}) {
        EnqueueRequest request{TaskId{id}, QueueName{QStringLiteral("default")},
                               QStringLiteral("mail"), R"({"id":1})"};
        request.also = {id + QLatin1Char('1'), id + QLatin1Char('2')};
        request.bornUs = 1'764'000'000'000'000;
        requests += request;
    }
    requests[1].also.clear();
    requests[2].mayReturn = true;
    return requests;
}

void look(const QList<EnqueueRequest> &asked, const EnqueueFinding &finding, qsizetype row)
{
    const EnqueueRequest &request = asked.at(row);
    fuzz::demand(finding.ruledOut >= 0 && finding.ruledOut <= request.also.size());
    const Kind kind = finding.answer.kind;
    if (!finding.askAlone && finding.ruledOut == 0
        && (kind == Kind::Exists || kind == Kind::Untold))
        fuzz::demand(finding.id == request.id || request.also.contains(finding.id.text));
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const QList<EnqueueRequest> asked = batch();
    ReplyReader reader;
    if (!reader.feed(fuzz::bytesOf(data, size)))
        return 0;
    while (const auto reply = reader.next()) {
        const asynq::EnqueueCall call{{0, 1, 2}};
        QList<EnqueueFinding> findings(asked.size());
        for (EnqueueFinding &finding : findings)
            finding.answer.kind = Kind::Invalid;
        if (reply->isError()
            || !asynq::EnqueueCommand::read(asked, call, *reply, findings, {QStringLiteral("id")}))
            continue;
        for (qsizetype row = 0; row < findings.size(); ++row)
            look(asked, findings.at(row), row);
        const auto stored = std::count_if(findings.begin(), findings.end(), [](const auto &one) {
            return one.answer.kind == Kind::Stored && !one.askAlone && one.ruledOut == 0;
        });
        fuzz::demand(stored == reply->elements.first().integer);
    }
    return 0;
}
