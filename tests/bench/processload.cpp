// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/processload.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QList>

#include <ctime>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Times
{
    qint64 parent = 0;
    double seconds = 0;
};

/// /proc/PID/stat behind the name, which may hold blanks: state is the first word, ppid the second.
Times timesOf(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray text = file.readAll();
    const QByteArrayList words = text.mid(text.lastIndexOf(')') + 2).split(' ');
    constexpr int parentWord = 1;
    constexpr int firstTime = 11; // utime, stime, cutime, cstime
    qint64 ticks = 0;
    for (int word = firstTime; word < firstTime + 4; ++word)
        ticks += words.value(word).toLongLong();
    return {words.value(parentWord).toLongLong(),
            static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

} // namespace

double cpuSecondsOfTree(qint64 pid)
{
    QHash<qint64, Times> all;
    for (const QString &name : QDir(u"/proc"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isProcess = false;
        const qint64 number = name.toLongLong(&isProcess);
        if (isProcess)
            all.insert(number, timesOf(number));
    }
    double seconds = 0;
    QList<qint64> open{pid};
    while (!open.isEmpty()) {
        const qint64 current = open.takeLast();
        seconds += all.value(current).seconds;
        for (auto other = all.cbegin(); other != all.cend(); ++other) {
            if (other->parent == current)
                open += other.key();
        }
    }
    return seconds;
}

double cpuSecondsOfOurs()
{
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

double residentMiB()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const double pages = file.readAll().split(' ').value(1).toDouble();
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576.0;
}

} // namespace outbox
