// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/eventlog.h"

#include <QCryptographicHash>

#include <array>
#include <chrono>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

struct NamedMoment
{
    RelayStage moment;
    const char *word;
};

constexpr std::array moments{
    NamedMoment{RelayStage::Claiming, "claiming"},
    NamedMoment{RelayStage::Claimed, "claimed"},
    NamedMoment{RelayStage::Enqueueing, "enqueueing"},
    NamedMoment{RelayStage::Enqueued, "enqueued"},
    NamedMoment{RelayStage::Narrowed, "narrowed"},
    NamedMoment{RelayStage::Committing, "committing"},
    NamedMoment{RelayStage::CommitSent, "commit-sent"},
    NamedMoment{RelayStage::Committed, "committed"},
    NamedMoment{RelayStage::RolledBack, "rolled-back"},
};

} // namespace

QByteArray word(RelayStage moment)
{
    for (const NamedMoment &named : moments) {
        if (named.moment == moment)
            return named.word;
    }
    return "unknown";
}

std::optional<RelayStage> momentFrom(const QByteArray &word)
{
    for (const NamedMoment &named : moments) {
        if (word == named.word)
            return named.moment;
    }
    return std::nullopt;
}

QByteArray batchName(const QList<MessageId> &ids)
{
    if (ids.isEmpty())
        return "-";
    QCryptographicHash hash(QCryptographicHash::Md5);
    for (const MessageId &id : ids) {
        hash.addData(id.text.toUtf8());
        hash.addData("\n");
    }
    return hash.result().first(8).toHex();
}

EventLog::EventLog(const QString &path) : m_file(path)
{
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        qFatal("the event log cannot be opened: %s", qPrintable(m_file.errorString()));
}

void EventLog::at(RelayStage moment, const QList<MessageId> &ids)
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    QByteArray line = QByteArray::number(static_cast<qint64>(nanoseconds)) + '\t' + word(moment)
        + '\t' + batchName(ids) + '\t';
    if (moment == RelayStage::Claimed || moment == RelayStage::Narrowed) {
        for (const MessageId &id : ids)
            line += id.text.toUtf8() + ' ';
    }
    line += '\n';
    if (m_file.write(line) != line.size())
        qFatal("the event log cannot be written: %s", qPrintable(m_file.errorString()));
}

} // namespace outbox::crash
