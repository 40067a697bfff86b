// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/auditentry.h"

#include "models/enumtext.h"
#include "models/shape/sparsejson.h"

#include <QJsonArray>

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
    QJsonObject json{{u"sequence"_s, sequence},
                     {u"at"_s, at.toUTC().toString(Qt::ISODateWithMs)},
                     {u"kind"_s, word(kind)}};
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

} // namespace outbox
