// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the slices of an exact count hold their snapshots beside others who change the table.
// Figures, no verdict: bench_exactcount [rows] [changed rows a second]
#include "app/system/jobs/exactcounter.h"
#include "tests/bench/bigoutbox.h"
#include "tests/bench/rowwriter.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTextStream>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// One count; the times of its slices.
Result<ExactCount> count(const Profile &profile, std::vector<double> &slices)
{
    QTemporaryDir folder;
    ExactCounter counter(profile, {}, folder.path());
    std::optional<Result<ExactCount>> ended;
    double before = 0;
    qint64 seen = 0;
    const auto take = [&](const ExactCount &count) {
        slices.push_back(count.tookMs - before);
        if (slices.back() > 100) {
            QTextStream(stderr) << "  at " << seen << ": " << count.seen - seen << " rows in "
                                << slices.back() << " ms" << Qt::endl;
        }
        before = count.tookMs;
        seen = count.seen;
    };
    QObject::connect(&counter, &ExactCounter::progressed, &counter, take);
    QObject::connect(&counter, &ExactCounter::ended, &counter,
                     [&](const Result<ExactCount> &count) { ended = count; });
    counter.start(*profile.shape);
    while (!ended)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (*ended)
        take(**ended);
    return *ended;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const qint64 rows = arguments.value(1, u"2000000"_s).toLongLong();
    const int changes = arguments.value(2, u"10000"_s).toInt();
    QTextStream out(stdout);
    const auto fail = [&out](const Error &error) {
        out << oneLine(error) << Qt::endl;
        return 1;
    };
    PrivatePostgres postgres;
    if (auto started = postgres.start(); !started)
        return fail(started.error());
    PlainPostgres hand;
    if (auto opened = hand.open(postgres); !opened)
        return fail(opened.error());
    if (auto filled = fillPostgres(hand, {u"outbox"_s, rows, 10'000}); !filled)
        return fail(filled.error());
    Profile profile;
    profile.databaseUrl = postgres.url();
    OutboxShape shape;
    shape.table = TableName::fromText(u"public.outbox"_s);
    shape.keyColumn = u"id"_s;
    shape.keyForm = OutboxShape::KeyForm::Uuid;
    shape.typeColumn = u"type"_s;
    shape.payloadColumn = u"payload"_s;
    shape.createdColumn = u"created_at"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = u"completed_at"_s;
    profile.shape = shape;
    for (const int perSecond : {0, changes}) {
        RowWriter writer(postgres.url(), perSecond, rows + 1);
        std::vector<double> slices;
        const auto counted = count(profile, slices);
        if (!counted)
            return fail(counted.error());
        std::sort(slices.begin(), slices.end());
        const auto at = [&slices](double share) {
            return QString::number(slices.at(size_t(double(slices.size() - 1) * share)), 'f', 1);
        };
        out << counted->seen << " rows, " << writer.perSecond()
            << " changed a second: " << double(counted->started.msecsTo(counted->at)) / 1000
            << " s, " << counted->tookMs / 1000 << " of them in the database; " << slices.size()
            << " slices: p50 " << at(0.5) << " ms, p99 " << at(0.99) << " ms, longest " << at(1)
            << " ms; longest statement " << counted->longestMs << " ms" << Qt::endl;
    }
    return 0;
}
