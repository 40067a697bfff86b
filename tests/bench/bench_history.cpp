// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a chart waits for its history: each span it offers, out of a file of thirty days; run by
// hand.
#include "connectors/history/historystore.h"
#include "tests/bench/benchreport.h"
#include "tests/connectors/historysample.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTextStream>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 hour = 3'600;
constexpr qint64 day = 24 * hour;
constexpr qint64 begin = 20'000 * day;
constexpr qint64 end = begin + 30 * day;

Result<void> fill(HistoryStore &store)
{
    for (qint64 from = begin; from < end; from += hour)
        TRY(store.put(sample::largestPoints(from, from + hour), from + hour - 1));
    return {};
}

/// The middle one of several, in milliseconds.
template <typename Ask> double usualMs(const Ask &ask)
{
    constexpr qsizetype times = 21;
    QList<double> took;
    for (qsizetype i = 0; i < times; ++i) {
        QElapsedTimer clock;
        clock.start();
        if (!ask())
            return -1;
        took += static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }
    return Spread::of(took).median;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"history.db"_s);
    HistoryStore store;
    QElapsedTimer clock;
    clock.start();
    if (const auto opened = store.open(path); !opened) {
        out << oneLine(opened.error()) << '\n';
        return 1;
    }
    if (const auto filled = fill(store); !filled) {
        out << oneLine(filled.error()) << '\n';
        return 1;
    }
    out << "filled in " << clock.elapsed() << " ms, " << QFileInfo(path).size() << " bytes\n";

    struct Span
    {
        const char *name;
        HistoryTier tier;
        qint64 length;
    };
    for (const Span &span :
         {Span{"3 min", HistoryTier::Second, 180}, Span{"15 min", HistoryTier::Second, 900},
          Span{"1 h", HistoryTier::Second, hour}, Span{"24 h", HistoryTier::Minute, day},
          Span{"7 days", HistoryTier::Quarter, 7 * day},
          Span{"30 days", HistoryTier::Quarter, 30 * day}}) {
        const double took
            = usualMs([&] { return store.read(span.tier, end - span.length, end).has_value(); });
        out << span.name << ": " << took << " ms\n";
    }
    out << "all at once, as a window that opens: "
        << usualMs([&] { return store.recent(end).has_value(); }) << " ms\n";
    return 0;
}
