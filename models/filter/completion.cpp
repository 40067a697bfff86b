// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/completion.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostSuggestions = 12;
constexpr qsizetype mostWords = 200;

/// Where the term begins that the cursor stands in; -1 inside of quotes.
int startOfTerm(const QString &text, int cursor)
{
    int start = 0;
    bool quoted = false;
    for (int at = 0; at < cursor; ++at) {
        const QChar c = text.at(at);
        if (quoted && c == u'\\')
            ++at;
        else if (c == u'"')
            quoted = !quoted;
        else if (!quoted && (c.isSpace() || c == u'(' || c == u')'))
            start = at + 1;
    }
    if (quoted)
        return -1;
    return start < cursor && text.at(start) == u'-' ? start + 1 : start;
}

class Suggestions
{
public:
    Suggestions(int from, QString typed) : m_from(from), m_typed(std::move(typed)) { }

    void add(const QString &text, const QString &about = {})
    {
        if (m_all.size() < mostSuggestions && text != m_typed
            && text.startsWith(m_typed, Qt::CaseInsensitive))
            m_all += {text, about, m_from, static_cast<int>(m_typed.size())};
    }
    /// Also where it is typed without its quote.
    void addText(const QString &text, const QString &about = {})
    {
        const QString value = asFilterValue(text);
        if (m_all.size() < mostSuggestions && value != m_typed
            && text.startsWith(m_typed, Qt::CaseInsensitive))
            m_all += {value, about, m_from, static_cast<int>(m_typed.size())};
    }
    [[nodiscard]] QList<FilterSuggestion> all() const { return m_all; }

private:
    int m_from;
    QString m_typed;
    QList<FilterSuggestion> m_all;
};

/// The sign one would write first behind a field.
QString usualSign(FilterKind kind)
{
    return kind == FilterKind::Duration || kind == FilterKind::Size || kind == FilterKind::Number
        ? u">"_s
        : u":"_s;
}

void suggestFields(Suggestions &suggestions, const QString &typed, FilterSubject subject,
                   const FilterWords &known)
{
    if (typed.startsWith(u"payload."_s)) {
        for (const QString &path : known.payloadPaths)
            suggestions.add(u"payload."_s + path + u':');
        return;
    }
    for (const FieldInfo &field : fieldsOf(subject)) {
        suggestions.add(field.name
                            + (field.kind == FilterKind::Value ? u"."_s : usualSign(field.kind)),
                        field.meaning);
    }
}

void suggestValues(Suggestions &suggestions, const FieldInfo &field, FilterSubject subject,
                   const FilterWords &known)
{
    if (field.field == FilterField::Type) {
        for (const auto &[type, count] : known.types)
            suggestions.addText(type, QString::number(count));
    }
    if (field.field == FilterField::Queue) {
        for (const QString &queue : known.queues)
            suggestions.addText(queue);
    }
    QStringList words;
    switch (field.kind) {
    case FilterKind::Words:
        words = wordsOf(subject, field.field);
        break;
    case FilterKind::Time:
        words = {u"today"_s, u"yesterday"_s, u"-15m"_s, u"-1h"_s, u"-24h"_s};
        break;
    case FilterKind::Duration:
        words = {u"30s"_s, u"5m"_s, u"1h"_s, u"1d"_s};
        break;
    case FilterKind::Size:
        words = {u"1k"_s, u"10k"_s, u"1M"_s};
        break;
    default:
        break;
    }
    for (const QString &word : std::as_const(words))
        suggestions.add(word);
    if (field.kind != FilterKind::Words) {
        suggestions.add(u"any"_s, u"not empty"_s);
        suggestions.add(u"none"_s, u"empty"_s);
    }
}

/// Reads names and depths off a document, of which the end may be missing.
class PathReader
{
public:
    explicit PathReader(const QByteArray &json) : m_json(json) { }

