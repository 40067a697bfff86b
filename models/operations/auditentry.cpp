// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/auditentry.h"

#include "models/enumtext.h"
#include "models/operations/arming.h"
#include "models/shape/sparsejson.h"
#include "models/utctext.h"

#include <QCoreApplication>
#include <QHash>
#include <QJsonArray>
#include <QSet>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using EntryKind = AuditEntry::Kind;

constexpr auto entryKinds = enumTexts<EntryKind>({
    {EntryKind::Begin, u"begin"},
    {EntryKind::Intent, u"intent"},
    {EntryKind::Outcome, u"outcome"},
    {EntryKind::End, u"end"},
    {EntryKind::Refusal, u"refusal"},
    {EntryKind::Unlock, u"unlock"},
    {EntryKind::Lock, u"lock"},
    {EntryKind::Check, u"check"},
    {EntryKind::Relay, u"relay"},
    {EntryKind::Settings, u"settings"},
    {EntryKind::Unmask, u"unmask"},
});

QJsonObject itemToJson(const AuditedItem &item)
{
    QJsonObject json;
    put(json, "row"_L1, item.row);
    put(json, "task"_L1, item.task);
    put(json, "queue"_L1, item.queue);
    put(json, "before"_L1, item.before);
    put(json, "after"_L1, item.after);
    return json;
}

AuditedItem itemFromJson(const QJsonObject &json)
{
    return {json.value("row"_L1).toString(), json.value("task"_L1).toString(),
            json.value("queue"_L1).toString(), json.value("before"_L1).toString(),
            json.value("after"_L1).toString()};
}

Failure notUnderstood(const QString &text)
{
    return fail(Error::Kind::Invalid, u"reading a line of the record"_s, text);
}

} // namespace

QString word(AuditEntry::Kind kind)
{
    return entryKinds.word(kind);
}

QJsonObject AuditEntry::toJson() const
{
    QJsonObject json{{u"sequence"_s, sequence}, {u"at"_s, utcText(at)}, {u"kind"_s, word(kind)}};
    put(json, "operation"_L1, operation);
    if (chunk != 0)
        json.insert("chunk"_L1, chunk);
    put(json, "who"_L1, who);
    put(json, "face"_L1, face);
    put(json, "profile"_L1, profile);
    json.insert("environment"_L1, word(environment));
    put(json, "target"_L1, target);
    if (verb)
        json.insert("verb"_L1, word(*verb));
    put(json, "what"_L1, what);
    put(json, "note"_L1, note);
    if (!counts.isEmpty()) {
        QJsonObject numbers;
        for (auto count = counts.cbegin(); count != counts.cend(); ++count)
            numbers.insert(count.key(), count.value());
        json.insert("counts"_L1, numbers);
    }
    if (!items.isEmpty()) {
        QJsonArray list;
        for (const AuditedItem &item : items)
            list.append(itemToJson(item));
        json.insert("items"_L1, list);
    }
    if (!statements.isEmpty())
        json.insert("statements"_L1, QJsonArray::fromStringList(statements));
    put(json, "export"_L1, exportFile);
    put(json, "export_sha256"_L1, QString::fromLatin1(exportChecksum));
    put(json, "error"_L1, error);
    if (undoable)
        json.insert("undoable"_L1, true);
    put(json, "undo_of"_L1, undoOf);
    put(json, "previous"_L1, QString::fromLatin1(previous));
    put(json, "hash"_L1, QString::fromLatin1(hash));
    return json;
}

