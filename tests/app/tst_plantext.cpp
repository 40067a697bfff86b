// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans and receipts in the words and objects of the command line, and the exit codes that they
// mean.
#include "app/cli/output/printer.h"
#include "app/cli/output/planjson.h"
#include "app/cli/output/plantext.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTest>

namespace tst_plantext {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

PlanItem planItem(const QString &row, Outcome expected, const QString &reason)
{
    PlanItem item;
    item.row.text = row;
    item.expected = expected;
    item.reason = reason;
    item.rowSeen = RowSnapshot{MessageState::Processed, u"845"_s, QDateTime(), 12, {}};
    return item;
}

Plan samplePlan()
{
    Plan plan;
    plan.operation = u"0b"_s;
    plan.verb = Verb::Purge;
    plan.profile = u"shop"_s;
    plan.environment = Environment::Production;
    plan.target = u"outbox @ db1/shop"_s;
    plan.at = QDateTime::fromMSecsSinceEpoch(0, Qt::UTC);
    plan.selection = u"rows that match state:processed"_s;
    for (int i = 0; i < 30; ++i)
        plan.items += planItem(QString::number(i), Outcome::Done, u"It is processed"_s);
    plan.items += planItem(u"evil"_s, Outcome::Claimed, u"held by \u202egnp.exe\n\x1b[2J"_s);
    plan.statements = {u"DELETE FROM outbox WHERE id = ?"_s};
    plan.warnings = {u"No outbox_audit table"_s};
    plan.undo = u"Import of the export"_s;
    plan.exportsFirst = true;
    return plan;
}

Receipt receiptOf(const QList<Outcome> &outcomes, std::optional<Error> error = std::nullopt)
{
    Receipt receipt;
    receipt.verb = Verb::Purge;
    for (const Outcome outcome : outcomes)
        receipt.items += ReceiptItem{{u"1"_s}, {}, {}, outcome, {}, {}};
    receipt.error = std::move(error);
    return receipt;
}

} // namespace

class TestPlanText : public QObject
{
    Q_OBJECT

private slots:
    void aPlanIsToldWithTheFirstTwentyMessages()
    {
        const QString text = toText(samplePlan());
        QVERIFY(text.contains(u"Exactly 30 of 31 rows will be purged"_s));
        QVERIFY(text.contains(u"11 more"_s));
        QVERIFY(text.contains(u"DELETE FROM outbox"_s));
        QVERIFY(text.contains(u"Warning: No outbox_audit table"_s));
        QVERIFY(text.contains(u"Undo: Import of the export"_s));
        QCOMPARE(text.count(u"It is processed"_s), 20);
    }

    void textFromOutsideCannotSteerATerminal()
    {
        Plan plan = samplePlan();
        plan.items = {plan.items.last()};
        const QString text = toText(plan);
        QVERIFY(text.contains(u"\\u202egnp.exe"_s));
        QVERIFY(!text.contains(u'\x1b'));
        QVERIFY(!text.contains(QChar(0x202e)));
    }

    void anEmptyPlanSaysSo()
    {
        Plan plan = samplePlan();
        plan.items.clear();
        QVERIFY(toText(plan).contains(u"Nothing matches"_s));
        QCOMPARE(exitCodeOf(plan), ExitCode::NothingMatched);
    }

    void theOptionsOfAPlanCarryItOut()
    {
        Plan plan = samplePlan();
        QCOMPARE(optionsFor(plan), u"--yes --confirm '30 shop'"_s);
        plan.environment = Environment::Development;
        QCOMPARE(optionsFor(plan), u"--yes"_s);
        plan.items[0].expected = Outcome::SecondExecution;
        plan.trimmed = 3;
        QCOMPARE(optionsFor(plan), u"--yes --allow-second-execution --trim"_s);
    }

    void aPlanAsAnObjectHoldsEveryMessage()
    {
        const QJsonObject json = toJson(samplePlan());
        QCOMPARE(json.value("items"_L1).toArray().size(), 31);
        QCOMPARE(json.value("total"_L1).toInteger(), 31);
        QCOMPARE(json.value("acting"_L1).toInteger(), 30);
        QCOMPARE(json.value("counts"_L1).toObject().value("claimed"_L1).toInteger(), 1);
        QCOMPARE(json.value("confirmation"_L1).toString(), u"typed"_s);
        QCOMPARE(json.value("confirm"_L1).toString(), u"30 shop"_s);
        const QJsonObject item = json.value("items"_L1).toArray().at(0).toObject();
        QCOMPARE(item.value("row"_L1).toString(), u"0"_s);
        QVERIFY(item.value("task"_L1).isNull());
        QVERIFY(item.value("task_seen"_L1).isNull());
        QCOMPARE(item.value("row_seen"_L1).toObject().value("version"_L1).toString(), u"845"_s);
        QVERIFY(item.value("row_seen"_L1).toObject().value("processed"_L1).isNull());
    }

    void aReceiptMeansAnExitCode_data()
    {
        using List = QList<Outcome>;
        QTest::addColumn<Receipt>("receipt");
        QTest::addColumn<int>("code");
        const Error lost{Error::Kind::Unreachable, {}, u"gone"_s, {}, {}};
        const auto add = [](const char *name, const Receipt &receipt, ExitCode code) {
            QTest::newRow(name) << receipt << static_cast<int>(code);
        };
        add("done", receiptOf({Outcome::Done, Outcome::Done}), ExitCode::Ok);
        add("done before", receiptOf({Outcome::Done, Outcome::NothingToDo}), ExitCode::Ok);
        add("nothing to do", receiptOf({Outcome::NothingToDo}), ExitCode::Ok);
        add("in part", receiptOf({Outcome::Done, Outcome::Changed}), ExitCode::Partly);
        add("done, then lost", receiptOf({Outcome::Done}, lost), ExitCode::Partly);
        add("in doubt", receiptOf(List{Outcome::Done, Outcome::InDoubt}, lost),
            ExitCode::Temporary);
        add("changed", receiptOf({Outcome::Changed, Outcome::Claimed}), ExitCode::Refused);
        add("failed", receiptOf({Outcome::Changed, Outcome::Failed}), ExitCode::Failed);
        add("gone", receiptOf({Outcome::Gone, Outcome::Gone}), ExitCode::NothingMatched);
        add("lost", receiptOf({Outcome::Cancelled}, lost), ExitCode::NoConnection);
    }
    void aReceiptMeansAnExitCode()
    {
        QFETCH(Receipt, receipt);
        QFETCH(int, code);
        QCOMPARE(static_cast<int>(exitCodeOf(receipt)), code);
    }
};

} // namespace tst_plantext

OUTBOX_TEST(tst_plantext::TestPlanText)
#include "tst_plantext.moc"