    QStringList paths(qsizetype most)
    {
        static const QRegularExpression writable(
            QRegularExpression::anchoredPattern(u"[\\p{L}_\\d][\\p{L}\\d_-]*"_s));
        for (m_at = 0; m_at < m_json.size() && m_paths.size() < most; ++m_at) {
            const char c = m_json.at(m_at);
            if (c == '{' || c == '[') {
                m_open += Level{c == '[', {}};
            } else if (c == '}' || c == ']') {
                if (!m_open.isEmpty())
                    m_open.removeLast();
            } else if (c == '"') {
                const auto text = string();
                if (!text || !isMember())
                    continue;
                m_open.last().name = writable.match(*text).hasMatch() ? *text : QString();
                if (const QString path = here(); !path.isEmpty() && !m_paths.contains(path))
                    m_paths += path;
            }
        }
        return m_paths;
    }

private:
    struct Level
    {
        bool isList = false;
        QString name;
    };

    /// The string that begins here, as it stands; nullopt where it has no end.
    std::optional<QString> string()
    {
        const qsizetype start = m_at + 1;
        for (qsizetype at = start; at < m_json.size(); ++at) {
            if (m_json.at(at) == '\\') {
                ++at;
            } else if (m_json.at(at) == '"') {
                m_at = at;
                return QString::fromUtf8(m_json.mid(start, at - start));
            }
        }
        m_at = m_json.size();
        return std::nullopt;
    }
    /// Whether a colon follows.
    [[nodiscard]] bool isMember() const
    {
        qsizetype at = m_at + 1;
        while (at < m_json.size() && (m_json.at(at) == ' ' || m_json.at(at) == '\n'))
            ++at;
        return at < m_json.size() && m_json.at(at) == ':' && !m_open.isEmpty()
            && !m_open.last().isList;
    }
    /// The path of the member that was just named; empty where a filter cannot write it.
    [[nodiscard]] QString here() const
    {
        QString path;
        for (const Level &level : m_open) {
            if (level.isList) {
                path += u"[0]"_s;
                continue;
            }
            if (level.name.isEmpty())
                return {};
            path += (path.isEmpty() ? QString() : u"."_s) + level.name;
        }
        return path;
    }

    const QByteArray &m_json;
    qsizetype m_at = 0;
    QList<Level> m_open;
    QStringList m_paths;
};

/// Gathers what is known of rows or tasks, one after another; the limits are those of a menu.
class WordCount
{
public:
    void add(const QString &type, const QString &queue, const QByteArray &payload)
    {
        if (!type.isEmpty() && (m_types.size() < mostWords || m_types.contains(type)))
            ++m_types[type];
        if (!queue.isEmpty() && !m_words.queues.contains(queue)
            && m_words.queues.size() < mostWords)
            m_words.queues += queue;
        if (m_words.payloadPaths.size() >= mostWords)
            return;
        for (const QString &path : payloadPaths(payload)) {
            if (!m_words.payloadPaths.contains(path))
                m_words.payloadPaths += path;
        }
    }
    [[nodiscard]] FilterWords sorted()
    {
        for (auto type = m_types.cbegin(); type != m_types.cend(); ++type)
            m_words.types += {type.key(), type.value()};
        std::sort(m_words.types.begin(), m_words.types.end(), [](const auto &a, const auto &b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
        return std::move(m_words);
    }

private:
    QHash<QString, qint64> m_types;
    FilterWords m_words;
};

} // namespace

QStringList payloadPaths(const QByteArray &prefix, qsizetype most)
{
    // A list on top has no name to begin a path with.
    return prefix.trimmed().startsWith('{') ? PathReader(prefix).paths(most) : QStringList();
}

FilterWords wordsOf(const QList<Message> &rows)
{
    WordCount words;
    for (const Message &row : rows)
        words.add(row.type, row.queue, row.payload);
    return words.sorted();
}

FilterWords wordsOf(const QList<Task> &tasks)
{
    WordCount words;
    for (const Task &task : tasks)
        words.add(task.type, task.queue.text, task.payload);
    return words.sorted();
}

QList<FilterSuggestion> suggestionsFor(const QString &text, int cursor, FilterSubject subject,
                                       const FilterWords &known)
{
    const int start = startOfTerm(text, qBound(0, cursor, static_cast<int>(text.size())));
    if (start < 0)
        return {};
    const QString typed = text.mid(start, cursor - start);
    static const QRegularExpression sign(u"!=|!~|<=|>=|[:=<>~]"_s);
    const auto found = sign.match(typed);
    if (!found.hasMatch()) {
        Suggestions fields(start, typed);
        suggestFields(fields, typed, subject, known);
        return fields.all();
    }
    FilterTerm term;
    term.field = typed.left(found.capturedStart()).toLower();
    const FieldInfo *field = fieldNamed(subject, term.name());
    if (!field)
        return {};
    const qsizetype comma = typed.lastIndexOf(u',');
    const qsizetype dots = typed.lastIndexOf(u".."_s);
    const int value = start
        + static_cast<int>(std::max({found.capturedEnd(), comma + 1,
                                     dots >= found.capturedEnd() ? dots + 2 : qsizetype(0)}));
    Suggestions values(value, text.mid(value, cursor - value));
    suggestValues(values, *field, subject, known);
    return values.all();
}

QString asFilterValue(const QString &text)
{
    static const QRegularExpression plain(QRegularExpression::anchoredPattern(
        u"(?!none$|any$)[^\\s,()\"\\\\.*?]+(\\.[^\\s,()\"\\\\.*?]+)*"_s));
    if (plain.match(text).hasMatch())
        return text;
    QString inner = text;
    return u'"' + inner.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s) + u'"';
}