Result<AuditEntry> AuditEntry::fromJson(const QJsonObject &json)
{
    AuditEntry entry;
    entry.sequence = json.value("sequence"_L1).toInteger();
    if (entry.sequence < 1)
        return notUnderstood(u"it has no sequence"_s);
    entry.at = QDateTime::fromString(json.value("at"_L1).toString(), Qt::ISODateWithMs).toUTC();
    if (!entry.at.isValid())
        return notUnderstood(u"it has no time"_s);
    const QString kindWord = json.value("kind"_L1).toString();
    const auto kind = entryKinds.fromWord(kindWord);
    if (!kind)
        return notUnderstood(u"kind \"%1\" is not known"_s.arg(kindWord));
    entry.kind = *kind;
    entry.operation = json.value("operation"_L1).toString();
    entry.chunk = json.value("chunk"_L1).toInt();
    entry.who = json.value("who"_L1).toString();
    entry.face = json.value("face"_L1).toString();
    entry.profile = json.value("profile"_L1).toString();
    const QString place = json.value("environment"_L1).toString();
    const auto environment = environmentFromWord(place);
    if (!environment)
        return notUnderstood(u"environment \"%1\" is not known"_s.arg(place));
    entry.environment = *environment;
    entry.target = json.value("target"_L1).toString();
    if (const QString name = json.value("verb"_L1).toString(); !name.isEmpty()) {
        entry.verb = verbFromWord(name);
        if (!entry.verb)
            return notUnderstood(u"verb \"%1\" is not known"_s.arg(name));
    }
    entry.what = json.value("what"_L1).toString();
    entry.note = json.value("note"_L1).toString();
    const QJsonObject numbers = json.value("counts"_L1).toObject();
    for (auto count = numbers.begin(); count != numbers.end(); ++count)
        entry.counts.insert(count.key(), count.value().toInteger());
    const QJsonArray list = json.value("items"_L1).toArray();
    entry.items.reserve(list.size());
    for (const auto item : list)
        entry.items.append(itemFromJson(item.toObject()));
    for (const auto statement : json.value("statements"_L1).toArray())
        entry.statements.append(statement.toString());
    entry.exportFile = json.value("export"_L1).toString();
    entry.exportChecksum = json.value("export_sha256"_L1).toString().toLatin1();
    entry.error = json.value("error"_L1).toString();
    entry.undoable = json.value("undoable"_L1).toBool();
    entry.undoOf = json.value("undo_of"_L1).toString();
    entry.previous = json.value("previous"_L1).toString().toLatin1();
    entry.hash = json.value("hash"_L1).toString().toLatin1();
    return entry;
}

namespace {

using EntryKind = AuditEntry::Kind;
using ActivityState = Activity::State;

constexpr auto activityStates = enumTexts<Activity::State>({
    {ActivityState::Running, u"running", "running"},
    {ActivityState::Done, u"done", "done"},
    {ActivityState::Partly, u"partly", "in part"},
    {ActivityState::Failed, u"failed", "failed"},
    {ActivityState::Refused, u"refused", "refused"},
    {ActivityState::InDoubt, u"in-doubt", "IN DOUBT"},
    {ActivityState::Cancelled, u"cancelled", "cancelled"},
    {ActivityState::Undone, u"undone", "undone"},
    {ActivityState::Noted, u"noted", "noted"},
    {ActivityState::RecordChanged, u"record-changed", "RECORD CHANGED"},
});

constexpr auto activityRecords = enumTexts<Activity::Record>({
    {Activity::Record::Here, u"this-machine", "this machine"},
    {Activity::Record::Database, u"database", "database"},
    {Activity::Record::Both, u"both", "both"},
});

using Counts = QMap<QString, qint64>;

qint64 total(const Counts &counts)
{
    return std::accumulate(counts.cbegin(), counts.cend(), qint64{0});
}

/// "done 1234" begins with the word of its outcome.
QString firstWord(const QString &after)
{
    return after.section(u' ', 0, 0);
}

/// The line itself keeps the bare reason.
QString armingWords(const AuditEntry &entry)
{
    const bool isUnlock = entry.kind == EntryKind::Unlock;
    const bool isForOne = entry.face == u"outboxctl"; // no window stays open there
    const char *words = isUnlock
        ? (isForOne ? QT_TRANSLATE_NOOP("outbox::Activity", "Writing unlocked for one operation")
                    : QT_TRANSLATE_NOOP("outbox::Activity", "Writing unlocked for %1 minutes"))
        : (isForOne ? QT_TRANSLATE_NOOP("outbox::Activity", "Writing locked after the operation")
                    : QT_TRANSLATE_NOOP("outbox::Activity", "Writing locked"));
    QString text = QCoreApplication::translate("outbox::Activity", words);
    if (isUnlock && !isForOne)
        text = text.arg(armedMinutes);
    return entry.what.isEmpty() ? text : QString(text + u": "_s + entry.what);
}

/// One operation, while its lines are read from old to new.
class Story
{
public:
    explicit Story(const AuditEntry &first)
    {
        m_activity.operation = first.operation;
        m_activity.at = first.at;
        m_activity.who = first.who;
        m_activity.face = first.face;
        m_activity.profile = first.profile;
        m_activity.target = first.target;
    }

    [[nodiscard]] const QString &operation() const { return m_activity.operation; }

    void read(const AuditEntry &entry)
    {
        if (entry.verb)
            m_activity.verb = entry.verb;
        keepFirst(m_activity.what, entry.what);
        keepFirst(m_activity.note, entry.note);
        keepFirst(m_activity.undoOf, entry.undoOf);
        m_isIntact = m_isIntact && entry.intact;
        keepLast(m_activity.exportFile, entry.exportFile);
        if (!entry.exportChecksum.isEmpty())
            m_activity.exportChecksum = entry.exportChecksum;
        keepLast(m_activity.error, entry.error);
        if (!entry.statements.isEmpty())
            m_activity.statements = entry.statements;
        const bool undoable = entry.kind == EntryKind::End ? false : m_activity.undoable;
        m_activity.undoable = undoable || entry.undoable;
        take(entry);
        join(entry.items, entry.kind == EntryKind::Intent);
    }

