// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// outboxctl: the headless face of the engine. No QtGui.
#include "app/cli/commands/command.h"
#include "models/phrases.h"

#include <QCoreApplication>

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("outboxctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(OUTBOX_VERSION));
    outbox::useLocaleOfWords();
    return outbox::runCommandLine(QCoreApplication::arguments());
}
