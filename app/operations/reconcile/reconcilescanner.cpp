// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/reconcilescanner.h"

#include "app/operations/reconcile/reconciler.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <stop_token>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

struct ReconcileScanner::Private
{
    OperatorSessionSettings settings;
    std::stop_source stopper;
    bool opened = false;
    bool looking = false;
    Room<OperatorSession> session{u"look"_s}; ///< last: its thread ends first
};

ReconcileScanner::ReconcileScanner(OperatorSessionSettings settings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->settings = std::move(settings);
    d->settings.act.reset();
}

ReconcileScanner::~ReconcileScanner()
{
    d->stopper.request_stop();
    d->session.interrupt(); // closing the room would wait for a server that stands still
}

void ReconcileScanner::open(const OutboxShape &shape)
{
    d->settings.shape = shape;
    d->opened = true;
    d->session.run(
        [settings = d->settings](OperatorSession &session) { return session.open(settings); });
}

void ReconcileScanner::look(const ScanOptions &terms)
{
    if (!d->opened) {
        emit failed({Error::Kind::Unreachable,
                     u"looking for inconsistencies"_s,
                     u"the outbox has not been read yet"_s,
                     {},
                     u"Wait until the database answers"_s});
        return;
    }
    if (d->looking)
        return;
    d->looking = true;
    d->stopper = {};
    // Comes in the room's thread, which ends before this object does.
    const auto progress = [this](const ScanProgress &value) {
        postTo(this, [this, value] { emit progressed(value); });
    };
    answerTo(
        this,
        d->session.run([terms, progress, stop = d->stopper.get_token()](OperatorSession &session) {
            return reconciled(session, terms, progress, stop);
        }),
        [this](const Result<ScanReport> &report) {
            d->looking = false;
            if (report)
                emit ended(*report);
            else
                emit failed(report.error());
        });
}

void ReconcileScanner::stop()
{
    d->stopper.request_stop();
}

bool ReconcileScanner::isLooking() const
{
    return d->looking;
}

} // namespace outbox
