// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An outbox with its neighbours, from a number: columns first, then rows, then what is true of it.
#include "tests/support/schemas/outboxplan.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;
using Status = OutboxPlan::Status;

/// Makes the table of one plan.
class OutboxMaker
{
public:
    OutboxMaker(const Corpus &corpus, quint64 number, DatabaseUrl::Dialect dialect,
                const QDateTime &now)
        : m_corpus(corpus), m_dice(number * 2 + (corpus.isHeldOut ? 7'000'000 : 0)),
          m_vocabulary(completed(corpus.draw(m_dice))), m_style(m_dice, corpus.isHeldOut),
          m_plan(corpus.isDesigned ? designedPlan(m_dice) : drawnPlan(m_dice, corpus.isHeldOut)),
          m_form{dialect, m_plan.times, now}
    { }

    GeneratedSchema made(quint64 number)
    {
        m_table.name = m_style.written(m_vocabulary.one(u"table"_s, m_dice), NameOf::Table);
        m_values = statusValues(m_plan, m_corpus, m_vocabulary, m_dice, &m_explained);
        addKey();
        addContent();
        QList<ColumnDraft> head = m_table.columns;
        addStates();
        addExtras();
        if (m_dice.chance(30)) { // a table that grew in many years
            for (qsizetype place = m_table.columns.size() - 1; place > head.size(); --place) {
                const int other
                    = m_dice.from(static_cast<int>(head.size()), static_cast<int>(place));
                m_table.columns.swapItemsAt(place, other);
            }
        }
        fillOutbox(m_table, m_plan, m_values, m_form, m_dice, m_truth);
        tellTruth();
        GeneratedSchema schema;
        schema.number = number;
        schema.family = u"%1 %2, %3"_s.arg(m_vocabulary.name, m_style.name(), m_plan.text());
        schema.dialect = m_form.dialect;
        addNeighbours(schema);
        schema.outbox = m_truth;
        return schema;
    }

private:
    /// English where the language has no word, as teams do.
    [[nodiscard]] Vocabulary completed(Vocabulary vocabulary) const
    {
        for (const Vocabulary &other :
             {m_corpus.vocabularies.constFirst(), m_corpus.vocabularies.constLast()}) {
            for (auto names = other.words.begin(); names != other.words.end(); ++names) {
                if (!vocabulary.words.contains(names.key()))
                    vocabulary.words.insert(names.key(), names.value());
            }
        }
        return vocabulary;
    }

    /// Its name; empty where the table has that column already.
    QString add(const QString &role, ColumnKind kind, NameOf of, bool nullable = false,
                const QString &defaultSql = {})
    {
        ColumnDraft draft;
        draft.role = role;
        draft.kind = kind;
        draft.nullable = nullable;
        draft.defaultSql = defaultSql;
        return add(draft, of);
    }
    QString add(ColumnDraft draft, NameOf of)
    {
        for (int tries = 0; tries < 8; ++tries) {
            draft.name = m_style.written(m_vocabulary.one(draft.role, m_dice), of);
            if (m_table.add(draft))
                return draft.name;
        }
        if (m_plan.extras.contains(draft.role))
            return {};
        draft.name += m_style.written(u"x"_s, NameOf::Table); // all its names are taken
        return m_table.add(draft) ? draft.name : QString();
    }
    [[nodiscard]] QString nameOf(const QString &role) const
    {
        const ColumnDraft *column = m_table.ofRole(role);
        return column ? column->name : QString();
    }

    void addKey()
    {
        if (m_plan.key == OutboxPlan::Key::Several) {
            m_table.key = {add(u"keyA"_s, ColumnKind::Short, NameOf::Key),
                           add(u"keyB"_s, ColumnKind::Big, NameOf::Number)};
        } else {
            static const QList<ColumnKind> kinds{ColumnKind::Uuid, ColumnKind::Counted,
                                                 ColumnKind::Short};
            ColumnDraft draft;
            draft.role = u"key"_s;
            draft.kind = kinds.at(static_cast<int>(m_plan.key));
            draft.length = m_plan.key == OutboxPlan::Key::Text ? 40 : 200;
            m_table.key = {add(draft, NameOf::Key)};
        }
        m_truth.key = m_table.key;
    }

