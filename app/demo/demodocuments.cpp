// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of the demos whose messages wait inside documents: handlers, of which some die.
#include "app/demo/demoshop.h"

#include "app/demo/demomessages.h"
#include "app/demo/demoworker.h"
#include "app/designs/documentreader.h"
#include "app/designs/documentrelay.h"
#include "app/designs/documentstores.h"
#include "app/designs/messagehandler.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/session/databasesession.h"
#include "models/profile/profile.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int firstMessages = 48;
constexpr int openOrders = 12;
constexpr int messagesPerOrder = 6; ///< on average, then it gets no more
constexpr int diesUnsent = 20; ///< one handler of so many
constexpr int diesUncleaned = 130;
constexpr int diesBetweenTokens = 55;
constexpr int settleAfterSeconds = 12;
constexpr int executedAfterSeconds = 3;
constexpr int settlerHeartbeatMs = 5'000;
constexpr int tokensAtOnce = 200;
constexpr qsizetype entriesAtOnce = 200;

const QueueName incomingQueue{u"orders"_s};

bool isDue(const QDateTime &since, int seconds)
{
    return since.secsTo(QDateTime::currentDateTimeUtc()) >= seconds;
}

class DemoDocuments : public DemoShop
{
public:
    [[nodiscard]] Result<void> open(const Profile &profile);

    [[nodiscard]] Result<int> write(int count) override;
    [[nodiscard]] Result<void> settle() override;

private:
    /// What a handler that died was about.
    struct Left
    {
        IncomingMessage incoming;
        QDateTime since;
    };

    [[nodiscard]] Result<void> makeTables(const StoreSettings &settings);
    [[nodiscard]] Result<void> connectAgain();
    [[nodiscard]] Result<void> handleOne();
    [[nodiscard]] Result<void> dispatchWhatWasLeft();
    [[nodiscard]] Result<void> redeliver();
    [[nodiscard]] Result<void> consumeExecuted();
    [[nodiscard]] MessageHandler handler(const QList<HandlerStep> &steps = {});
    /// The steps of the next handler: all of them, or those before it dies.
    [[nodiscard]] QList<HandlerStep> nextSteps();
    [[nodiscard]] Result<BusinessResult> business(const QByteArray &document);
    [[nodiscard]] QString nextOrder();

    DesignPlace m_place;
    DocumentStores m_stores;
    AsynqInspector m_queues;
    DemoWorker m_redelivery; ///< tokens: serves the queue that handlers take messages from
    bool m_isOpen = false;
    DemoMessages m_messages;
    UuidSource m_ids;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
    QStringList m_orders; ///< those that still get messages
    int m_order = 10'000;
    int m_handled = 0;
    QList<Left> m_left; ///< tokens: oldest first
    QString m_tokensCursor; ///< see TokenStore::page
    QDateTime m_nextHeartbeat;
};

Result<void> DemoDocuments::open(const Profile &profile)
{
    m_place = TRY(designPlaceOf(profile, {}, {}, u"demo-shop"_s));
    StoreSettings settings = m_place.act;
    settings.access = StoreAccess::Relay;
    TRY(makeTables(settings));
    TRY(connectAgain());
    for (int i = 0; i < firstMessages; ++i) {
        TRY(handleOne());
    }
    return {};
}

Result<void> DemoDocuments::makeTables(const StoreSettings &settings)
{
    const bool isFile = databaseOf(settings.url.dialect).isFile();
    const QString now = isFile
        ? u"datetime NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))"_s
        : u"timestamptz NOT NULL DEFAULT clock_timestamp()"_s;
    QStringList tables{
        u"CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, version bigint NOT NULL,"
        " document %1 NOT NULL)"_s.arg(isFile ? u"text"_s : u"jsonb"_s)};
    if (isFile)
        tables.prepend(u"PRAGMA journal_mode=WAL"_s);
    if (m_place.design == Design::DedupStore) {
        tables
            += u"CREATE TABLE IF NOT EXISTS done_messages (id text PRIMARY KEY, done_at %1)"_s.arg(
                now);
    }
    if (m_place.design == Design::Tokens) {
        tables += u"CREATE TABLE IF NOT EXISTS tokens (id text PRIMARY KEY, attempt text,"
                  " incoming text, made_at %1)"_s.arg(now);
    }
    DatabaseSession session;
    TRY(session.open(settings));
    for (const QString &table : std::as_const(tables)) {
        TRY(session->query({table, {}}, u"making the demo's tables"_s));
    }
    return {};
}

