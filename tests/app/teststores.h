// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator of a world of documents who consents to what is asked, and the grounds that such
// worlds are set up on.
#pragma once

#include "app/operations/core/operation.h"
#include "tests/app/designworld.h"

#include <QTemporaryDir>

namespace outbox {

class TestStores
{
public:
    explicit TestStores(const DesignWorld &world) : TestStores(world.address()) { }
    /// `database` has the documents in its table "entities".
    explicit TestStores(const QString &database)
    {
        OperatorSessionSettings settings;
        settings.profile.name = QStringLiteral("matrix");
        settings.profile.environment = Environment::Development;
        settings.profile.databaseUrl = database;
        settings.profile.table = QStringLiteral("entities");
        settings.shape.table = TableName::fromText(settings.profile.table);
        settings.act = ProfilePasswords();
        settings.stateFolder = m_folder.path();
        settings.face = QStringLiteral("outboxctl");
        if (const auto opened = m_session.open(settings); !opened)
            qFatal("%s", qPrintable(oneLine(opened.error())));
    }

    [[nodiscard]] OperatorSession &session() { return m_session; }
    /// Carries out a plan, if it has something to do; else the receipt says what the plan says.
    [[nodiscard]] Result<Receipt> carryOut(const Operation &operation, const Plan &plan,
                                           bool secondExecution = true,
                                           const OperationControl &control = {})
    {
        Consent consent;
        consent.secondExecution = secondExecution;
        consent.typed = textToType(withConsent(plan, consent));
        consent.note = QStringLiteral("test");
        if (withConsent(plan, consent).acting() > 0)
            return operation.carryOut(m_session, plan, consent, control);
        Receipt receipt;
        for (const PlanItem &item : plan.items) {
            receipt.items
                += ReceiptItem{item.row, item.task, item.queue, item.expected, item.reason, {}};
        }
        return receipt;
    }

private:
    QTemporaryDir m_folder;
    OperatorSession m_session;
};

/// Every design on every database, and with its other store in Redis; `withEntity` for verbs that
/// are about documents. Over a Cluster with SQLite alone: databases do not know what Redis is.
inline void addDesignGrounds(bool withEntity)
{
    QTest::addColumn<int>("design");
    QTest::addColumn<int>("dialect");
    QTest::addColumn<bool>("inRedis");
    for (const Design design : {Design::EntityState, Design::DedupStore, Design::Tokens}) {
        for (const TestWords &words : allTestWords()) {
            if (isQueueOfCluster() && words.dialect != DatabaseUrl::Dialect::Sqlite)
                continue;
            for (const bool inRedis : {false, true}) {
                if (design == Design::EntityState && (inRedis || !withEntity))
                    continue;
                if (design == Design::DedupStore && !withEntity)
                    continue;
                QTest::addRow("%s, %s%s", qPrintable(word(design)), words.name,
                              inRedis ? " + Redis" : "")
                    << int(design) << int(words.dialect) << inRedis;
            }
        }
    }
}

inline DesignGround designGround()
{
    QFETCH(const int, design);
    QFETCH(const int, dialect);
    QFETCH(const bool, inRedis);
    return {static_cast<Design>(design), static_cast<DatabaseUrl::Dialect>(dialect), inRedis};
}

} // namespace outbox
