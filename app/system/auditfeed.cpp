// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/auditfeed.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"

#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int auditOverdueMs = 15'000; ///< longer than connecting and three statements should take

} // namespace

Result<AuditPage> readAuditTable(AuditTable &table, const StoreSettings &settings,
                                 const TableName &outbox, int most)
{
    if (auto opened = table.open(settings, outbox); !opened)
        return passOn(opened);
    auto page = table.newest(most);
    table.close();
    return page;
}

AuditFeed::AuditFeed(Profile profile, Secrets secrets, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets))
{ }

AuditFeed::~AuditFeed()
{
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

bool AuditFeed::isOffered() const
{
    return !m_profile.design && !m_profile.databaseUrl.isEmpty();
}

void AuditFeed::read(const TableName &outbox)
{
    if (!isOffered())
        return;
    if (m_isReading)
        m_next = outbox;
    else
        ask(outbox);
}

void AuditFeed::ask(const TableName &outbox)
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings) {
        emit failed(settings.error());
        return;
    }
    m_isReading = true;
    auto *overdue = new QTimer(this);
    overdue->setSingleShot(true);
    connect(overdue, &QTimer::timeout, this, [this] { m_room.interrupt(); });
    overdue->start(auditOverdueMs);
    answerTo(this, m_room.run([settings = *settings, outbox, most = m_most](AuditTable &table) {
        return readAuditTable(table, settings, outbox, most);
    }),
             [this, overdue](const Result<AuditPage> &page) {
                 overdue->deleteLater();
                 m_isReading = false;
                 if (page)
                     emit taken(*page);
                 else
                     emit failed(page.error());
                 if (const auto next = std::exchange(m_next, std::nullopt))
                     read(*next);
             });
}

void AuditFeed::readMore(const TableName &outbox)
{
    m_most = qMin(m_most * 10, AuditTable::mostRows);
    read(outbox);
}

} // namespace outbox
