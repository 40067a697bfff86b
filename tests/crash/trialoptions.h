// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line of a long trial: numbers, and words that are set or not.
#pragma once

#include <QCommandLineParser>
#include <QCoreApplication>

namespace outbox::crash {

class TrialOptions
{
public:
    /// Ends the program where it is asked for help, or an option is not known.
    TrialOptions(const QCoreApplication &application, const QList<QCommandLineOption> &options)
    {
        m_parser.addHelpOption();
        m_parser.addOptions(options);
        m_parser.process(application);
    }
    [[nodiscard]] bool isSet(const QString &name) const { return m_parser.isSet(name); }
    /// 0 or more; where it is no such number `areNumbers` is false from then on.
    [[nodiscard]] int number(const QString &name)
    {
        bool isNumber = false;
        const int value = m_parser.value(name).toInt(&isNumber);
        m_areNumbers = m_areNumbers && isNumber && value >= 0;
        return value;
    }
    [[nodiscard]] bool areNumbers() const { return m_areNumbers; }

private:
    QCommandLineParser m_parser;
    bool m_areNumbers = true;
};

} // namespace outbox::crash
