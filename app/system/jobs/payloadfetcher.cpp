// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/payloadfetcher.h"

#include "app/settings/opening.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 sliceBytes = qint64(4) * 1024 * 1024;
constexpr qint64 firstSliceBytes = qint64{256} * 1024; // something moves soon

} // namespace

PayloadFetcher::PayloadFetcher(Profile profile, ProfilePasswords secrets, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets))
{ }

void PayloadFetcher::start(const OutboxShape &shape, const MessageId &id)
{
    cancel();
    m_job.start();
    m_shape = shape;
    m_id = id;
    fetchNext();
}

void PayloadFetcher::fetchNext()
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings)
        return end(passOn(settings));
    const qint64 from = m_payload.size();
    const qint64 bytes = from == 0 ? firstSliceBytes : sliceBytes;
    m_job.ask(
        [settings = *settings, shape = m_shape, id = m_id, from,
         bytes](SliceReader &reader) -> Result<PayloadSlice> {
            if (!reader.isOpen()) {
                TRY(reader.open(settings, shape));
            }
            return reader.payload(id, from, bytes);
        },
        [this, bytes](const Result<PayloadSlice> &slice) { take(slice, bytes); });
}

void PayloadFetcher::take(const Result<PayloadSlice> &slice, qint64 asked)
{
    const QString doing = u"reading the payload of "_s + m_id.text;
    if (!slice)
        return end(passOn(slice));
    if (slice->stored > mostBytes) {
        return end(fail(Error::Kind::Refused, doing,
                        u"%1 are more than is held in memory"_s.arg(bytesText(slice->stored)), {},
                        u"Save it with a tool of the database."_s));
    }
    const bool isFirst = m_payload.isEmpty();
    const qint64 left = slice->stored - m_payload.size();
    if ((!isFirst && slice->stored != m_stored)
        || slice->bytes.size() != qMin(asked, qMax<qint64>(0, left)))
        return end(fail(Error::Kind::Conflict, doing, u"it was changed while it was read"_s));
    m_stored = slice->stored;
    m_payload.reserve(m_stored);
    m_payload += slice->bytes;
    if (m_payload.size() >= m_stored)
        return end(std::exchange(m_payload, {}));
    const auto run = m_job.run();
    emit progressed(m_id, m_payload.size(), m_stored);
    if (run == m_job.run()) // whoever was told may have asked for another
        fetchNext();
}

void PayloadFetcher::cancel()
{
    m_job.stop();
    m_payload = {};
}

void PayloadFetcher::end(const Result<QByteArray> &payload)
{
    cancel();
    emit ended(m_id, payload);
}

} // namespace outbox