    void addContent()
    {
        m_truth.type = {add(u"type"_s, ColumnKind::Short, NameOf::Words)};
        static const QList<ColumnKind> kinds{ColumnKind::Json, ColumnKind::Long, ColumnKind::Bytes};
        m_truth.payload = add(u"payload"_s, kinds.at(m_dice.weighted({55, 30, 15})), NameOf::Words);
        if (m_plan.hasHeaders)
            add(u"headers"_s, m_dice.chance(70) ? ColumnKind::Json : ColumnKind::Long,
                NameOf::Words, m_dice.chance(70));
        if (m_plan.hasCreated) {
            m_truth.created = {add(u"created"_s, ColumnKind::Time, NameOf::Time, false,
                                   m_dice.chance(50) ? m_form.clock() : QString())};
        }
    }

    void addStatus()
    {
        ColumnDraft draft;
        draft.role = u"status"_s;
        draft.nullable = m_plan.mayStatusBeNull;
        draft.length = 20;
        static const QList<ColumnKind> kinds{ColumnKind::Short, ColumnKind::Short,
                                             ColumnKind::Small, ColumnKind::Letter};
        draft.kind = kinds.at(static_cast<int>(m_plan.status));
        if (m_plan.status == Status::Numbers && m_dice.chance(50))
            draft.kind = ColumnKind::Integer;
        const QString pending = m_values.value(MessageState::Pending);
        if (m_plan.hasDefault)
            draft.defaultSql = m_plan.status == Status::Numbers ? pending : SqlForm::text(pending);
        draft.isEnum = m_plan.status == Status::Enum;
        if (draft.isEnum || m_plan.isListed)
            draft.labels = m_values.values();
        if (m_plan.isExplained)
            draft.comment = m_explained;
        add(draft, NameOf::Words);
    }

    void addFlag()
    {
        switch (m_plan.flag) {
        case OutboxPlan::FlagIs::Boolean:
            add(u"sentFlag"_s, ColumnKind::Flag, NameOf::Flag, false, m_form.flag(false));
            break;
        case OutboxPlan::FlagIs::Number:
            add(u"sentFlag"_s, ColumnKind::Small, NameOf::Flag, false, u"0"_s);
            break;
        case OutboxPlan::FlagIs::YesNo:
            add(u"sentFlag"_s, ColumnKind::Letter, NameOf::Flag, false, u"'N'"_s);
            break;
        }
    }

    void addStates()
    {
        if (m_plan.hasStatus())
            addStatus();
        if (m_plan.processed == Processed::Flag)
            addFlag();
        if (m_plan.processed == Processed::Time || m_plan.hasSentTime)
            add(u"sentTime"_s, ColumnKind::Time, NameOf::Time, true);
        if (m_plan.locked == Locked::Until)
            add(u"leaseUntil"_s, ColumnKind::Time, NameOf::Time, true);
        if (m_plan.hasLockOwner)
            add(u"leaseOwner"_s, ColumnKind::Short, NameOf::Words, true);
        if (m_plan.hasLockTime)
            add(u"lockTime"_s, ColumnKind::Time, NameOf::Time, true);
        if (m_plan.failed == Failed::Time)
            add(u"failedTime"_s, ColumnKind::Time, NameOf::Time, true);
        if (m_plan.failed == Failed::Flag)
            add(u"failedFlag"_s, ColumnKind::Flag, NameOf::Flag, false, m_form.flag(false));
        if (m_plan.hasDue) {
            m_truth.due = add(u"due"_s, ColumnKind::Time, NameOf::Time, m_plan.mayDueBeNull,
                              m_plan.mayDueBeNull ? QString() : m_form.clock());
        }
        if (m_plan.hasAttempts)
            add(u"attempts"_s, ColumnKind::Integer, NameOf::Number, false, u"0"_s);
        if (m_plan.hasMaxAttempts)
            add(u"maxAttempts"_s, ColumnKind::Integer, NameOf::Number, false, u"5"_s);
        if (m_plan.hasError)
            add(u"error"_s, ColumnKind::Long, NameOf::Words, true);
    }