    [[nodiscard]] Activity told(bool isRunning)
    {
        const bool running = isRunning && !m_ended;
        for (const QList<AuditedItem> &items : std::as_const(m_open))
            m_activity.doubtful += items;
        const qsizetype unanswered = m_activity.doubtful.size();
        const QString inDoubt = word(Outcome::InDoubt);
        for (const AuditedItem &item : std::as_const(m_activity.items)) {
            if (firstWord(item.after) == inDoubt)
                m_activity.doubtful.append(item);
        }
        if (m_began && !m_ended && !running)
            endAbruptly(unanswered);
        m_counts.removeIf([](const auto &one) { return one.value() <= 0; });
        m_activity.counts = m_counts;
        m_activity.count = std::max(total(m_counts), total(m_planned));
        if (m_activity.count == 0)
            m_activity.count = m_activity.items.size();
        m_activity.undoable = m_activity.undoable && m_isIntact;
        m_activity.state = !m_isIntact ? ActivityState::RecordChanged
            : running                  ? ActivityState::Running
                                       : state();
        return m_activity;
    }

private:
    static void keepFirst(QString &kept, const QString &text)
    {
        if (kept.isEmpty())
            kept = text;
    }
    static void keepLast(QString &kept, const QString &text)
    {
        if (!text.isEmpty())
            kept = text;
    }

    void take(const AuditEntry &entry)
    {
        switch (entry.kind) {
        case EntryKind::Begin:
            m_began = true;
            m_planned = entry.counts;
            m_activity.error = entry.error; // a refusal before it was answered
            break;
        case EntryKind::Intent:
            m_open.insert(entry.chunk, entry.items);
            break;
        case EntryKind::Outcome:
            m_open.remove(entry.chunk);
            for (auto count = entry.counts.cbegin(); count != entry.counts.cend(); ++count)
                m_counts[count.key()] += count.value();
            break;
        case EntryKind::Check:
            takeCheck(entry);
            break;
        case EntryKind::End:
            m_ended = true;
            m_counts = entry.counts; // with those whose turn did not come
            break;
        case EntryKind::Refusal:
            m_refused = true;
            m_planned = entry.counts;
            break;
        case EntryKind::Unlock:
        case EntryKind::Lock:
            m_noted = true;
            m_activity.what = armingWords(entry);
            break;
        case EntryKind::Relay:
            m_counts = entry.counts;
            [[fallthrough]];
        case EntryKind::Settings:
        case EntryKind::Unmask:
            m_noted = true;
            break;
        }
    }

    /// What a look found takes the place of what was said of the same messages before.
    void takeCheck(const AuditEntry &entry)
    {
        if (entry.chunk == 0) // a look at the whole operation
            m_open.clear();
        else
            m_open.remove(entry.chunk);
        const QString inDoubt = word(Outcome::InDoubt);
        for (const AuditedItem &item : entry.items) {
            const auto known = m_placeOf.constFind(keyOf(item));
            const QString before = known == m_placeOf.cend()
                ? QString()
                : firstWord(m_activity.items.at(*known).after);
            const QString replaced = before.isEmpty() ? inDoubt : before;
            if (m_counts.value(replaced) > 0)
                --m_counts[replaced];
            ++m_counts[item.after.isEmpty() ? inDoubt : firstWord(item.after)];
        }
    }

    /// Its program died: what was begun and not answered is in doubt, the rest was never begun.
    void endAbruptly(qsizetype unanswered)
    {
        if (unanswered > 0)
            m_counts[word(Outcome::InDoubt)] += unanswered;
        const qint64 rest = total(m_planned) - total(m_counts);
        if (rest <= 0)
            return;
        m_counts[word(Outcome::Cancelled)] += rest;
        keepFirst(m_activity.error, u"the program ended before the operation did"_s);
    }

    using Key = std::pair<QString, std::pair<QString, QString>>;
    static Key keyOf(const AuditedItem &item) { return {item.row, {item.task, item.queue}}; }

    /// What was archived may have to leave again: then its last act counts.
    void join(const QList<AuditedItem> &items, bool isBegun)
    {
        for (const AuditedItem &item : items) {
            const auto known = m_placeOf.constFind(keyOf(item));
            if (known == m_placeOf.cend()) {
                m_placeOf.insert(keyOf(item), m_activity.items.size());
                m_activity.items.append(item);
                continue;
            }
            AuditedItem &joined = m_activity.items[*known];
            if (isBegun) {
                joined = item;
                continue;
            }
            keepFirst(joined.before, item.before);
            keepLast(joined.after, item.after);
        }
    }

