// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/predicate.h"

#include "models/filter/cause.h"
#include "models/filter/pattern.h"
#include "models/payload/jsontokens.h"

#include <QUuid>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The node at `path`; nullptr where there is none. Of members with one name the last one counts.
const JsonNode *nodeAt(const JsonTree &tree, const QStringList &path)
{
    const JsonNode *node = &tree.nodes.constFirst();
    for (const QString &step : path) {
        const JsonNode *next = nullptr;
        bool isPlace = false;
        const int place = step.toInt(&isPlace);
        if (node->kind == JsonNode::Kind::Array && isPlace && place >= 0
            && place < node->children.size())
            next = &tree.nodes.at(node->children.at(place));
        for (const int child : node->children) {
            if (node->kind == JsonNode::Kind::Object && tree.key(tree.nodes.at(child)) == step)
                next = &tree.nodes.at(child);
        }
        if (!next)
            return nullptr;
        node = next;
    }
    return node;
}

/// What a filter asks of a payload: a text in it, or a member of a JSON document.
/// One payload, taken apart at most once however many checks ask for it.
class CheckedPayload
{
public:
    /// `storedBytes`: its whole length, of which `payload` may be the beginning.
    CheckedPayload(const QByteArray &payload, qint64 storedBytes)
        : m_payload(payload), m_isWhole(payload.size() >= storedBytes)
    { }

    /// Before its negation.
    [[nodiscard]] Truth meets(const FieldCheck &check)
    {
        if (!check.path.isEmpty())
            return memberMeets(check);
        const QString text = QString::fromUtf8(m_payload);
        const bool found = std::any_of(
            check.patterns.begin(), check.patterns.end(),
            [&text](const FilterPattern &one) { return holdsFolded(text, one.text); });
        if (found)
            return Truth::Yes;
        return m_isWhole ? Truth::No : Truth::Unknown;
    }

private:
    [[nodiscard]] Truth memberMeets(const FieldCheck &check);

    const QByteArray &m_payload;
    const bool m_isWhole;
    std::optional<Result<JsonTree>> m_tree;
};

Truth CheckedPayload::memberMeets(const FieldCheck &check)
{
    if (!m_isWhole)
        return Truth::Unknown;
    if (!m_tree)
        m_tree = readJson(m_payload);
    const auto truth = [](bool is) { return is ? Truth::Yes : Truth::No; };
    if (!*m_tree && m_tree->error().kind == Error::Kind::Unsupported)
        return Truth::Unknown; // too large to be taken apart
    const JsonNode *node = *m_tree ? nodeAt(**m_tree, check.path) : nullptr;
    if (!node || node->kind == JsonNode::Kind::Null)
        return truth(check.orMissing);
    if (check.orGiven)
        return Truth::Yes;
    if (node->kind == JsonNode::Kind::Number) {
        const double number = (*m_tree)->raw(*node).toByteArray().toDouble();
        for (const FilterSpan &span : check.spans) {
            if (span.has(number))
                return Truth::Yes;
        }
    }
    const QString text = (*m_tree)->text(*node);
    return truth(std::any_of(check.patterns.begin(), check.patterns.end(),
                             [&text](const FilterPattern &one) { return one.fits(text); }));
}

using Field = FilterField;

Truth truth(bool is)
{
    return is ? Truth::Yes : Truth::No;
}

Truth opposite(Truth one)
{
    switch (one) {
    case Truth::Yes:
        return Truth::No;
    case Truth::No:
        return Truth::Yes;
    case Truth::Unknown:
        break;
    }
    return Truth::Unknown;
}

std::optional<double> seconds(const QDateTime &from, const QDateTime &to)
{
    return static_cast<double>(from.msecsTo(to)) / 1000;
}

QString digitsOf(const QString &uuid)
{
    return uuid.toLower().remove(u'-');
}

bool idFits(const FilterPattern &pattern, const QString &id, bool isUuid)
{
    if (!isUuid || pattern.how == FilterPattern::How::Part)
        return pattern.fits(id);
    if (pattern.how == FilterPattern::How::Exact)
        return QUuid::fromString(pattern.text) == QUuid::fromString(id);
    if (pattern.how == FilterPattern::How::Whole)
        return fitsWildcards(pattern.text.toLower(), id);
    const QString digits = digitsOf(pattern.text);
    return !digits.isEmpty() && digitsOf(id).startsWith(digits);
}