    void addExtras()
    {
        static const QMap<QString, ColumnKind> kinds{
            {u"version"_s, ColumnKind::Integer},   {u"priority"_s, ColumnKind::Small},
            {u"retention"_s, ColumnKind::Time},    {u"correlation"_s, ColumnKind::Uuid},
            {u"updated"_s, ColumnKind::Time},      {u"lastAttempt"_s, ColumnKind::Time},
            {u"businessFlag"_s, ColumnKind::Flag}, {u"counter"_s, ColumnKind::Integer},
            {u"messageUid"_s, ColumnKind::Uuid}};
        static const QStringList mayBeNull{u"tracestate"_s,  u"correlation"_s, u"updated"_s,
                                           u"lastAttempt"_s, u"sentBy"_s,      u"tenant"_s,
                                           u"retention"_s};
        for (const QString &role : m_plan.extras) {
            ColumnDraft draft;
            draft.role = role;
            draft.kind = kinds.value(role, ColumnKind::Short);
            if (role == u"aggregateId" && m_dice.chance(50))
                draft.kind = ColumnKind::Uuid;
            draft.nullable = mayBeNull.contains(role);
            draft.isUnique = role == u"messageUid";
            const bool isNumber
                = draft.kind == ColumnKind::Integer || draft.kind == ColumnKind::Small;
            const QString name = add(draft,
                                     draft.kind == ColumnKind::Time ? NameOf::Time
                                         : draft.kind == ColumnKind::Flag
                                         ? NameOf::Flag
                                         : (isNumber ? NameOf::Number : NameOf::Words));
            if (role == u"topic" && !name.isEmpty())
                m_truth.type += name;
        }
    }

    void tellTruth()
    {
        m_truth.table = m_table.name;
        const QString status = nameOf(u"status"_s);
        const QString flag = nameOf(u"sentFlag"_s);
        const QString sent = nameOf(u"sentTime"_s);
        m_truth.processed = {{m_plan.processed, {}}};
        if (m_plan.hasStatus()) {
            m_truth.processed.first().columns = {status};
            if (m_plan.mayStatusBeNull && m_plan.hasSentTime)
                m_truth.processed += {Processed::Time, {sent}};
            tellValues();
        } else if (m_plan.processed == Processed::Flag) {
            m_truth.processed.first().columns = {flag};
            if (m_plan.flag != OutboxPlan::FlagIs::Boolean) {
                m_truth.processed += {Processed::Status, {flag}};
                const bool isLetter = m_plan.flag == OutboxPlan::FlagIs::YesNo;
                m_truth.values = {{isLetter ? u"N"_s : u"0"_s, MessageState::Pending},
                                  {isLetter ? u"Y"_s : u"1"_s, MessageState::Processed}};
            }
        } else if (m_plan.processed == Processed::Time) {
            m_truth.processed.first().columns = {sent};
        }
        tellLocked(status);
        tellFailed(status);
        tellUnknowable();
    }

    void tellValues()
    {
        const ColumnDraft *column = m_table.ofRole(u"status"_s);
        for (auto value = m_values.cbegin(); value != m_values.cend(); ++value) {
            const bool isStart = value.key() == MessageState::Pending;
            if (m_truth.rows.value(value.key()) > 0 || column->labels.contains(value.value())
                || (isStart && m_plan.hasDefault))
                m_truth.values[value.value()] = value.key();
        }
    }
    [[nodiscard]] bool isShown(MessageState state) const
    {
        return m_truth.values.values().contains(state);
    }

    void tellLocked(const QString &status)
    {
        const QStringList owner{nameOf(u"leaseOwner"_s), nameOf(u"lockTime"_s)};
        switch (m_plan.locked) {
        case Locked::Until:
            m_truth.locked = {{Locked::Until, {nameOf(u"leaseUntil"_s)}}};
            break;
        case Locked::Owner:
            m_truth.locked = {{Locked::Owner, owner}};
            break;
        case Locked::Status:
            m_truth.locked = {{Locked::Status, {status}}};
            if (m_plan.hasLockOwner || m_plan.hasLockTime)
                m_truth.locked += {Locked::Owner, owner};
            else if (!isShown(MessageState::Locked))
                m_truth.locked += {Locked::None, {}};
            break;
        default:
            m_truth.locked = {{Locked::None, {}}};
        }
    }

