// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/operationdriver.h"

#include "app/operations/core/operation.h"
#include "app/operations/core/operationlog.h"
#include "app/operations/core/planning.h"
#include "app/operations/reconcile/reconcile.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "connectors/answer.h"
#include "connectors/asynq/edit/taskchanging.h"
#include "connectors/room.h"
#include "models/system/offer.h"

#include <QTimer>

#include <atomic>
#include <optional>
#include <stop_token>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Reads the record while the operator session is busy.
struct RecordReader
{
    std::optional<AuditTrail> trail;
};

/// What says which operation a request means.
struct OperationChoice
{
    OperationDriver::OperationMaker maker; ///< may be empty
    ScanOptions look; ///< what the last look for inconsistencies knew
};

namespace {

AuditEntry lockEntry(const OperatorSession &session, AuditEntry::Kind kind, const QString &what)
{
    AuditEntry entry = entryAbout(kind, session.profile(), session.face(), session.target());
    entry.what = what;
    return entry;
}

/// A profile that names no database or no Redis has nothing to try there.
template <typename Editor> Result<void> tried(const Result<Editor> &editor)
{
    if (!editor && editor.error().kind != Error::Kind::Unsupported)
        return passOn(editor);
    return {};
}

/// Opened with the acting roles, tried, and recorded; otherwise nothing is armed. Answers who.
Result<QString> armed(OperatorSession &session, const OperatorSessionSettings &settings,
                      const QString &reason)
{
    TRY(session.open(settings));
    // The documents of a design are no rows: they are tried when they are written.
    Result<void> fits = settings.profile.design ? Result<void>() : tried(session.rowEditor());
    if (fits)
        fits = tried(session.taskEditor());
    if (fits) {
        const auto noted
            = session.audit().append(lockEntry(session, AuditEntry::Kind::Unlock, reason));
        if (!noted)
            fits = passOn(noted);
    }
    if (!fits) {
        session.disarm();
        return passOn(fits);
    }
    return session.who();
}

Result<std::unique_ptr<Operation>> operationOf(const OperatorSession &session,
                                               const OperationRequest &request,
                                               const OperationChoice &choice)
{
    if (choice.maker) {
        auto made = choice.maker(request, session.settings());
        if (!made || *made)
            return made;
    }
    return request.verb == Verb::Reconcile ? std::make_unique<Reconcile>(choice.look)
                                           : operationFor(request.verb);
}

Result<RowContent> contentOf(OperatorSession &session, const MessageId &row)
{
    const auto store = TRY(session.rows());
    const auto content = TRY(store->contentOf(row));
    if (!content) {
        return fail(Error::Kind::Invalid, u"reading row "_s + row.text,
                    u"there is no such row any more"_s);
    }
    return *content;
}

Result<RowContent> contentOf(OperatorSession &session, const QueueName &queue, const TaskId &id)
{
    const QString doing = u"reading task %1 of %2"_s.arg(id.text, queue.text);
    const auto inspector = TRY(session.tasks());
    const auto seen = TRY(inspector->observe(queue, {id}));
    const QString why = whyNotInState(Verb::EditTask, seen.first().state);
    if (seen.first().state == TaskState::None)
        return fail(Error::Kind::Invalid, doing, u"there is no such task any more"_s);
    if (!why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    const auto task = TRY(asynq::readForEdit(*inspector, queue, id, seen.first()));
    if (!task)
        return fail(Error::Kind::Conflict, doing, u"it moved at this very moment"_s);
    return asynq::contentOfTask(*task);
}

void tellContent(OperationDriver *driver, const QFuture<Result<RowContent>> &reading)
{
    answerTo(driver, reading, [driver](const Result<RowContent> &content) {
        if (content)
            emit driver->contentRead(*content);
        else
            emit driver->contentFailed(content.error());
    });
}

Result<Plan> planFor(OperatorSession &session, const OperationRequest &request,
                     const OperationChoice &choice)
{
    TRY(unlessStopped(session));
    const std::stop_callback broken(session.stop(), [&session] { session.interruptLooks(); });
    if (request.undoOf.isEmpty()) {
        const auto operation = operationOf(session, request, choice);
        return operation ? (*operation)->plan(session, request.selection) : passOn(operation);
    }
    const auto activity = TRY(activityOf(session.audit(), request.undoOf));
    return planUndo(session, activity);
}

} // namespace

struct OperationDriver::Private
{
    Private(OperationDriver *driver, OperatorSessionSettings given)
        : q(driver), settings(std::move(given))
    {
        // Roles of their own have passwords of their own, which somebody has to type.
        arming.opensLocked = settings.profile.readOnly || !settings.profile.actingUser.isEmpty()
            || !settings.profile.actingRedisUser.isEmpty();
        if (!arming.opensLocked)
            settings.act = settings.look;
        expiry.setSingleShot(true);
        connect(&expiry, &QTimer::timeout, q, [this] { disarm(u"its time was over"_s); });
        answerTo(q, record.run([settings = settings](RecordReader &reader) {
            reader.trail.emplace(Folders{{}, settings.stateFolder}.auditFile());
            return true;
        }),
                 [](bool) {});
    }