    [[nodiscard]] ActivityState state() const
    {
        if (m_noted)
            return ActivityState::Noted;
        if (!m_activity.doubtful.isEmpty() || m_counts.contains(word(Outcome::InDoubt)))
            return ActivityState::InDoubt;
        if (m_refused && !m_began)
            return ActivityState::Refused;
        const qint64 done = m_counts.value(word(Outcome::Done));
        const qint64 left = total(m_counts) - done - m_counts.value(word(Outcome::NothingToDo));
        const bool failed = !m_activity.error.isEmpty() || m_counts.contains(word(Outcome::Failed));
        if (left == 0)
            return failed && done == 0 ? ActivityState::Failed : ActivityState::Done;
        if (!failed && m_counts.contains(word(Outcome::Cancelled)))
            return ActivityState::Cancelled;
        if (done > 0)
            return ActivityState::Partly;
        return failed ? ActivityState::Failed : ActivityState::Refused;
    }

    Activity m_activity;
    QHash<Key, qsizetype> m_placeOf; ///< in the activity's items
    QMap<int, QList<AuditedItem>> m_open; ///< intents without an answer, by chunk
    Counts m_counts;
    Counts m_planned;
    bool m_began = false;
    bool m_ended = false;
    bool m_refused = false;
    bool m_noted = false;
    bool m_isIntact = true;
};

} // namespace

QString word(Activity::State state)
{
    return activityStates.word(state);
}

QString label(Activity::State state)
{
    return activityStates.label(state, "outbox::Activity");
}

QList<Activity::State> allActivityStates()
{
    return activityStates.all();
}

QString word(Activity::Record record)
{
    return activityRecords.word(record);
}

QString label(Activity::Record record)
{
    return activityRecords.label(record, "outbox::Activity");
}

QList<Activity::Record> allActivityRecords()
{
    return activityRecords.all();
}

QString undoObstacle(const Activity &activity)
{
    const auto text = [](const char *source) {
        return QCoreApplication::translate("outbox::Activity", source);
    };
    if (activity.record == Activity::Record::Database && activity.verb) {
        return text("It was done from another machine or account: what undo needs, its record and "
                    "its export, is kept there.");
    }
    switch (activity.state) {
    case ActivityState::Running:
        return text("It is still running.");
    case ActivityState::InDoubt:
        return text("It is not known what became of some messages: check them first.");
    case ActivityState::Undone:
        return text("It was undone already.");
    case ActivityState::RecordChanged:
        return text("Its record, or that of its undo, is not as it was written.");
    case ActivityState::Failed:
    case ActivityState::Refused:
    case ActivityState::Noted:
        return text("It changed no message.");
    case ActivityState::Done:
    case ActivityState::Partly:
    case ActivityState::Cancelled:
        break;
    }
    return activity.undoable ? QString() : text("It cannot be undone.");
}

QList<Activity> activitiesOf(const QList<AuditEntry> &entries, const QStringList &running)
{
    QList<Story> stories;
    QHash<QString, qsizetype> storyOf;
    for (const AuditEntry &entry : entries) {
        const auto known = storyOf.constFind(entry.operation);
        if (!entry.operation.isEmpty() && known != storyOf.cend()) {
            stories[*known].read(entry);
            continue;
        }
        storyOf.insert(entry.operation, stories.size());
        stories.emplaceBack(entry).read(entry);
    }
    // From new to old: what takes something back is always younger than that.
    QList<Activity> activities;
    activities.reserve(stories.size());
    QSet<QString> takenBack;
    QSet<QString> perhapsTakenBack; // by what has a record that was changed
    for (auto story = stories.rbegin(); story != stories.rend(); ++story) {
        Activity activity = story->told(running.contains(story->operation()));
        const bool certain = activity.state != ActivityState::InDoubt
            && activity.state != ActivityState::Running
            && activity.state != ActivityState::RecordChanged;
        if (certain && takenBack.contains(activity.operation))
            activity.state = ActivityState::Undone;
        if (perhapsTakenBack.contains(activity.operation))
            activity.state = ActivityState::RecordChanged;
        if (activity.state == ActivityState::Done && !activity.undoOf.isEmpty())
            takenBack.insert(activity.undoOf);
        if (activity.state == ActivityState::RecordChanged && !activity.undoOf.isEmpty())
            perhapsTakenBack.insert(activity.undoOf);
        activities.append(std::move(activity));
    }
    return activities;
}

} // namespace outbox
