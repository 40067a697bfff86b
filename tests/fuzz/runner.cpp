// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a target without libFuzzer: every file of a folder, then changes of them.
//   fuzz_<kind> FOLDER [--runs N] [--seed S]
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/mutator.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 slowMs = 1000;
QByteArray current; ///< what is being run
QByteArray crashFile;

void save(const char *file)
{
    const int out = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0)
        return;
    if (::write(out, current.constData(), static_cast<std::size_t>(current.size())) < 0)
        std::perror(file);
    ::close(out);
}

void keepWhatCrashed(int signal)
{
    save(crashFile.constData());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Of one run, in ms.
qint64 run(const QByteArray &input)
{
    current = input;
    QElapsedTimer clock;
    clock.start();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(current.constData()),
                           static_cast<std::size_t>(current.size()));
    return clock.elapsed();
}

qint64 numberBehind(const QStringList &arguments, const QString &name, qint64 otherwise)
{
    const qsizetype at = arguments.indexOf(name);
    return at < 0 ? otherwise : arguments.value(at + 1).toLongLong();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const QString kind = arguments.constFirst().section(u'_', -1);
    const qint64 runs = numberBehind(arguments, u"--runs"_s, 20'000);
    const qint64 seed = numberBehind(arguments, u"--seed"_s, 1);
    crashFile = "crash-" + kind.toLocal8Bit();
    for (const int signal : {SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE})
        std::signal(signal, keepWhatCrashed);

    const QDir folder(arguments.value(1));
    QList<QByteArray> corpus;
    for (const QString &name : folder.entryList(QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            corpus += file.readAll();
    }
    if (corpus.isEmpty()) {
        std::fprintf(stderr, "no corpus in %s\n", qPrintable(folder.path()));
        return 2;
    }
    qint64 slowest = 0;
    qint64 tooSlow = 0;
    const auto note = [&](qint64 tookMs) {
        slowest = qMax(slowest, tookMs);
        if (tookMs > slowMs && ++tooSlow == 1)
            save(QByteArray("slow-" + kind.toLocal8Bit()).constData());
    };
    for (const QByteArray &input : std::as_const(corpus))
        note(run(input));
    outbox::fuzz::Mutator mutator(corpus, static_cast<quint64>(seed));
    QElapsedTimer clock;
    clock.start();
    for (qint64 i = 0; i < runs; ++i)
        note(run(mutator.next()));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("%s: %lld files, %lld changed ones with seed %lld in %.1f s; slowest %lld ms;"
                " peak %ld MB\n",
                qPrintable(kind), static_cast<long long>(corpus.size()),
                static_cast<long long>(runs), static_cast<long long>(seed),
                static_cast<double>(clock.elapsed()) / 1000.0, static_cast<long long>(slowest),
                usage.ru_maxrss / 1024);
    return tooSlow == 0 ? 0 : 1;
}
