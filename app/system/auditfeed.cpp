// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/auditfeed.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int auditOverdueMs = 15'000; ///< longer than connecting and three statements should take

} // namespace

Result<AuditPage> readAuditTable(AuditTable &table, const StoreSettings &settings,
                                 const TableName &outbox, int most)
{
    TRY(table.open(settings, outbox));
    auto page = table.newest(most);
    table.close();
    return page;
}

AuditFeed::AuditFeed(Profile profile, ProfilePasswords secrets, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_poller(0, auditOverdueMs, this)
{
    connect(&m_poller, &Poller::due, this, &AuditFeed::ask);
    connect(&m_poller, &Poller::overdue, this, [this] { m_room.interrupt(); });
}

AuditFeed::~AuditFeed()
{
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

void AuditFeed::read(const TableName &outbox)
{
    if (!isOffered())
        return;
    m_outbox = outbox;
    if (m_poller.kick())
        ask();
}

void AuditFeed::ask()
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings) {
        m_poller.failed();
        emit failed(settings.error());
        return;
    }
    answerTo(
        this,
        m_room.run([settings = *settings, outbox = m_outbox, most = m_most](AuditTable &table) {
            return readAuditTable(table, settings, outbox, most);
        }),
        [this](const Result<AuditPage> &page) {
            if (page) {
                m_poller.answered(0);
                emit taken(*page);
            } else {
                m_poller.failed();
                emit failed(page.error());
            }
        });
}

void AuditFeed::readMore(const TableName &outbox)
{
    m_most = qMin(m_most * 10, AuditTable::mostRows);
    read(outbox);
}

} // namespace outbox
