// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/designs/outboxstate.h"

#include "models/enumtext.h"

#include <QSet>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// These documents grow without bound: that is the weakness of the design.
constexpr qsizetype mostStateBytes = qsizetype(64) * 1024 * 1024;
constexpr qsizetype mostStateNodes = 2'000'000;

using NodeKind = JsonNode::Kind;

constexpr auto entryStates = enumTexts<OutboxEntry::State>({
    {OutboxEntry::State::Undispatched, u"undispatched"},
    {OutboxEntry::State::Dispatched, u"dispatched"},
    {OutboxEntry::State::Malformed, u"malformed"},
});

qsizetype endOf(const JsonNode &node)
{
    return node.at + node.length;
}

Failure broken(const QString &doing, const QString &text)
{
    return fail(Error::Kind::Invalid, doing, text);
}

/// A text in ISO 8601 or a number.
std::optional<QDateTime> timeOf(const JsonTree &tree, const JsonNode &node)
{
    if (node.kind == NodeKind::String) {
        const QDateTime time = QDateTime::fromString(tree.text(node), Qt::ISODateWithMs);
        return time.isValid() ? std::optional(time.toUTC()) : std::nullopt;
    }
    bool ok = false;
    const double number = node.kind == NodeKind::Number ? tree.raw(node).toDouble(&ok) : 0;
    return ok ? timeOfNumber(number) : std::nullopt;
}

} // namespace

std::optional<QDateTime> timeOfNumber(double number)
{
    constexpr double mostSeconds = 1e11; // the year 5138
    double seconds = number;
    for (int finer = 0; finer < 3 && std::abs(seconds) >= mostSeconds; ++finer)
        seconds /= 1000;
    if (!(std::abs(seconds) < mostSeconds)) // NaN, too
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000), Qt::UTC);
}

QString word(OutboxEntry::State state)
{
    return entryStates.word(state);
}

Result<OutboxState> OutboxState::read(const QByteArray &json, const DocumentShape &shape)
{
    auto tree = TRY(readJson(json, mostStateBytes, mostStateNodes));
    OutboxState state;
    state.m_shape = shape;
    state.m_tree = std::move(tree);
    TRY(state.findMap());
    state.readEntries();
    return state;
}

const JsonNode *OutboxState::member(const JsonNode &object, const QString &name) const
{
    for (const int child : object.children) {
        const JsonNode &node = m_tree.nodes.at(child);
        if (m_tree.key(node) == name)
            return &node;
    }
    return nullptr;
}

Result<void> OutboxState::findMap()
{
    const QString doing = u"looking for %1"_s.arg(m_shape.mapPath.join(u'.'));
    if (m_tree.nodes.first().kind != NodeKind::Object)
        return broken(doing, u"the document is no JSON object"_s);
    int at = 0;
    for (const QString &name : m_shape.mapPath) {
        int next = -1;
        for (const int child : m_tree.nodes.at(at).children) {
            if (m_tree.key(m_tree.nodes.at(child)) != name)
                continue;
            if (next >= 0) // who reads the other one would not see what we write
                return broken(doing, u"\"%1\" stands twice in the document"_s.arg(name));
            next = child;
        }
        if (next < 0)
            return {};
        if (m_tree.nodes.at(next).kind != NodeKind::Object)
            return broken(doing, u"\"%1\" is no object"_s.arg(name));
        at = m_deepest = next;
        ++m_found;
    }
    m_map = at;
    return {};
}

void OutboxState::readEntries()
{
    if (m_map < 0)
        return;
    QHash<QString, qsizetype> places;
    for (const int child : m_tree.nodes.at(m_map).children) {
        OutboxEntry entry = entryOf(m_tree.nodes.at(child));
        const auto before = places.constFind(entry.incoming);
        if (before != places.constEnd()) {
            entry.state = m_entries[*before].state = OutboxEntry::State::Malformed;
            entry.problem = m_entries[*before].problem = u"the entry stands twice in the map"_s;
        }
        places.insert(entry.incoming, m_entries.size());
        m_entries += entry;
    }
}

OutboxEntry OutboxState::entryOf(const JsonNode &node) const
{
    OutboxEntry entry;
    entry.incoming = m_tree.key(node);
    entry.json = m_tree.raw(node).toByteArray();
    const JsonNode *messages = &node;
    if (node.kind == NodeKind::Object) {
        messages = member(node, m_shape.messagesMember);
        if (!messages) {
            entry.problem = u"it has no \"%1\""_s.arg(m_shape.messagesMember);
            return entry;
        }
        if (const JsonNode *time
            = m_shape.timeMember.isEmpty() ? nullptr : member(node, m_shape.timeMember))
            entry.made = timeOf(m_tree, *time);
        if (const JsonNode *token = member(node, m_shape.tokenMember))
            entry.token = m_tree.text(*token);
    }
    if (messages->kind == NodeKind::Null)
        entry.state = OutboxEntry::State::Dispatched;
    else if (messages->kind == NodeKind::Array)
        readMessages(*messages, entry);
    else
        entry.problem = u"its messages are neither a list nor null"_s;
    return entry;
}

