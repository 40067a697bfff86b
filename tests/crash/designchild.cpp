// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The receiver of one message, or the relay of its document, as a process that can be killed: names
// every point it passes, and says "at" where it stands until a line comes from stdin.
#include "app/designs/documentrelay.h"
#include "app/designs/messagehandler.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/redis/documents/dedupkeys.h"
#include "connectors/redis/documents/tokenset.h"
#include "connectors/sql/documents/deduptable.h"
#include "connectors/sql/documents/tokentable.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <cstdio>
#include <unistd.h>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostDeliveries = 20;

/// Passes points by number, and stands still at one of them.
class Points
{
public:
    explicit Points(int stopAt) : m_stopAt(stopAt) { }

    void pass(const char *point)
    {
        std::printf("point %s\n", point);
        if (m_passed++ != m_stopAt) {
            std::fflush(stdout);
            return;
        }
        std::puts("at");
        std::fflush(stdout);
        char byte = 0;
        while (byte != '\n') {
            if (::read(STDIN_FILENO, &byte, 1) == 0)
                ::_exit(9); // the end of our parent is the end of us
        }
    }

private:
    int m_stopAt;
    int m_passed = 0;
};

/// Counts how often it was applied, and makes two messages that are other ones each time it runs.
Result<BusinessResult> business(const QByteArray &document)
{
    QJsonObject state = QJsonDocument::fromJson(document).object();
    state[u"Applied"_s] = state[u"Applied"_s].toInt() + 1;
    QJsonArray messages;
    for (const QString &type : {u"paid"_s, u"mail"_s}) {
        const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        messages += QJsonObject{
            {u"id"_s, id}, {u"type"_s, type}, {u"payload"_s, QJsonObject{{u"message"_s, id}}}};
    }
    return BusinessResult{QJsonDocument(state).toJson(QJsonDocument::Compact),
                          QJsonDocument(messages).toJson(QJsonDocument::Compact)};
}

/// A store whose reads are stale: it has never heard of anything.
class StaleStore : public DedupStore
{
public:
    explicit StaleStore(DedupStore &store) : m_store(store) { }
    [[nodiscard]] Result<QSet<QString>> have(const QStringList & /*ids*/) override
    {
        return QSet<QString>();
    }
    [[nodiscard]] Result<void> add(const QString &id) override { return m_store.add(id); }
    [[nodiscard]] StoreDurability trust() const override { return m_store.trust(); }

private:
    DedupStore &m_store;
};

/// Tokens whose reads are stale: whatever was there once is there still.
class StaleTokens : public TokenStore
{
public:
    explicit StaleTokens(TokenStore &store) : m_store(store) { }
    [[nodiscard]] Result<QSet<QString>> have(const QStringList &tokens) override
    {
        return QSet<QString>(tokens.begin(), tokens.end());
    }
    [[nodiscard]] Result<void> create(const QList<Token> &tokens) override
    {
        return m_store.create(tokens);
    }
    [[nodiscard]] Result<bool> consume(const QString &token) override
    {
        return m_store.consume(token);
    }
    [[nodiscard]] StoreDurability trust() const override { return m_store.trust(); }
    [[nodiscard]] Result<QList<Token>> page(QString &cursor, int limit) override
    {
        return m_store.page(cursor, limit);
    }

private:
    TokenStore &m_store;
};

int failed(const Error &error)
{
    std::fprintf(stderr, "%s\n", qPrintable(oneLine(error)));
    return 3;
}

QList<HandlerStep> stepsFrom(const QString &numbers)
{
    QList<HandlerStep> steps;
    for (const QString &number : numbers.split(u',', Qt::SkipEmptyParts))
        steps += static_cast<HandlerStep>(number.toInt());
    return steps;
}