bool idMeets(const FieldCheck &check, const QString &id, bool isUuid)
{
    if (id.isEmpty())
        return check.orMissing;
    return check.orGiven
        || std::any_of(check.patterns.begin(), check.patterns.end(),
                       [&](const FilterPattern &one) -> bool { return idFits(one, id, isUuid); });
}

/// A bare word: the beginning of an id, or a part of a type.
bool wordMeets(const FieldCheck &check, const QString &id, const QString &type, bool isUuid)
{
    return std::any_of(
        check.patterns.begin(), check.patterns.end(), [&](const FilterPattern &one) -> bool {
            return one.how == FilterPattern::How::Start ? idFits(one, id, isUuid)
                                                        : holdsFolded(type, one.text);
        });
}

Truth taskMeets(const FieldCheck &check, const std::optional<TaskState> &task)
{
    if (!task)
        return Truth::Unknown;
    if (check.field == Field::Dedup)
        return truth(check.words.contains(*task == TaskState::None ? u"free"_s : u"held"_s));
    return truth(std::any_of(check.words.begin(), check.words.end(), [&](const QString &word) {
        if (word == "any"_L1 || word == "none"_L1)
            return (*task == TaskState::None) == (word == "none"_L1);
        return taskStateFromWord(word) == task;
    }));
}

std::optional<double> waitOf(const Message &row)
{
    if (!row.processed)
        return row.ageSeconds;
    return row.created ? seconds(*row.created, *row.processed) : std::nullopt;
}

/// What the check says before its negation.
Truth rowMeets(const FieldCheck &check, const Message &row, const std::optional<TaskState> &task,
               bool uuidKeys, CheckedPayload &payload)
{
    switch (check.field) {
    case Field::Word:
        return truth(wordMeets(check, row.id.text, row.type, uuidKeys));
    case Field::State:
        return truth(check.words.contains(word(row.state)));
    case Field::Id:
        return truth(idMeets(check, row.id.text, uuidKeys));
    case Field::Type:
        return truth(meets(check, row.type));
    case Field::Queue:
        return truth(meets(check, row.queue));
    case Field::Created:
        return truth(meets(check, row.created));
    case Field::Processed:
        return truth(meets(check, row.processed));
    case Field::Age:
        return truth(meets(check, row.ageSeconds));
    case Field::Wait:
        return truth(meets(check, waitOf(row)));
    case Field::Attempts:
        return truth(
            meets(check, row.attempts ? std::optional<double>(*row.attempts) : std::nullopt));
    case Field::Error:
        return truth(meets(check, row.error));
    case Field::Cause:
        return truth(meets(check, causeOf(row.error)));
    case Field::Locked:
        return truth(row.state == MessageState::Locked ? check.orGiven : check.orMissing);
    case Field::Owner:
        return truth(meets(check, row.lockedBy ? row.lockedBy->application : QString()));
    case Field::LockAge:
        return truth(meets(check, row.lockedBy ? row.lockedBy->sinceSeconds : std::nullopt));
    case Field::Size: // the length of a referenced row that is gone is not known
        return truth(meets(
            check, row.payloadBytes < 0 ? std::nullopt : std::optional<double>(row.payloadBytes)));
    case Field::Task:
    case Field::Dedup:
        return taskMeets(check, task);
    case Field::Payload:
        return payload.meets(check);
    default:
        return Truth::Unknown;
    }
}