namespace {

/// The last term of the filter, which is the one that is being typed.
const FilterTerm *lastTerm(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return &node.term;
    return node.parts.isEmpty() ? nullptr : lastTerm(node.parts.last());
}

bool consistsOf(QStringView text, QStringView letters)
{
    return std::all_of(text.begin(), text.end(),
                       [letters](QChar c) { return letters.contains(c); });
}

bool begins(const QStringList &words, const QString &text)
{
    return std::any_of(words.begin(), words.end(), [&text](const QString &word) {
        return word.startsWith(text, Qt::CaseInsensitive);
    });
}

/// Whether a value could become one of its field when more is typed.
bool mayBecome(const FieldInfo &info, FilterSubject subject, const QString &text)
{
    switch (info.kind) {
    case FilterKind::Words:
        return begins(wordsOf(subject, info.field), text);
    case FilterKind::Presence:
        return begins({u"any"_s, u"none"_s}, text);
    case FilterKind::Number:
    case FilterKind::Size:
    case FilterKind::Duration:
    case FilterKind::Value:
        return consistsOf(text, u"-0123456789.") || begins({u"any"_s, u"none"_s}, text);
    case FilterKind::Time:
        return consistsOf(text, u"-0123456789:.TZ+")
            || begins({u"today"_s, u"yesterday"_s, u"any"_s, u"none"_s}, text);
    case FilterKind::Text:
    case FilterKind::Start:
        break;
    }
    return false;
}

/// Whether the fault is in the value at the very end, and may go away by going on.
bool isBeingTyped(const Filter &filter, FilterSubject subject, const Error &fault, qsizetype size)
{
    const FilterTerm *term = lastTerm(filter.root);
    if (!term || term->isWord() || term->position + term->length < size)
        return false;
    const FieldInfo *info = fieldNamed(subject, term->name());
    const FilterValue &value = term->values.last();
    if (!info || value.quoted)
        return false;
    if (value.isRange())
        return fault.position >= value.endPosition() && mayBecome(*info, subject, value.to);
    return fault.position >= value.position && mayBecome(*info, subject, value.text);
}

} // namespace

FilterReading readFilter(const QString &text, FilterSubject subject, const QDateTime &now)
{
    FilterReading reading;
    std::optional<FilterTerm> unfinished;
    const auto filter = Filter::fromText(text, &unfinished);
    if (!filter) {
        reading.status = unfinished ? FilterStatus::Incomplete : FilterStatus::Wrong;
        reading.fault = filter.error();
        if (unfinished && !unfinished->isWord() && !fieldNamed(subject, unfinished->name())) {
            // No value makes a field of it.
            reading.status = FilterStatus::Wrong;
            reading.fault = fieldFault(*unfinished, subject).value();
        }
        return reading;
    }
    auto checks = checksOf(*filter, subject, now);
    if (!checks) {
        reading.fault = checks.error();
        reading.status = isBeingTyped(*filter, subject, checks.error(), text.size())
            ? FilterStatus::Incomplete
            : FilterStatus::Wrong;
        return reading;
    }
    reading.checks = *std::move(checks);
    return reading;
}

} // namespace outbox
