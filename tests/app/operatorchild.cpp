// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator as a process of its own, for tests with many of them and for tests that kill one:
// plans, says so, waits for a line on stdin, carries out, and prints its counts.
//
// operatorchild DATABASE TABLE REDIS STATE VERB IDS-FILE CHUNK [KILL-AT]
#include "tests/support/testoperator.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

int failed(const Error &error)
{
    std::fprintf(stderr, "%s\n", qPrintable(oneLine(error)));
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList words = app.arguments();
    if (words.size() < 8)
        return 2;
    TestOperator person(words.at(4));
    if (auto opened = person.open(words.at(1), words.at(2), words.at(3)); !opened)
        return failed(opened.error());
    QFile ids(words.at(6));
    if (!ids.open(QIODevice::ReadOnly))
        return 2;
    const QStringList lines = QString::fromUtf8(ids.readAll()).split(u'\n', Qt::SkipEmptyParts);
    const Verb verb = verbFromWord(words.at(5)).value();
    Selection selection
        = verb == Verb::EditTask ? TestOperator::tasks(lines) : TestOperator::rows(lines);
    if (verb == Verb::Edit || verb == Verb::EditTask) { // what it writes tells who it was
        selection.edit = RowEdit();
        selection.edit->type = QFileInfo(words.at(4)).fileName();
        selection.edit->payload = selection.edit->type->toUtf8();
    }
    const auto plan = person.plan(verb, selection);
    if (!plan)
        return failed(plan.error());
    std::puts("planned");
    std::fflush(stdout);
    std::string go;
    std::getline(std::cin, go);

    OperationControl control;
    control.chunk = words.at(7).toInt();
    int left = words.value(8).toInt();
    control.passed = [&left](const char *point) {
        if (left > 0 && --left == 0) {
            std::printf("killed at %s\n", point);
            std::fflush(stdout);
            std::raise(SIGKILL);
        }
    };
    const auto receipt = person.carryOut(*plan, control);
    if (!receipt)
        return failed(receipt.error());
    const QMap<Outcome, qsizetype> counts = receipt->counts();
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        std::printf("%s %lld\n", qPrintable(word(count.key())),
                    static_cast<long long>(count.value()));
    return receipt->error ? failed(*receipt->error) : 0;
}