void OutboxState::readMessages(const JsonNode &list, OutboxEntry &entry) const
{
    QSet<QString> ids;
    for (const int child : list.children) {
        QString problem;
        const auto message = messageOf(m_tree.nodes.at(child), problem);
        if (message && ids.contains(message->id)) // the queue would swallow the second one
            problem = u"its id was used by one before"_s;
        if (!problem.isEmpty()) {
            entry.problem
                = u"message %1: %2"_s.arg(QString::number(entry.messages.size() + 1), problem);
            entry.messages.clear();
            return;
        }
        ids.insert(message->id);
        entry.messages += *message;
    }
    entry.state = OutboxEntry::State::Undispatched;
}

std::optional<OutgoingMessage> OutboxState::messageOf(const JsonNode &node, QString &problem) const
{
    if (node.kind != NodeKind::Object) {
        problem = u"it is no object"_s;
        return std::nullopt;
    }
    OutgoingMessage message;
    const auto text = [&](const QString &name, bool isNeeded, QString &value) {
        const JsonNode *found = name.isEmpty() ? nullptr : member(node, name);
        if (found && found->kind == NodeKind::String)
            value = m_tree.text(*found);
        if (value.trimmed().isEmpty() && isNeeded)
            problem = u"it has no text \"%1\""_s.arg(name);
    };
    text(m_shape.tokenMember, false, message.token);
    text(m_shape.queueMember, false, message.queue);
    text(m_shape.typeMember, true, message.type);
    text(m_shape.idMember, true, message.id);
    if (!problem.isEmpty())
        return std::nullopt;
    if (const JsonNode *payload = member(node, m_shape.payloadMember)) {
        message.payload = payload->kind == NodeKind::String ? m_tree.text(*payload).toUtf8()
                                                            : m_tree.raw(*payload).toByteArray();
    }
    return message;
}

const OutboxEntry *OutboxState::entry(const QString &incoming) const
{
    for (const OutboxEntry &one : m_entries) {
        if (one.incoming == incoming)
            return &one;
    }
    return nullptr;
}

Result<const JsonNode *> OutboxState::sound(const QString &incoming, const QString &doing) const
{
    const OutboxEntry *found = entry(incoming);
    if (!found)
        return broken(doing, u"the document has no entry \"%1\""_s.arg(incoming));
    if (found->state == OutboxEntry::State::Malformed)
        return broken(doing, u"entry \"%1\": %2"_s.arg(incoming, found->problem));
    return member(m_tree.nodes.at(m_map), incoming);
}

QByteArray OutboxState::spliced(qsizetype from, qsizetype to, const QByteArray &text) const
{
    return m_tree.source.first(from) + text + m_tree.source.sliced(to);
}

Result<QByteArray> OutboxState::withDispatched(const QString &incoming) const
{
    const auto node = TRY(sound(incoming, u"nulling the messages of an entry"_s));
    const JsonNode *messages = messagesOf(*node);
    return spliced(messages->at, endOf(*messages), "null");
}

const JsonNode *OutboxState::messagesOf(const JsonNode &entry) const
{
    return entry.kind == NodeKind::Object ? member(entry, m_shape.messagesMember) : &entry;
}

Result<QByteArray> OutboxState::withTokens(const QString &incoming, const QStringList &tokens) const
{
    const QString doing = u"writing the tokens of an entry"_s;
    const auto node = TRY(sound(incoming, doing));
    const QList<int> messages = messagesOf(*node)->children;
    if (messages.size() != tokens.size())
        return broken(doing,
                      u"%1 messages have %2 tokens"_s.arg(messages.size()).arg(tokens.size()));
    QByteArray changed = m_tree.source;
    for (qsizetype i = tokens.size() - 1; i >= 0; --i) { // from the end, so that places stay true
        const JsonNode &message = m_tree.nodes.at(messages.at(i));
        if (member(message, m_shape.tokenMember))
            return broken(doing, u"message %1 has a token"_s.arg(i + 1));
        changed.insert(endOf(message) - 1,
                       ',' + jsonString(m_shape.tokenMember) + ':' + jsonString(tokens.at(i)));
    }
    return changed;
}

Result<QByteArray> OutboxState::without(const QString &incoming) const
{
    const auto node = TRY(sound(incoming, u"removing an entry"_s));
    const QList<int> &siblings = m_tree.nodes.at(m_map).children;
    const int row = node->row;
    if (row + 1 < siblings.size()) // up to the next name, its comma with it
        return spliced(node->keyAt, m_tree.nodes.at(siblings.at(row + 1)).keyAt, {});
    const qsizetype from = row == 0 ? node->keyAt : endOf(m_tree.nodes.at(siblings.at(row - 1)));
    return spliced(from, endOf(*node), {});
}

Result<QByteArray> OutboxState::withNew(const QString &incoming, const QByteArray &json) const
{
    if (entry(incoming)) {
        return broken(u"adding an entry"_s, u"the document has \"%1\" already"_s.arg(incoming));
    }
    QByteArray added = jsonString(incoming) + ':' + json;
    for (qsizetype missing = m_shape.mapPath.size(); missing > m_found; --missing)
        added = jsonString(m_shape.mapPath.at(missing - 1)) + ":{" + added + '}';
    const JsonNode &place = m_tree.nodes.at(m_deepest);
    if (place.children.isEmpty())
        return spliced(place.at, endOf(place), '{' + added + '}');
    const qsizetype end = endOf(m_tree.nodes.at(place.children.last()));
    return spliced(end, end, ',' + added);
}

} // namespace outbox
