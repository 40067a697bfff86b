// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/reconcilescanner.h"

#include "app/operations/reconcile/reconciler.h"
#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ReconcileScanner::ReconcileScanner(OperatorSessionSettings settings, QObject *parent)
    : QObject(parent), m_settings(std::move(settings))
{
    m_settings.act.reset();
}

ReconcileScanner::~ReconcileScanner()
{
    m_stopper.request_stop();
    m_session.interrupt(); // closing the room would wait for a server that stands still
}

void ReconcileScanner::open(const OutboxShape &shape)
{
    m_settings.shape = shape;
    m_isOpen = true;
    m_session.run(
        [settings = m_settings](OperatorSession &session) { return session.open(settings); });
}

void ReconcileScanner::look(const ScanOptions &terms)
{
    if (!m_isOpen) {
        emit failed({Error::Kind::Unreachable,
                     u"looking for inconsistencies"_s,
                     u"the outbox has not been read yet"_s,
                     {},
                     u"Wait until the database answers"_s});
        return;
    }
    if (m_isLooking)
        return;
    m_isLooking = true;
    m_stopper = {};
    // Comes in the room's thread, which ends before this object does.
    const auto progress = [this](const QString &phase, qint64 looked, qsizetype suspects) {
        postTo(this, [this, phase, looked, suspects] { emit progressed(phase, looked, suspects); });
    };
    answerTo(
        this,
        m_session.run([terms, progress, stop = m_stopper.get_token()](OperatorSession &session) {
            return reconciled(session, terms, progress, stop);
        }),
        [this](const Result<ScanReport> &report) {
            m_isLooking = false;
            if (report)
                emit ended(*report);
            else
                emit failed(report.error());
        });
}

} // namespace outbox
