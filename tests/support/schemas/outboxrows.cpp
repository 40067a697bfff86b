// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of a generated outbox: each stands in one state, and all its columns say so.
#include "tests/support/schemas/outboxplan.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Spread = OutboxPlan::Spread;

struct RowFacts
{
    int number = 0;
    MessageState state = MessageState::Pending;
    QDateTime created;
    QDateTime ended; ///< processed or failed
    int attempts = 0;
    bool isExpired = false; ///< a lease that nobody gave back

    [[nodiscard]] bool isProcessed() const { return state == MessageState::Processed; }
    [[nodiscard]] bool isFailed() const { return state == MessageState::Failed; }
    [[nodiscard]] bool isLocked() const { return state == MessageState::Locked; }
};

constexpr int mostAttempts = 5;

/// Fills the cells of one table, row after row.
class RowWriter
{
public:
    RowWriter(const OutboxPlan &plan, const StatusValues &values, const SqlForm &form, Dice &dice)
        : m_plan(plan), m_values(values), m_form(form), m_dice(dice)
    { }

    QString cell(const ColumnDraft &column, const RowFacts &row)
    {
        const QString text = state(column, row);
        return text.isEmpty() ? rest(column, row) : text;
    }

private:
    static QString null() { return u"NULL"_s; }
    QString few(const QStringList &values) { return SqlForm::text(m_dice.of(values)); }
    QString timeOrNull(bool isSet, const QDateTime &at) const
    {
        return isSet ? m_form.time(at) : null();
    }