/// A copy comes again until it is acknowledged.
int handle(MessageHandler &handler, const IncomingMessage &incoming)
{
    for (int i = 0; i < mostDeliveries; ++i) {
        const auto handled = handler.handle(incoming);
        if (!handled)
            return failed(handled.error());
        if (*handled != MessageHandler::Handled::Conflict)
            return 0;
    }
    std::fputs("conflicts without end\n", stderr);
    return 3;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    for (const char *name : {"database", "redis", "design", "document", "incoming", "steps",
                             "stop-at", "done", "ttl", "token"})
        parser.addOption({QString::fromLatin1(name), {}, u"VALUE"_s});
    parser.addOptions({{u"relay"_s, {}}, {u"stale"_s, {}}});
    parser.process(app);

    const auto url = DatabaseUrl::fromUrl(parser.value(u"database"_s));
    if (!url)
        return failed(url.error());
    const auto redis = RedisEndpoint::fromUrl(parser.value(u"redis"_s));
    if (!redis)
        return failed(redis.error());
    StoreSettings settings;
    settings.url = *url;
    settings.access = StoreAccess::Relay;
    settings.applicationName = u"design-child"_s;
    DocumentShape shape;
    shape.table = TableName::fromText(u"entities"_s);
    DocumentStore documents;
    if (auto opened = documents.open(settings, shape); !opened)
        return failed(opened.error());
    AsynqQueue queue;
    if (auto opened = queue.open(*redis, u"design-child"_s); !opened)
        return failed(opened.error());

    DedupTable doneTable;
    DedupKeys doneKeys;
    DedupStore *done = nullptr;
    TokenTable tokenTable;
    TokenSet tokenSet;
    TokenStore *tokens = nullptr;
    const QString store = parser.value(u"done"_s);
    if (store == u"tokens table") {
        DoneTable names;
        names.table = TableName::fromText(u"tokens"_s);
        names.attemptColumn = u"attempt"_s;
        names.incomingColumn = u"incoming"_s;
        if (auto opened = tokenTable.open(settings, names); !opened)
            return failed(opened.error());
        tokens = &tokenTable;
    } else if (store == u"tokens set") {
        if (auto opened
            = tokenSet.open(*redis, RedisConnection::Access::Act, u"design-child"_s, {"tokens", 0});
            !opened)
            return failed(opened.error());
        tokens = &tokenSet;
    } else if (store == u"table") {
        DoneTable names;
        names.table = TableName::fromText(u"done"_s);
        if (auto opened = doneTable.open(settings, names); !opened)
            return failed(opened.error());
        done = &doneTable;
    } else if (store == u"keys") {
        const DoneKeys names{"done:", parser.value(u"ttl"_s).toLongLong()};
        if (auto opened
            = doneKeys.open(*redis, RedisConnection::Access::Act, u"design-child"_s, names);
            !opened)
            return failed(opened.error());
        done = &doneKeys;
    }
    std::optional<StaleStore> stale;
    if (done && parser.isSet(u"stale"_s))
        done = &stale.emplace(*done);
    std::optional<StaleTokens> staleTokens;
    if (tokens && parser.isSet(u"stale"_s))
        tokens = &staleTokens.emplace(*tokens);

    Points points(parser.isSet(u"stop-at"_s) ? parser.value(u"stop-at"_s).toInt() : -1);
    const auto pass = [&points](const char *point) { points.pass(point); };
    const Design design = designFromWord(parser.value(u"design"_s)).value_or(Design::EntityState);
    const DispatchRules rules{{u"default"_s}, 3600};
    const QString document = parser.value(u"document"_s);
    const QString incoming = parser.value(u"incoming"_s);
    if (parser.isSet(u"relay"_s)) {
        DocumentRelay relay({&documents, &queue, done, tokens, pass}, design, rules);
        const auto settled = relay.settle(document, {incoming});
        return settled ? 0 : failed(settled.error());
    }
    MessageHandler handler({&documents, &queue, done, tokens, pass}, business, design, rules,
                           stepsFrom(parser.value(u"steps"_s)));
    return handle(handler, {incoming, document, parser.value(u"token"_s)});
}