    void tellFailed(const QString &status)
    {
        m_truth.failed = {{m_plan.failed, {}}};
        m_truth.attempts = nameOf(u"attempts"_s);
        m_truth.maxAttempts = nameOf(u"maxAttempts"_s);
        switch (m_plan.failed) {
        case Failed::Status:
            m_truth.failed.first().columns = {status};
            if (!isShown(MessageState::Failed))
                m_truth.failed += {Failed::None, {}};
            break;
        case Failed::Time:
            m_truth.failed.first().columns = {nameOf(u"failedTime"_s)};
            break;
        case Failed::Flag:
            m_truth.failed.first().columns = {nameOf(u"failedFlag"_s)};
            break;
        default:
            break;
        }
        if (m_plan.hasMaxAttempts && m_plan.failed != Failed::Attempts)
            m_truth.failed += {Failed::Attempts, {}};
        if (m_plan.hasDeadLetters)
            m_truth.failed += {Failed::Table, {}};
    }

    void tellUnknowable()
    {
        const bool hasProcessed = m_truth.rows.value(MessageState::Processed) > 0;
        const bool isDecidedByTime = m_plan.mayStatusBeNull && m_plan.hasSentTime;
        if (m_plan.hasStatus()) {
            const bool isWordless
                = m_plan.status == Status::Numbers || m_plan.status == Status::Letters;
            const bool isExplained
                = m_plan.isExplained && m_form.dialect != DatabaseUrl::Dialect::Sqlite;
            if (isWordless && !isExplained) {
                m_truth.unknowable = {u"locked"_s, u"failed"_s, u"due"_s};
                if (!m_plan.hasSentTime || !hasProcessed) {
                    m_truth.unknowable += u"processed"_s;
                    m_truth.mustBeAsked = m_plan.status == Status::Numbers && !isDecidedByTime;
                }
            } else if (!isShown(MessageState::Processed) && !isExplained) {
                m_truth.unknowable += u"processed"_s;
            }
        }
        if (m_plan.processed == Processed::Flag && m_plan.flag != OutboxPlan::FlagIs::Boolean
            && !hasProcessed)
            m_truth.unknowable += u"processed"_s;
        if (m_plan.processed == Processed::Deleted && m_table.ofRole(u"businessFlag"_s))
            m_truth.unknowable += u"processed"_s;
        if (m_vocabulary.isForeign && !hasProcessed)
            m_truth.unknowable += {u"processed"_s, u"locked"_s, u"failed"_s, u"due"_s};
        if (m_vocabulary.isForeign && m_table.rows.isEmpty())
            m_truth.unknowable += {u"found"_s, u"type"_s};
    }

    void addNeighbours(GeneratedSchema &schema)
    {
        QList<TableDraft> tables{m_table};
        if (m_plan.hasDeadLetters)
            tables += deadLetters();
        QStringList lines = m_corpus.ordinary;
        for (int more = m_dice.weighted({25, 25, 25, 15, 10}); more > 0; --more) {
            const QString line = lines.takeAt(m_dice.below(static_cast<int>(lines.size())));
            tables += ordinaryTable(line, m_style, m_form, m_dice);
        }
        for (const TableDraft &table : tables) {
            schema.tables += table.name;
            schema.statements += table.statements(m_form);
        }
    }

    TableDraft deadLetters()
    {
        static const QStringList names{u"dead letters"_s, u"outbox dead letter"_s,
                                       u"failed messages"_s};
        static const QStringList otherNames{u"poison messages"_s, u"undelivered events"_s,
                                            u"outbox dead"_s};
        const QString line = m_dice.of(m_corpus.isHeldOut ? otherNames : names)
            + u": id=id, event type=type(a/b/c), payload=json, reason=title, moved at=created"_s;
        return ordinaryTable(line, m_style, m_form, m_dice);
    }

    const Corpus &m_corpus;
    Dice m_dice;
    Vocabulary m_vocabulary;
    NamingStyle m_style;
    OutboxPlan m_plan;
    SqlForm m_form;
    TableDraft m_table;
    StatusValues m_values;
    QString m_explained;
    OutboxTruth m_truth;
};

} // namespace

GeneratedSchema generatedOutbox(const Corpus &corpus, quint64 number, DatabaseUrl::Dialect dialect,
                                const QDateTime &now)
{
    return OutboxMaker(corpus, number, dialect, now).made(number);
}

} // namespace outbox