Truth taskTruth(const FieldCheck &check, const Task &task, const QDateTime &now,
                CheckedPayload &payload)
{
    const auto inState = [&]() -> std::optional<QDateTime> {
        switch (task.state) {
        case TaskState::Archived:
            return task.archivedAt;
        case TaskState::Completed:
            return task.completedAt;
        case TaskState::Retry:
            return task.lastFailed;
        default:
            return task.pendingSince;
        }
    };
    switch (check.field) {
    case Field::Word:
        return truth(wordMeets(check, task.id.text, task.type, false));
    case Field::State:
        return truth(std::any_of(check.words.begin(), check.words.end(), [&](const QString &word) {
            return taskStateFromWord(word) == task.state;
        }));
    case Field::Id:
        return truth(idMeets(check, task.id.text, false));
    case Field::Type:
        return truth(meets(check, task.type));
    case Field::Queue:
        return truth(meets(check, task.queue.text));
    case Field::Error:
        return truth(meets(check, task.lastError));
    case Field::Cause:
        return truth(meets(check, causeOf(task.lastError)));
    case Field::Failed:
        return truth(meets(check, task.lastFailed));
    case Field::Age: {
        const auto since = inState();
        return truth(meets(check, since ? seconds(*since, now) : std::nullopt));
    }
    case Field::Attempts:
        return truth(meets(check, std::optional<double>(task.retried)));
    case Field::Max:
        return truth(meets(check, std::optional<double>(task.maxRetry)));
    case Field::Next:
        return truth(meets(check, task.nextRun));
    case Field::Since:
        return truth(meets(check, task.pendingSince));
    case Field::Completed:
        return truth(meets(check, task.completedAt));
    case Field::Expires:
        return truth(meets(check, task.keptUntil));
    case Field::Size:
        return truth(meets(check, std::optional<double>(task.payloadBytes)));
    case Field::Payload:
        return payload.meets(check);
    default:
        return Truth::Unknown;
    }
}

void addNeeds(const CheckNode &node, FilterNeeds &needs)
{
    for (const CheckNode &part : node.parts)
        addNeeds(part, needs);
    if (node.kind != FilterNode::Kind::Term)
        return;
    const Field field = node.check.field;
    needs.payload = needs.payload || field == Field::Payload;
    needs.queue = needs.queue || field == Field::Task || field == Field::Dedup;
    needs.columns = needs.columns || field == Field::Due || field == Field::Max
        || field == Field::Header || field == Field::Column;
}

} // namespace

Truth truthOf(const CheckNode &node, const std::function<Truth(const FieldCheck &)> &test)
{
    switch (node.kind) {
    case FilterNode::Kind::Term:
        return node.check.negated ? opposite(test(node.check)) : test(node.check);
    case FilterNode::Kind::Not:
        return opposite(truthOf(node.parts.first(), test));
    case FilterNode::Kind::All:
    case FilterNode::Kind::Any:
        break;
    }
    const Truth decides = node.kind == FilterNode::Kind::All ? Truth::No : Truth::Yes;
    Truth sum = opposite(decides);
    for (const CheckNode &part : node.parts) {
        const Truth one = truthOf(part, test);
        if (one == decides)
            return decides;
        if (one == Truth::Unknown)
            sum = Truth::Unknown;
    }
    return sum;
}

FilterNeeds needsOf(const CheckNode &checks)
{
    FilterNeeds needs;
    addNeeds(checks, needs);
    return needs;
}

const FieldCheck *firstThatNeeds(const CheckNode &checks, bool FilterNeeds::*need)
{
    if (checks.kind == FilterNode::Kind::Term)
        return needsOf(checks).*need ? &checks.check : nullptr;
    for (const CheckNode &part : checks.parts) {
        if (const FieldCheck *found = firstThatNeeds(part, need))
            return found;
    }
    return nullptr;
}

Truth truthOf(const CheckNode &checks, const Message &row, bool uuidKeys,
              const std::optional<TaskState> &task)
{
    CheckedPayload payload(row.payload, row.payloadBytes);
    return truthOf(checks, [&](const FieldCheck &check) {
        return rowMeets(check, row, task, uuidKeys, payload);
    });
}

Truth truthOf(const CheckNode &checks, const Task &task, const QDateTime &now)
{
    CheckedPayload payload(task.payload, task.payloadBytes);
    return truthOf(checks,
                   [&](const FieldCheck &check) { return taskTruth(check, task, now, payload); });
}

bool meets(const FieldCheck &check, const QString &text)
{
    if (text.isEmpty())
        return check.orMissing;
    return check.orGiven
        || std::any_of(check.patterns.begin(), check.patterns.end(),
                       [&text](const FilterPattern &one) { return one.fits(text); });
}

bool meets(const FieldCheck &check, const std::optional<QDateTime> &at)
{
    return meets(check, at ? std::optional<double>(at->toMSecsSinceEpoch()) : std::nullopt);
}

bool meets(const FieldCheck &check, const std::optional<double> &number)
{
    if (!number)
        return check.orMissing;
    return check.orGiven
        || std::any_of(check.spans.begin(), check.spans.end(),
                       [&](const FilterSpan &span) { return span.has(*number); });
}

} // namespace outbox
