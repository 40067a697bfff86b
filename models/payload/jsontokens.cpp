// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/jsontokens.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using NodeKind = JsonNode::Kind;

constexpr int deepestJson = 256;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

int hexValue(char c)
{
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/// Cuts the source into tokens; knows nothing of nesting.
class Scanner
{
public:
    explicit Scanner(const QByteArray &source) : m_source(source) { }

    [[nodiscard]] qsizetype at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_source.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_source.at(m_at); }

    void skipBlanks()
    {
        while (!atEnd() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
            ++m_at;
    }

    bool take(char c)
    {
        if (atEnd() || peek() != c)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(QByteArrayView word)
    {
        if (!QByteArrayView(m_source).sliced(m_at).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }

    bool takeString()
    {
        if (!take('"'))
            return false;
        while (!atEnd()) {
            const char c = m_source.at(m_at++);
            if (c == '"')
                return true;
            if (static_cast<unsigned char>(c) < 0x20)
                return back();
            if (c == '\\' && !takeEscape())
                return false;
        }
        return false;
    }

    bool takeNumber()
    {
        take('-');
        if (!take('0') && !takeDigits())
            return false;
        if (take('.') && !takeDigits())
            return false;
        if (peek() == 'e' || peek() == 'E') {
            ++m_at;
            if (!take('+'))
                take('-');
            return takeDigits();
        }
        return true;
    }

private:
    bool back()
    {
        --m_at; // the error points at the character itself
        return false;
    }

    bool takeDigits()
    {
        const qsizetype first = m_at;
        while (!atEnd() && isDigit(peek()))
            ++m_at;
        return m_at > first;
    }

    bool takeEscape()
    {
        if (atEnd())
            return false;
        const char c = m_source.at(m_at++);
        if (c != 'u')
            return QByteArrayView("\"\\/bfnrt").contains(c) || back();
        for (int digit = 0; digit < 4; ++digit) {
            if (hexValue(peek()) < 0)
                return false;
            ++m_at;
        }
        return true;
    }

    QByteArray m_source;
    qsizetype m_at = 0;
};

/// Builds the tree with a stack of its own: depth is a limit, not a matter of the program's stack.
class JsonReader
{
public:
    JsonReader(const QByteArray &source, qsizetype mostNodes)
        : m_scan(source), m_mostNodes(mostNodes)
    {
        m_tree.source = source;
    }

    [[nodiscard]] Result<JsonTree> read();

private:
    [[nodiscard]] bool readValue();
    [[nodiscard]] bool readName();
    [[nodiscard]] bool closeContainers();
    int append(NodeKind kind, qsizetype at);
    [[nodiscard]] bool expect(const QString &what)
    {
        m_expected = what;
        return false;
    }
    [[nodiscard]] tl::unexpected<Error> failure() const;

    Scanner m_scan;
    qsizetype m_mostNodes;
    JsonTree m_tree;
    QList<int> m_open;
    qsizetype m_keyAt = -1;
    qsizetype m_keyLength = 0;
    QString m_expected;
    QString m_beyond;
};

int JsonReader::append(NodeKind kind, qsizetype at)
{
    const int number = static_cast<int>(m_tree.nodes.size());
    JsonNode node;
    node.kind = kind;
    node.at = at;
    node.keyAt = std::exchange(m_keyAt, -1);
    node.keyLength = std::exchange(m_keyLength, 0);
    if (!m_open.isEmpty()) {
        JsonNode &parent = m_tree.nodes[m_open.last()];
        node.parent = m_open.last();
        node.row = static_cast<int>(parent.children.size());
        parent.children.append(number);
    }
    m_tree.nodes.append(std::move(node));
    return number;
}

bool JsonReader::readValue()
{
    m_scan.skipBlanks();
    const qsizetype at = m_scan.at();
    const char c = m_scan.peek();
    if (m_tree.nodes.size() >= m_mostNodes) {
        m_beyond = u"more than %1 values"_s.arg(m_mostNodes);
        return false;
    }
    if (m_scan.take('{') || m_scan.take('[')) {
        if (m_open.size() >= deepestJson) {
            m_beyond = u"nested deeper than %1"_s.arg(deepestJson);
            return false;
        }
        m_open.append(append(c == '{' ? NodeKind::Object : NodeKind::Array, at));
        return true;
    }
    std::optional<NodeKind> kind;
    if (c == '"') {
        if (!m_scan.takeString())
            return expect(m_scan.atEnd() ? u"the end of a string"_s : u"a sound string"_s);
        kind = NodeKind::String;
    } else if (c == '-' || isDigit(c)) {
        if (!m_scan.takeNumber())
            return expect(u"a digit"_s);
        kind = NodeKind::Number;
    } else if (m_scan.takeWord("true")) {
        kind = NodeKind::True;
    } else if (m_scan.takeWord("false")) {
        kind = NodeKind::False;
    } else if (m_scan.takeWord("null")) {
        kind = NodeKind::Null;
    }
    if (!kind)
        return expect(u"a value"_s);
    const int number = append(*kind, at);
    m_tree.nodes[number].length = m_scan.at() - at;
    return true;
}

bool JsonReader::readName()
{
    m_scan.skipBlanks();
    m_keyAt = m_scan.at();
    if (!m_scan.takeString())
        return expect(u"a name in quotes"_s);
    m_keyLength = m_scan.at() - m_keyAt;
    m_scan.skipBlanks();
    return m_scan.take(':') || expect(u"':'"_s);
}

/// Ends what ends here and steps over a comma; afterwards the next value may be read.
bool JsonReader::closeContainers()
{
    while (!m_open.isEmpty()) {
        JsonNode &open = m_tree.nodes[m_open.last()];
        m_scan.skipBlanks();
        const char end = open.kind == NodeKind::Object ? '}' : ']';
        if (m_scan.take(end)) {
            open.length = m_scan.at() - open.at;
            m_open.removeLast();
            continue;
        }
        const bool first = open.children.isEmpty();
        if (!first && !m_scan.take(','))
            return expect(u"',' or '%1'"_s.arg(QLatin1Char(end)));
        return open.kind == NodeKind::Array || readName();
    }
    return true;
}

Result<JsonTree> JsonReader::read()
{
    do {
        if (!readValue() || !closeContainers())
            return failure();
    } while (!m_open.isEmpty());
    m_scan.skipBlanks();
    if (!m_scan.atEnd()) {
        m_expected = u"the end"_s;
        return failure();
    }
    return std::move(m_tree);
}

tl::unexpected<Error> JsonReader::failure() const
{
    const QString doing = u"reading JSON"_s;
    if (!m_beyond.isEmpty())
        return fail(Error::Kind::Unsupported, doing, m_beyond);
    const QByteArrayView before = QByteArrayView(m_tree.source).first(m_scan.at());
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = before.size() - before.lastIndexOf('\n');
    return fail(Error::Kind::Invalid, doing,
                u"line %1, column %2: expected %3"_s.arg(line).arg(column).arg(m_expected));
}

QString unescaped(QByteArrayView quoted)
{
    const QByteArrayView inner = quoted.sliced(1, quoted.size() - 2);
    if (!inner.contains('\\'))
        return QString::fromUtf8(inner);
    QString text;
    qsizetype plain = 0;
    for (qsizetype at = 0; at < inner.size(); ++at) {
        if (inner.at(at) != '\\')
            continue;
        text += QString::fromUtf8(inner.sliced(plain, at - plain));
        const char c = inner.at(++at);
        if (c == 'u') {
            char16_t unit = 0;
            for (int digit = 1; digit <= 4; ++digit)
                unit = static_cast<char16_t>(unit * 16 + hexValue(inner.at(at + digit)));
            text += QChar(unit);
            at += 4;
        } else {
            const qsizetype which = QByteArrayView("bfnrt").indexOf(c);
            text += QLatin1Char(which < 0 ? c : "\b\f\n\r\t"[which]);
        }
        plain = at + 1;
    }
    return text + QString::fromUtf8(inner.sliced(plain));
}

} // namespace

QByteArrayView JsonTree::raw(const JsonNode &node) const
{
    return QByteArrayView(source).sliced(node.at, node.length);
}

QString JsonTree::key(const JsonNode &node) const
{
    if (node.keyAt < 0)
        return {};
    return unescaped(QByteArrayView(source).sliced(node.keyAt, node.keyLength));
}

QString JsonTree::text(const JsonNode &node) const
{
    return node.kind == NodeKind::String ? unescaped(raw(node)) : QString::fromUtf8(raw(node));
}

Result<JsonTree> readJson(const QByteArray &source, qsizetype mostBytes, qsizetype mostNodes)
{
    if (source.size() > mostBytes) {
        return fail(Error::Kind::Unsupported, u"reading JSON"_s,
                    u"%1 bytes are more than the %2 that are taken apart"_s.arg(source.size())
                        .arg(mostBytes));
    }
    return JsonReader(source, mostNodes).read();
}

QByteArray jsonString(const QString &text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.sliced(1, list.size() - 2);
}

} // namespace outbox
