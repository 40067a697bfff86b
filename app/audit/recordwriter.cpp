// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/audit/recordwriter.h"

#include "connectors/answer.h"

#include <QElapsedTimer>
#include <QUuid>

#include <utility>

#include <poll.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::chrono::seconds patience(2); ///< with another process that holds the file
constexpr int mostWaitMs = 3'000;
constexpr int turnMs = 5;

/// What the table says of a relay or a setting; there is no message in it.
AuditRow rowOf(const AuditEntry &entry)
{
    QStringList totals;
    for (auto count = entry.counts.cbegin(); count != entry.counts.cend(); ++count)
        totals += QString::number(count.value()) + u' ' + count.key();
    if (!entry.error.isEmpty())
        totals.prepend(entry.error);
    return {entry.operation,      entry.who, entry.face, word(entry.kind), {}, {},
            totals.join(u", "_s), entry.what};
}

} // namespace

RecordWriter::RecordWriter(QString file, QObject *parent) : QObject(parent), m_file(std::move(file))
{ }

RecordWriter::~RecordWriter()
{
    finish();
    if (m_tableRoom)
        m_tableRoom->interrupt(); // closing the room would wait for a server that stands still
}

void RecordWriter::setTable(const StoreSettings &settings, const TableName &outbox)
{
    m_tableSettings = settings;
    m_outbox = outbox;
}

void RecordWriter::write(AuditEntry entry)
{
    entry.at = QDateTime::currentDateTimeUtc();
    if (m_tableSettings && entry.operation.isEmpty())
        entry.operation = QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (!m_fileRoom)
        m_fileRoom = std::make_unique<Room<std::unique_ptr<AuditTrail>>>(u"record"_s);
    m_filed = m_fileRoom->run([file = m_file, entry](std::unique_ptr<AuditTrail> &trail) {
        if (!trail)
            trail = std::make_unique<AuditTrail>(file, patience);
        return trail->append(entry);
    });
    answerTo(this, m_filed, [this](const Result<AuditEntry> &appended) {
        if (!appended)
            emit failed(appended.error());
    });
    if (m_tableSettings)
        writeToTable(entry);
}

void RecordWriter::writeToTable(const AuditEntry &entry)
{
    if (!m_tableRoom)
        m_tableRoom = std::make_unique<Room<AuditTable>>(u"audit"_s);
    m_tabled = m_tableRoom->run([settings = *m_tableSettings, outbox = m_outbox,
                                 row = rowOf(entry)](AuditTable &audit) -> Result<void> {
        auto written = audit.open(settings, outbox);
        if (written)
            written = audit.write(row);
        audit.close(); // the next entry may be weeks away
        return written;
    });
    answerTo(this, m_tabled, [this](const Result<void> &written) {
        if (!written && written.error().kind != Error::Kind::Unsupported)
            emit failed(written.error());
    });
}

void RecordWriter::finish()
{
    QElapsedTimer clock;
    clock.start();
    while ((m_filed.isRunning() || m_tabled.isRunning()) && !clock.hasExpired(mostWaitMs))
        ::poll(nullptr, 0, turnMs);
}

} // namespace outbox
