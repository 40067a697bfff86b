// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/relaylog.h"

#include "models/plaintext.h"

#include <QDateTime>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString word(LogLevel level)
{
    switch (level) {
    case LogLevel::Error:
        return u"error"_s;
    case LogLevel::Warning:
        return u"warning"_s;
    case LogLevel::Notice:
        return u"notice"_s;
    case LogLevel::Info:
        break;
    }
    return u"info"_s;
}

QJsonObject factsOf(const ParkedRow &row)
{
    return {{u"row"_s, row.id.text}, {u"reason"_s, row.reason}, {u"attempts"_s, row.attempts}};
}

} // namespace

void RelayLog::tell(LogLevel level, const QString &event, const QString &sentence,
                    const QJsonObject &facts) const
{
    if (!m_printer.isJson()) {
        m_printer.note(u"relay: "_s + sentence, level);
        return;
    }
    QJsonObject line = facts;
    line["at"_L1] = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
    line["level"_L1] = word(level);
    line["event"_L1] = event;
    line["text"_L1] = sentence;
    m_printer.note(QString::fromUtf8(QJsonDocument(line).toJson(QJsonDocument::Compact)), level);
}

void RelayLog::parked(const ParkedRow &row) const
{
    tell(LogLevel::Warning, u"parked"_s,
         u"parked row %1: %2"_s.arg(plainText(row.id.text), plainText(row.reason)), factsOf(row));
}

void RelayLog::failedTry(const ParkedRow &row) const
{
    tell(LogLevel::Warning, u"row_failed"_s,
         u"row %1 failed, try %2: %3"_s.arg(plainText(row.id.text), QString::number(row.attempts),
                                            plainText(row.reason)),
         factsOf(row));
}

void RelayLog::rolledBack(const RelayStep &step) const
{
    const QString why = step.error ? plainText(oneLine(*step.error)) : QString();
    const bool isOpen = step.doubt == RelayStep::Doubt::Open;
    const QString text = isOpen
        ? u"batch %1 of %2 rows is in doubt, the answer to its COMMIT is lost: %3"_s
        : u"rolled back batch %1 of %2 rows: %3"_s;
    tell(LogLevel::Warning, isOpen ? u"in_doubt"_s : u"rolled_back"_s,
         text.arg(QString::number(step.number), QString::number(step.claimed), why),
         {{u"batch"_s, step.number},
          {u"rows"_s, step.claimed},
          {u"error"_s, step.error ? errorJson(*step.error) : QJsonObject()}});
}

void RelayLog::settled(const RelayStep &step) const
{
    const QString batch = u"batch %1 of %2 rows was "_s.arg(QString::number(step.number),
                                                            QString::number(step.claimed));
    tell(LogLevel::Notice, u"settled"_s,
         batch
             + (step.committed ? u"committed after all: its rows have left the outbox"_s
                               : u"rolled back: its rows are in the outbox"_s),
         {{u"batch"_s, step.number}, {u"rows"_s, step.claimed}, {u"committed"_s, step.committed}});
}

void RelayLog::backingOff(const Error &error, int milliseconds) const
{
    tell(LogLevel::Warning, u"backing_off"_s,
         u"next try in %1 ms: %2"_s.arg(QString::number(milliseconds), plainText(oneLine(error))),
         {{u"next_try_ms"_s, milliseconds}, {u"error"_s, errorJson(error)}});
}

void RelayLog::recovered(int tries, qint64 milliseconds) const
{
    tell(LogLevel::Notice, u"recovered"_s,
         u"works again after %1 ms and %2 tries"_s.arg(milliseconds).arg(tries),
         {{u"tries"_s, tries}, {u"after_ms"_s, milliseconds}});
}

void RelayLog::planned(const QString &schedule, const QDateTime &next) const
{
    tell(LogLevel::Notice, u"planned"_s,
         u"runs by \"%1\" (UTC), next at %2"_s.arg(schedule, next.toString(Qt::ISODateWithMs)),
         {{u"schedule"_s, schedule}, {u"next"_s, next.toString(Qt::ISODateWithMs)}});
}

void RelayLog::ran(const JobRun &run) const
{
    const double seconds = double(run.began.msecsTo(run.ended)) / 1000.0;
    const QString next = run.next.toString(Qt::ISODateWithMs);
    QString sentence = run.isElsewhere
        ? u"another process is at work on this table: this run is left out"_s
        : u"run of %1 s: %2 delivered, %3 parked"_s.arg(QString::number(seconds, 'f', 2))
              .arg(run.delivered)
              .arg(run.parked);
    if (run.missed > 0) {
        sentence += u"; it took longer than the schedule allows, %1 %2 left out"_s.arg(run.missed)
                        .arg(run.missed == 1 ? u"time was"_s : u"times were"_s);
    }
    const bool isOdd = run.isElsewhere || run.missed > 0;
    tell(isOdd ? LogLevel::Warning : LogLevel::Info, u"run"_s, sentence + u"; next at "_s + next,
         {{u"planned"_s, run.planned.toString(Qt::ISODateWithMs)},
          {u"seconds"_s, seconds},
          {u"delivered"_s, run.delivered},
          {u"parked"_s, run.parked},
          {u"missed"_s, run.missed},
          {u"elsewhere"_s, run.isElsewhere},
          {u"next"_s, next}});
}

} // namespace outbox