    void disarm(const QString &why)
    {
        if (!arming.until.isValid())
            return;
        expiry.stop();
        arming = {arming.opensLocked, {}, {}, {}};
        answerTo(q, session.run([why](OperatorSession &one) -> Result<AuditEntry> {
            one.disarm();
            return one.audit().append(lockEntry(one, AuditEntry::Kind::Lock, why));
        }),
                 [this](const Result<AuditEntry> &noted) {
                     if (!noted)
                         emit q->recordFailed(noted.error());
                 });
        emit q->armingChanged(arming);
    }

    OperationDriver *q;
    OperatorSessionSettings settings;
    Arming arming;
    QTimer expiry;
    OperationChoice choice;
    OperationRequest planned; ///< what the plan in hand was made for
    bool opened = false;
    quint64 planToken = 0; ///< an answer to an older question is dropped
    std::stop_source planStopper; ///< of the plan that is being made
    std::optional<Plan> running;
    std::stop_source stopper;
    std::shared_ptr<std::atomic_bool> paused = std::make_shared<std::atomic_bool>(false);
    Room<RecordReader> record{u"record"_s};
    Room<OperatorSession> session{u"operator"_s}; ///< last: its thread ends first
};

OperationDriver::OperationDriver(OperatorSessionSettings settings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(settings)))
{ }

OperationDriver::~OperationDriver()
{
    d->planStopper.request_stop();
    d->stopper.request_stop();
}

void OperationDriver::setOperations(OperationMaker maker)
{
    d->choice.maker = std::move(maker);
}

void OperationDriver::open(const OutboxShape &shape)
{
    // A database that comes back says its shape again: that is no reason to lock what is unlocked.
    if (d->opened && d->settings.shape == shape)
        return;
    d->disarm(u"the shape of the table changed"_s);
    d->settings.shape = shape;
    d->opened = true;
    answerTo(this, d->session.run([settings = d->settings](OperatorSession &session) {
        return session.open(settings);
    }),
             [this](const Result<void> &answer) {
                 if (!answer)
                     emit planFailed(answer.error());
             });
}

bool OperationDriver::isOpen() const
{
    return d->opened;
}

const Arming &OperationDriver::arming() const
{
    return d->arming;
}

const Plan *OperationDriver::running() const
{
    return d->running ? &*d->running : nullptr;
}

void OperationDriver::unlock(const Unlocking &unlocking)
{
    OperatorSessionSettings settings = d->settings;
    settings.profile.actingUser = unlocking.databaseUser;
    settings.profile.actingRedisUser = unlocking.redisUser;
    const auto or_ = [](const QString &typed, const QString &known) {
        return typed.isEmpty() ? known : typed;
    };
    settings.act = ProfilePasswords{or_(unlocking.passwords.database, settings.look.database),
                                    or_(unlocking.passwords.redis, settings.look.redis),
                                    settings.look.sentinel};
    answerTo(this, d->session.run([settings, reason = unlocking.reason](OperatorSession &session) {
        return armed(session, settings, reason);
    }),
             [this, reason = unlocking.reason](const Result<QString> &who) {
                 if (!who) {
                     d->disarm(u"unlocking it again failed"_s); // the session is locked already
                     emit unlockFailed(who.error());
                     return;
                 }
                 const QDateTime now = QDateTime::currentDateTimeUtc();
                 d->arming = {true, now.addSecs(qint64{armedMinutes} * 60), *who, reason};
                 d->expiry.start(armedMinutes * 60 * 1000);
                 emit armingChanged(d->arming);
             });
}

