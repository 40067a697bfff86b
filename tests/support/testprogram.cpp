// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"

#ifdef OUTBOX_TEST_GUI
#include <QApplication>
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

#include <cstdio>
#include <map>
#include <string>

namespace {

using Tests = std::map<std::string, outbox::RunTest>;

Tests &tests()
{
    static Tests all;
    return all;
}

} // namespace

bool outbox::addTest(const char *name, RunTest run)
{
    const std::string whole(name);
    return tests().emplace(whole.substr(0, whole.find("::")), run).second;
}

int main(int argc, char **argv)
{
    const auto test = argc > 1 ? tests().find(argv[1]) : tests().end();
    if (test == tests().end()) {
        std::fputs("which test?\n", stderr);
        for (const auto &[name, run] : tests())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // The test's name takes the place of the program's: it names the application and its folders.
    int count = argc - 1;
    char **arguments = argv + 1;
    Application application(count, arguments);
    return test->second(count, arguments);
}
