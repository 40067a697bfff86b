// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exportlines.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostColumns = 10'000;
constexpr qint64 mostFields = 10'000;

/// The object behind a cell that no plain string or number can say.
bool takeNamedCell(JsonStreamReader &json, Cell &cell)
{
    return json.object([&](const QByteArray &name) {
        if (name == "text64" || name == "bytes64") {
            cell.kind = name == "text64" ? Cell::Kind::Text : Cell::Kind::Bytes;
            return json.base64(cell.bytes);
        }
        if (name == "bytes")
            cell.kind = Cell::Kind::Bytes;
        else if (name == "integer")
            cell.kind = Cell::Kind::Integer;
        else if (name == "real")
            cell.kind = Cell::Kind::Real;
        else
            return json.refuseMember(name);
        return json.string(cell.bytes);
    });
}

bool takeCell(JsonStreamReader &json, Cell &cell)
{
    switch (json.peek()) {
    case 'n':
        return json.take("null");
    case '"':
        cell.kind = Cell::Kind::Text;
        return json.string(cell.bytes);
    case '{':
        return takeNamedCell(json, cell);
    default:
        break;
    }
    if (!json.number(cell.bytes))
        return false;
    const bool real
        = cell.bytes.contains('.') || cell.bytes.contains('e') || cell.bytes.contains('E');
    cell.kind = real ? Cell::Kind::Real : Cell::Kind::Integer;
    return true;
}

bool takeBytes(JsonStreamReader &json, QByteArray &bytes)
{
    if (json.peek() != '{')
        return json.string(bytes);
    return json.object([&](const QByteArray &name) {
        return name == "bytes64" ? json.base64(bytes) : json.refuseMember(name);
    });
}

bool takeColumn(JsonStreamReader &json, ExportHead &head)
{
    QString name;
    QString type;
    const bool taken = json.object([&](const QByteArray &member) {
        if (member == "name")
            return json.string(name);
        return member == "type" ? json.string(type) : json.refuseMember(member);
    });
    if (!taken)
        return false;
    if (name.isEmpty() || head.columns.contains(name) || head.columns.size() >= mostColumns)
        return json.refuse(u"the columns have no name, the same name, or are too many"_s);
    head.columns.append(name);
    head.types.append(type);
    return true;
}

bool takeVerb(JsonStreamReader &json, ExportHead &head)
{
    QString name;
    if (!json.string(name))
        return false;
    head.verb = verbFromWord(name);
    return head.verb || json.refuse(u"the verb \"%1\" is not known"_s.arg(name));
}

bool takeTime(JsonStreamReader &json, ExportHead &head)
{
    QString text;
    if (!json.string(text))
        return false;
    head.at = QDateTime::fromString(text, Qt::ISODateWithMs).toUTC();
    return head.at.isValid() || json.refuse(u"\"%1\" is no time"_s.arg(text));
}

bool takeRow(JsonStreamReader &json, const ExportHead &head, WholeRow &row)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "id")
            return json.string(row.id.text);
        if (name == "version")
            return json.string(row.version);
        if (name == "task")
            return json.string(row.task.text);
        if (name != "cells")
            return json.refuseMember(name);
        return json.array([&] {
            if (row.cells.size() >= head.columns.size())
                return json.refuse(u"the row has more cells than there are columns"_s);
            row.cells.append(Cell());
            return takeCell(json, row.cells.last());
        });
    });
    if (!taken)
        return false;
    if (row.id.isEmpty() || row.cells.size() != head.columns.size())
        return json.refuse(u"the row has no id or too few cells"_s);
    row.columns = head.columns;
    return true;
}

/// Repairs export what they remove, so damaged tasks stand in files too.
std::optional<TaskState> storedState(const QString &name)
{
    for (const TaskState damaged : {TaskState::Stub, TaskState::Orphan}) {
        if (name == word(damaged))
            return damaged;
    }
    return taskStateFromWord(name);
}

bool takeState(JsonStreamReader &json, TaskState &state)
{
    QString name;
    if (!json.string(name))
        return false;
    const auto known = storedState(name);
    state = known.value_or(TaskState::None);
    return known || json.refuse(u"the state \"%1\" is not known"_s.arg(name));
}

bool takeField(JsonStreamReader &json, StoredTask &task)
{
    if (task.fields.size() >= mostFields)
        return json.refuse(u"the task has more than %1 fields"_s.arg(mostFields));
    QPair<QByteArray, QByteArray> field;
    const bool taken = json.take("[") && takeBytes(json, field.first) && json.take(",")
        && takeBytes(json, field.second) && json.take("]");
    task.fields.append(field);
    return taken;
}

bool takeTask(JsonStreamReader &json, StoredTask &task)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "id")
            return json.string(task.id.text);
        if (name == "queue")
            return json.string(task.queue.text);
        if (name == "state")
            return takeState(json, task.state);
        if (name == "score")
            return takeBytes(json, task.score);
        if (name == "locked_until")
            return takeBytes(json, task.lockedUntil);
        if (name == "fields")
            return json.array([&] { return takeField(json, task); });
        return json.refuseMember(name);
    });
    if (!taken)
        return false;
    return !(task.id.isEmpty() || task.queue.isEmpty())
        || json.refuse(u"the task has no id or no queue"_s);
}

} // namespace

bool takeExportHead(JsonStreamReader &json, ExportHead &head)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "outboxdeck_export")
            return json.take("1");
        if (name == "verb")
            return takeVerb(json, head);
        if (name == "at")
            return takeTime(json, head);
        if (name == "columns")
            return json.array([&] { return takeColumn(json, head); });
        for (auto [member, text] :
             {std::pair("operation", &head.operation), std::pair("profile", &head.profile),
              std::pair("target", &head.target), std::pair("table", &head.table),
              std::pair("queue", &head.queue)}) {
            if (name == member)
                return json.string(*text);
        }
        return json.refuseMember(name);
    });
    return taken && json.nextLine();
}

bool takeExportItem(JsonStreamReader &json, const ExportHead &head, ExportItem &item)
{
    bool found = false;
    const bool taken = json.object([&](const QByteArray &name) {
        if (found || (name != "row" && name != "task"))
            return json.refuseMember(name);
        found = true;
        if (name == "row")
            return takeRow(json, head, item.emplace<WholeRow>());
        return takeTask(json, item.emplace<StoredTask>());
    });
    return taken && (found || json.refuse(u"there is neither a row nor a task"_s))
        && json.nextLine();
}

bool takeExportEnd(JsonStreamReader &json, ExportEnd &end)
{
    QByteArray count;
    const bool taken = json.take("{\"end\":{\"count\":") && json.number(count)
        && json.take(",\"sha256\":") && json.string(end.checksum) && json.take("}}\n");
    bool isNumber = false;
    end.count = count.toLongLong(&isNumber);
    return taken && isNumber && json.atEnd();
}

} // namespace outbox