    QString state(const ColumnDraft &column, const RowFacts &row)
    {
        const QString &role = column.role;
        if (role == u"status") {
            QString value = m_values.value(row.state);
            if (value.isEmpty()) // other columns say it
                value = m_values.value(MessageState::Pending);
            return m_plan.status == OutboxPlan::Status::Numbers ? value : SqlForm::text(value);
        }
        if (role == u"sentFlag") {
            if (column.kind == ColumnKind::Flag)
                return m_form.flag(row.isProcessed());
            return column.kind == ColumnKind::Letter
                ? SqlForm::text(row.isProcessed() ? u"Y"_s : u"N"_s)
                : QString::number(row.isProcessed() ? 1 : 0);
        }
        if (role == u"sentTime")
            return timeOrNull(row.isProcessed(), row.ended);
        if (role == u"failedTime")
            return timeOrNull(row.isFailed(), row.ended);
        if (role == u"failedFlag")
            return m_form.flag(row.isFailed());
        if (role == u"leaseUntil") {
            if (row.isLocked())
                return m_form.time(m_form.now.addSecs(m_dice.from(120, 1500)));
            if (row.isExpired)
                return m_form.time(m_form.now.addSecs(-m_dice.from(300, 5000)));
            return timeOrNull(row.isProcessed() && m_plan.leavesLease, row.created.addSecs(60));
        }
        if (role == u"leaseOwner") {
            return row.isLocked() || row.isExpired
                ? SqlForm::text(u"worker-%1"_s.arg(m_dice.below(4)))
                : null();
        }
        if (role == u"lockTime")
            return timeOrNull(row.isLocked(), m_form.now.addSecs(-m_dice.from(3, 60)));
        if (role == u"due") {
            if (row.state == MessageState::Waiting)
                return m_form.time(m_form.now.addSecs(m_dice.from(600, 400'000)));
            return timeOrNull(!m_plan.mayDueBeNull || m_dice.chance(30), row.created);
        }
        if (role == u"attempts")
            return QString::number(row.attempts);
        if (role == u"maxAttempts")
            return QString::number(mostAttempts);
        if (role == u"error") {
            return row.isFailed() || (row.attempts > 0 && !row.isProcessed())
                ? SqlForm::text(u"connection refused by host %1"_s.arg(m_dice.below(9)))
                : null();
        }
        return {};
    }

    QString type()
    {
        static const QStringList kinds{u"Order"_s, u"Invoice"_s, u"Customer"_s, u"Stock"_s};
        static const QStringList verbs{u"Created"_s, u"Changed"_s, u"Removed"_s};
        const QString kind = m_dice.of(kinds);
        const QString verb = m_dice.of(verbs);
        const QString more
            = m_plan.spread == Spread::ManyTypes ? u"V%1"_s.arg(m_dice.below(30)) : QString();
        switch (m_plan.typeStyle) {
        case 1:
            return (kind + u'.' + verb + more).toLower();
        case 2:
            return (kind + u'_' + verb + more).toUpper();
        case 3:
            return u"com.shop."_s + kind.toLower() + u'.' + kind + verb + more;
        case 4:
            return (verb + u'-' + kind + more).toLower();
        default:
            return kind + verb + more;
        }
    }

    QString rest(const ColumnDraft &column, const RowFacts &row)
    {
        const QString &role = column.role;
        if (role == u"key" || role == u"keyB" || role == u"messageUid") {
            if (column.kind == ColumnKind::Uuid)
                return SqlForm::text(m_dice.uuid());
            if (column.kind == ColumnKind::Short)
                return SqlForm::text(u"01J"_s + QString::number(row.number + 100'000) + u"Z"_s
                                     + m_dice.hex(17).toUpper());
            return QString::number(row.number + 1);
        }
        if (role == u"keyA")
            return few({u"stream-1"_s, u"stream-2"_s, u"stream-3"_s});
        if (role == u"type")
            return SqlForm::text(type());
        if (role == u"payload" || role == u"headers") {
            const QString json = u"{\"number\": %1, \"note\": \"%2\"}"_s.arg(m_dice.below(9000))
                                     .arg(m_dice.hex(m_dice.from(4, 60)));
            return column.kind == ColumnKind::Bytes ? m_form.bytes(json) : SqlForm::text(json);
        }
        if (role == u"created")
            return m_form.time(row.created);
        if (role == u"retention")
            return m_form.time(row.created.addDays(30));
        if (role == u"updated")
            return timeOrNull(row.attempts > 0 || row.isProcessed() || row.isFailed(), row.ended);
        if (role == u"lastAttempt")
            return timeOrNull(row.attempts > 0, row.ended);
        if (role == u"sentBy")
            return row.isProcessed() ? few({u"relay-a"_s, u"relay-b"_s}) : null();
        if (role == u"tenant")
            return few({u"acme"_s, u"globex"_s, u"initech"_s});
        if (role == u"region")
            return few({u"eu-west"_s, u"eu-north"_s, u"us-east"_s});
        if (role == u"version")
            return QString::number(m_dice.from(1, 2));
        if (role == u"contentType")
            return SqlForm::text(u"application/json"_s);
        if (role == u"priority")
            return QString::number(m_dice.weighted({70, 20, 10}));
        if (role == u"traceparent")
            return SqlForm::text(u"00-%1-%2-01"_s.arg(m_dice.hex(32), m_dice.hex(16)));
        if (role == u"tracestate")
            return m_dice.chance(30) ? null() : few({u"vendor=1"_s, u"vendor=2"_s, u"rojo=00"_s});
        if (role == u"correlation")
            return m_dice.chance(20) ? null() : SqlForm::text(m_dice.uuid());
        if (role == u"aggregateType")
            return few({u"order"_s, u"invoice"_s, u"customer"_s});
        if (role == u"aggregateId")
            return SqlForm::text(column.kind == ColumnKind::Uuid
                                     ? m_dice.uuid()
                                     : QString::number(m_dice.below(9000)));
        if (role == u"businessFlag")
            return m_form.flag(m_dice.chance(50));
        if (role == u"counter")
            return QString::number(m_dice.below(40));
        if (role == u"businessState")
            return few({u"CA"_s, u"NY"_s, u"TX"_s, u"WA"_s});
        if (role == u"producer")
            return few({u"shop"_s, u"billing"_s});
        if (role == u"topic")
            return few({u"orders"_s, u"invoices"_s, u"stock"_s});
        qFatal("no values for %s", qPrintable(role));
        return {};
    }

    const OutboxPlan &m_plan;
    const StatusValues &m_values;
    const SqlForm &m_form;
    Dice &m_dice;
};

/// States in the order of creation: what is old is done, for the most part.
QList<MessageState> statesOf(const OutboxPlan &plan, Dice &dice)
{
    int rows = 0;
    int share = 0; // per cent that have ended
    switch (plan.spread) {
    case Spread::MostProcessed:
        rows = dice.from(90, 240);
        share = dice.from(93, 98);
        break;
    case Spread::NoneProcessed:
        rows = dice.from(4, 60);
        break;
    case Spread::Backlog:
        rows = dice.from(60, 180);
        share = dice.from(30, 70);
        break;
    case Spread::Empty:
        return {};
    case Spread::Few:
        rows = dice.from(1, 6);
        share = 50;
        break;
    case Spread::ManyTypes:
        rows = dice.from(80, 150);
        share = dice.from(50, 95);
        break;
    case Spread::OldOnly:
        rows = dice.from(40, 110);
        share = 100;
        break;
    }
    const int ended = rows * share / 100;
    const bool mayFail = plan.failed != OutboxShape::FailedHow::None;
    const bool isDeleting = plan.processed == OutboxShape::ProcessedHow::Deleted;
    QList<MessageState> states;
    for (int row = 0; row < rows; ++row) {
        if (mayFail && dice.chance(row < ended ? 6 : 9))
            states += MessageState::Failed;
        else if (row < ended && !isDeleting)
            states += MessageState::Processed;
        else if (row >= ended && plan.locked != OutboxShape::LockedHow::None && dice.chance(15))
            states += MessageState::Locked;
        else if (row >= ended && plan.hasDue && dice.chance(25))
            states += MessageState::Waiting;
        else
            states += MessageState::Pending;
    }
    return states;
}

} // namespace

void fillOutbox(TableDraft &table, const OutboxPlan &plan, const StatusValues &values,
                const SqlForm &form, Dice &dice, OutboxTruth &truth)
{
    const QList<MessageState> states = statesOf(plan, dice);
    const bool isOld = plan.spread == Spread::OldOnly;
    const qint64 end = isOld ? -qint64(dice.from(60, 300)) * 86'400 : -40;
    const qint64 begin = end - qint64(dice.from(1, 25)) * 86'400;
    const qint64 step = (end - begin) / qMax<qsizetype>(1, states.size());
    RowWriter writer(plan, values, form, dice);
    for (int number = 0; number < states.size(); ++number) {
        RowFacts row;
        row.number = number;
        row.state = states.at(number);
        row.created = form.now.addSecs(begin + step * number);
        row.ended = row.created.addMSecs(dice.from(200, 30'000));
        if (row.isFailed())
            row.attempts = mostAttempts;
        else if (row.isProcessed())
            row.attempts = dice.chance(85) ? 1 : 2;
        else
            row.attempts = dice.chance(row.state == MessageState::Waiting ? 60 : 12) ? 1 : 0;
        row.isExpired = row.state == MessageState::Pending && dice.chance(8)
            && plan.locked == OutboxShape::LockedHow::Until;
        ++truth.rows[row.state];
        QStringList cells;
        for (const ColumnDraft &column : table.columns)
            cells += writer.cell(column, row);
        table.rows += cells;
    }
}

} // namespace outbox
