// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/printer.h"

#include "app/system/sources/target.h"
#include "models/filter/filter.h"
#include "models/plaintext.h"
#include "models/utctext.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QList>
#include <QStringList>

#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// True where $JOURNAL_STREAM names the very file that stderr is: a line may then begin with
/// `<N>`. A stderr that was redirected since is not the journal.
bool isStderrTheJournal()
{
    const QByteArray stream = qgetenv("JOURNAL_STREAM");
    struct stat file = {};
    if (stream.isEmpty() || ::fstat(STDERR_FILENO, &file) != 0)
        return false;
    return stream
        == QByteArray::number(static_cast<qulonglong>(file.st_dev)) + ':'
        + QByteArray::number(static_cast<qulonglong>(file.st_ino));
}

void put(std::FILE *stream, const QByteArray &text)
{
    std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stream);
    std::fputc('\n', stream);
    std::fflush(stream);
}

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

} // namespace

Printer::Printer(bool json) : m_json(json), m_toJournal(isStderrTheJournal())
{ }

QJsonObject errorJson(const Error &error)
{
    return {{u"kind"_s, word(error.kind)},
            {u"doing"_s, error.doing},
            {u"text"_s, error.text},
            {u"code"_s, error.code},
            {u"hint"_s, error.hint}};
}

void Printer::object(const QJsonObject &object) const
{
    put(stdout, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void Printer::line(const QString &text) const
{
    put(stdout, text.toUtf8());
}

void Printer::note(const QString &text, LogLevel level) const
{
    QByteArray bytes = text.toUtf8();
    if (m_toJournal) { // each line is an entry of its own
        const QByteArray prefix('<' + QByteArray::number(static_cast<int>(level)) + '>');
        bytes.replace("\n", QByteArray('\n' + prefix)).prepend(prefix);
    }
    put(stderr, bytes);
}

void Printer::event(LogLevel level, const QString &event, const QString &sentence,
                    const QJsonObject &facts) const
{
    if (!m_json) {
        note(u"relay: "_s + sentence, level);
        return;
    }
    QJsonObject line = facts;
    line["at"_L1] = utcText(QDateTime::currentDateTimeUtc());
    line["level"_L1] = word(level);
    line["event"_L1] = event;
    line["text"_L1] = sentence;
    note(QString::fromUtf8(QJsonDocument(line).toJson(QJsonDocument::Compact)), level);
}

ExitCode Printer::error(const Error &error) const
{
    note(u"outboxctl: "_s + plainText(oneLine(error)), LogLevel::Error);
    if (m_json)
        object({{u"error"_s, errorJson(error)}});
    return exitCodeOf(error);
}

ExitCode Printer::usage(const Error &error) const
{
    static_cast<void>(this->error(error));
    return ExitCode::Usage;
}

ExitCode Printer::usage(const QString &text, const QString &hint) const
{
    return usage({Error::Kind::Invalid, u"reading the command line"_s, text, {}, hint});
}

QString tableText(const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i >= widths.size())
                widths += 0;
            widths[i] = std::max(widths[i], row.at(i).size());
        }
    }
    QStringList lines;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += i + 1 == row.size() ? row.at(i) : row.at(i).leftJustified(widths[i] + 2);
        lines += line.trimmed().isEmpty() ? QString() : line;
    }
    return lines.join(u'\n');
}

ExitCode exitCodeOf(const Error &error)
{
    if (isFilterFault(error) || isDurationFault(error))
        return ExitCode::Usage;
    switch (error.kind) {
    case Error::Kind::Unreachable:
        return ExitCode::NoConnection;
    case Error::Kind::Refused:
        return ExitCode::Refused;
    case Error::Kind::Timeout:
        return ExitCode::Temporary;
    case Error::Kind::Unsupported:
    case Error::Kind::Invalid:
        return ExitCode::BadConfiguration;
    case Error::Kind::Conflict:
    case Error::Kind::Constraint:
    case Error::Kind::Protocol:
    case Error::Kind::Cancelled:
        break;
    }
    return ExitCode::Failed;
}

ExitCode exitCodeOf(const Plan &plan)
{
    if (plan.unread)
        return plan.items.isEmpty() ? exitCodeOf(*plan.unread) : ExitCode::Partly;
    return plan.counts().value(Outcome::Gone) == plan.items.size() ? ExitCode::NothingMatched
                                                                   : ExitCode::Ok;
}

ExitCode exitCodeOf(const Receipt &receipt)
{
    const qsizetype well = receipt.count(Outcome::Done) + receipt.count(Outcome::NothingToDo);
    if (receipt.isInDoubt())
        return ExitCode::Temporary;
    if (receipt.count(Outcome::Done) > 0)
        return well < receipt.items.size() || receipt.error ? ExitCode::Partly : ExitCode::Ok;
    if (receipt.error)
        return exitCodeOf(*receipt.error);
    if (well == receipt.items.size())
        return ExitCode::Ok;
    if (receipt.count(Outcome::Gone) == receipt.items.size())
        return ExitCode::NothingMatched;
    return receipt.count(Outcome::Failed) > 0 ? ExitCode::Failed : ExitCode::Refused;
}

ExitCode exitCodeOf(HealthLevel level)
{
    switch (level) {
    case HealthLevel::Ok:
        return ExitCode::Ok;
    case HealthLevel::Unknown:
        return ExitCode::NoConnection;
    case HealthLevel::Watch:
    case HealthLevel::Stalled:
    case HealthLevel::Broken:
        break;
    }
    return ExitCode::Failed;
}

ExitCode exitCodeOfSignal(int number)
{
    return static_cast<ExitCode>(static_cast<int>(ExitCode::Signal) + number);
}

} // namespace outbox