Result<void> DemoDocuments::connectAgain()
{
    if (m_isOpen)
        return {};
    TRY(m_stores.open(m_place, StoreAccess::Act));
    if (m_place.design == Design::Tokens) {
        TRY(m_queues.open(*m_place.lookRedis, m_place.sessionName));
        TRY(m_redelivery.open(*m_place.actRedis, {{incomingQueue.text, 1}}, 4));
    }
    m_isOpen = true;
    return {};
}

MessageHandler DemoDocuments::handler(const QList<HandlerStep> &steps)
{
    return {{&m_stores.documents(), &m_stores.queue(), m_stores.done(), m_stores.tokens(), {}},
            [this](const QByteArray &document) { return business(document); },
            m_place.design,
            m_place.rules,
            steps};
}

/// By count and not by chance: every demo shows each of them within its first seconds.
QList<HandlerStep> DemoDocuments::nextSteps()
{
    const bool isEntity = m_place.design == Design::EntityState;
    const auto upTo = [this](HandlerStep last) {
        QList<HandlerStep> steps = stepsOf(m_place.design);
        steps.resize(steps.indexOf(last) + 1);
        return steps;
    };
    const int n = ++m_handled;
    if (n % diesUnsent == 7)
        return upTo(HandlerStep::Persist);
    if (!isEntity && (n % diesUncleaned == 11 || n == 23 || n == 37))
        return upTo(HandlerStep::MarkDone);
    if (m_place.design == Design::Tokens && n % diesBetweenTokens == 15)
        return upTo(HandlerStep::CreateTokens);
    return {};
}

QString DemoDocuments::nextOrder()
{
    while (m_orders.size() < openOrders)
        m_orders += u"order-%1"_s.arg(++m_order);
    const int at = m_random.bounded(openOrders);
    return m_random.bounded(messagesPerOrder) == 0 ? m_orders.takeAt(at) : m_orders.at(at);
}

Result<BusinessResult> DemoDocuments::business(const QByteArray &document)
{
    QJsonObject order = QJsonDocument::fromJson(document).object();
    const DemoMessage message = m_messages.next();
    if (order.isEmpty())
        order = {{u"customer"_s, message.recipient}, {u"cents"_s, message.cents}};
    order[u"status"_s] = message.type.section(u':', 0, 0);
    order[u"changes"_s] = order.value(u"changes"_s).toInt() + 1;
    const QJsonObject outgoing{{u"id"_s, message.id},
                               {u"type"_s, message.type},
                               {u"payload"_s, QString::fromUtf8(message.payload)}};
    return BusinessResult{QJsonDocument(order).toJson(QJsonDocument::Compact),
                          QJsonDocument(QJsonArray{outgoing}).toJson(QJsonDocument::Compact)};
}

Result<int> DemoDocuments::write(int count)
{
    TRY(connectAgain());
    for (int i = 0; i < count; ++i) {
        if (auto handled = handleOne(); !handled) {
            m_isOpen = false;
            return passOn(handled);
        }
    }
    return count;
}

Result<void> DemoDocuments::handleOne()
{
    const QList<HandlerStep> steps = nextSteps();
    IncomingMessage incoming;
    incoming.id = m_ids.next().toString(QUuid::WithoutBraces);
    incoming.document = nextOrder();
    if (m_place.design == Design::Tokens) {
        incoming.token = m_ids.next().toString(QUuid::WithoutBraces);
        const Token token{incoming.token, {}, {}, QDateTime::currentDateTimeUtc()};
        TRY(m_stores.tokens()->create({token}));
    }
    const auto handled = handler(steps).handle(incoming);
    const bool diedEarly = !steps.isEmpty() && !steps.contains(HandlerStep::MarkDone);
    if (m_place.design == Design::Tokens && (!handled || diedEarly)) {
        m_left += Left{incoming, QDateTime::currentDateTimeUtc()};
        // The message of a handler that died goes back to its queue, with its token.
        EnqueueRequest back;
        back.id.text = incoming.token;
        back.queue = incomingQueue;
        back.type = u"order:changed"_s;
        back.payload = "{\"order\":" + jsonString(incoming.document) + '}';
        back.retentionSeconds = m_place.rules.retentionSeconds;
        TRY(m_stores.queue().enqueue({back}));
    }
    if (!handled)
        return passOn(handled);
    return {};
}