void OperationDriver::lock()
{
    d->disarm(u"by the operator"_s);
}

void OperationDriver::setLook(const ScanReport &report)
{
    d->choice.look.watched = report.watched;
    d->choice.look.redisBefore = report.redis;
}

void OperationDriver::readContent(const MessageId &row)
{
    tellContent(
        this, d->session.run([row](OperatorSession &session) { return contentOf(session, row); }));
}

void OperationDriver::readContent(const QueueName &queue, const TaskId &task)
{
    tellContent(this, d->session.run([queue, task](OperatorSession &session) {
        return contentOf(session, queue, task);
    }));
}

void OperationDriver::plan(const OperationRequest &request)
{
    dropPlan();
    const quint64 token = d->planToken;
    d->planStopper = {};
    answerTo(this,
             d->session.run([request, choice = d->choice,
                             stop = d->planStopper.get_token()](OperatorSession &session) {
                 session.setStop(stop);
                 return planFor(session, request, choice);
             }),
             [this, token, request](const Result<Plan> &plan) {
                 if (token != d->planToken)
                     return;
                 d->planned = request;
                 if (plan)
                     emit planned(*plan);
                 else
                     emit planFailed(plan.error());
             });
}

void OperationDriver::dropPlan()
{
    ++d->planToken;
    d->planStopper.request_stop();
}

void OperationDriver::carryOut(const Plan &plan, const Consent &consent)
{
    if (d->running)
        return;
    d->running = plan;
    d->stopper = {};
    *d->paused = false;
    OperationControl control;
    control.cancel = d->stopper.get_token();
    control.isPaused = [paused = d->paused] { return paused->load(); };
    // Comes in the operator's thread, which ends before this object does.
    control.progressed = [this](const OperationProgress &progress) {
        postTo(this, [this, progress] { emit progressed(progress); });
    };
    emit runningChanged();
    OperationRequest request = d->planned;
    if (request.verb != plan.verb) // an undo is a plan of another verb
        request = {plan.verb, {}, {}};
    answerTo(this,
             d->session.run([plan, request, consent, control,
                             choice = d->choice](OperatorSession &session) -> Result<Receipt> {
                 const auto operation = operationOf(session, request, choice);
                 return operation ? (*operation)->carryOut(session, plan, consent, control)
                                  : passOn(operation);
             }),
             [this](const Result<Receipt> &receipt) {
                 const Plan done = *std::exchange(d->running, std::nullopt);
                 emit runningChanged();
                 if (receipt)
                     emit carriedOut(done, *receipt);
                 else
                     emit refused(done, receipt.error());
                 readRecord();
             });
}

void OperationDriver::pause(bool paused)
{
    if (!d->running)
        return;
    *d->paused = paused;
    emit pausedChanged(paused);
}

bool OperationDriver::isPaused() const
{
    return d->paused->load();
}

void OperationDriver::cancel()
{
    d->stopper.request_stop();
}

void OperationDriver::check(const QString &operation)
{
    answerTo(this, d->session.run([operation](OperatorSession &session) -> Result<Activity> {
        const auto activity = activityOf(session.audit(), operation);
        return activity ? checkDoubt(session, *activity) : passOn(activity);
    }),
             [this](const Result<Activity> &activity) {
                 if (activity)
                     emit checked(*activity);
                 else
                     emit checkFailed(activity.error());
                 readRecord();
             });
}

void OperationDriver::readRecord()
{
    const QStringList running = d->running ? QStringList{d->running->operation} : QStringList();
    answerTo(this, d->record.run([running](RecordReader &reader) -> Result<QList<Activity>> {
        const auto entries = TRY(reader.trail->read());
        return activitiesOf(entries, running);
    }),
             [this](const Result<QList<Activity>> &activities) {
                 if (activities)
                     emit recordTaken(*activities);
                 else
                     emit recordFailed(activities.error());
             });
}

void OperationDriver::verifyRecord()
{
    answerTo(this, d->record.run([](RecordReader &reader) { return reader.trail->verify(); }),
             [this](const Result<AuditTrail::Chain> &chain) {
                 if (chain)
                     emit recordVerified(*chain);
                 else
                     emit recordFailed(chain.error());
             });
}

} // namespace outbox