Result<void> DemoDocuments::settle()
{
    TRY(connectAgain());
    auto done = m_place.design == Design::Tokens ? redeliver() : dispatchWhatWasLeft();
    if (done && m_place.design == Design::Tokens)
        done = consumeExecuted();
    m_isOpen = done.has_value();
    return done;
}

Result<void> DemoDocuments::dispatchWhatWasLeft()
{
    bool isCut = false;
    const auto found
        = TRY(DocumentReader(m_stores, m_place.design).unsettled(entriesAtOnce, isCut));
    QHash<QString, QStringList> byDocument;
    for (const SeenEntry &seen : found) {
        if (seen.next.act == NextStep::Act::Dispatch && seen.entry.made
            && isDue(*seen.entry.made, settleAfterSeconds))
            byDocument[seen.document] += seen.entry.incoming;
    }
    DocumentRelay relay({&m_stores.documents(), &m_stores.queue(), m_stores.done(), nullptr, {}},
                        m_place.design, m_place.rules);
    for (auto one = byDocument.cbegin(); one != byDocument.cend(); ++one) {
        TRY(relay.settle(one.key(), one.value()));
    }
    return {};
}

/// The queue hands a message out again whose handler died; the next handler goes on with it.
Result<void> DemoDocuments::redeliver()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (!m_nextHeartbeat.isValid() || now >= m_nextHeartbeat) {
        TRY(m_redelivery.heartbeat());
        m_nextHeartbeat = now.addMSecs(settlerHeartbeatMs);
    }
    while (!m_left.isEmpty() && isDue(m_left.first().since, settleAfterSeconds)) {
        TRY(handler().handle(m_left.first().incoming));
        const auto task = TRY(m_redelivery.dequeue(incomingQueue));
        if (task) {
            TRY(m_redelivery.complete(*task));
        }
        m_left.removeFirst();
    }
    return {};
}

/// What the worker has executed is consumed by it, as a receiver would.
Result<void> DemoDocuments::consumeExecuted()
{
    const auto tokens = TRY(m_stores.tokens()->page(m_tokensCursor, tokensAtOnce));
    QList<TaskId> ids;
    for (const Token &token : tokens) {
        if (token.made && isDue(*token.made, executedAfterSeconds))
            ids += TaskId{token.id};
    }
    if (ids.isEmpty())
        return {};
    const auto glances = TRY(m_queues.glance(m_place.rules.queue, ids));
    for (auto glance = glances.cbegin(); glance != glances.cend(); ++glance) {
        if (glance->state != TaskState::Completed)
            continue;
        TRY(m_stores.tokens()->consume(glance.key().text));
    }
    return {};
}

} // namespace

DesignProfile documentShopDesign(Design design)
{
    DesignProfile profile;
    profile.design = design;
    profile.documents.table.table = u"orders"_s;
    profile.documents.timeMember = u"At"_s;
    if (design == Design::DedupStore)
        profile.doneTable = DoneTable{{{}, u"done_messages"_s}, u"id"_s, u"done_at"_s, {}, {}};
    if (design == Design::Tokens) {
        profile.doneTable
            = DoneTable{{{}, u"tokens"_s}, u"id"_s, u"made_at"_s, u"attempt"_s, u"incoming"_s};
    }
    return profile;
}

Result<std::unique_ptr<DemoShop>> openDocumentShop(const Profile &profile)
{
    auto shop = std::make_unique<DemoDocuments>();
    TRY(shop->open(profile));
    return shop;
}

} // namespace outbox
