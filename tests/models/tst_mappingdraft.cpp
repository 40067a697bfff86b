// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mapping in the making: what is offered, what follows from a choice, and what is said of a wrong
// one.
#include "models/mapping/mappingdraft.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_mappingdraft {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Choice = MappingDraft::Choice;

namespace {

CatalogColumn column(const QString &name, TypeClass typeClass, const QString &type,
                     bool nullable = true)
{
    CatalogColumn one;
    one.name = name;
    one.type = type;
    one.typeClass = typeClass;
    if (typeClass == TypeClass::Uuid)
        one.uuidForm = OutboxShape::KeyForm::Uuid;
    one.saysZone = type.contains(u"with time zone"_s);
    one.nullable = nullable;
    return one;
}

TableSurvey survey()
{
    TableSurvey survey;
    survey.table.name = {u"public"_s, u"t"_s};
    survey.table.columns
        = {column(u"id"_s, TypeClass::Integer, u"bigint"_s, false),
           column(u"other"_s, TypeClass::Uuid, u"uuid"_s, false),
           column(u"count"_s, TypeClass::Integer, u"integer"_s),
           column(u"word"_s, TypeClass::Text, u"text"_s),
           column(u"body"_s, TypeClass::Bytes, u"bytea"_s),
           column(u"json"_s, TypeClass::Json, u"jsonb"_s),
           column(u"made"_s, TypeClass::Time, u"timestamp with time zone"_s, false),
           column(u"done"_s, TypeClass::Time, u"timestamp with time zone"_s),
           column(u"yes"_s, TypeClass::Flag, u"boolean"_s),
           column(u"tags"_s, TypeClass::List, u"text[]"_s)};
    survey.table.primaryKey = QStringList{u"id"_s};
    survey.table.uniqueColumns = QStringList{u"other"_s};
    survey.finding.shape.table = survey.table.name;
    survey.finding.shape.name = u"t"_s;
    return survey;
}

} // namespace

class TestMappingDraft : public QObject
{
    Q_OBJECT

private slots:
    void onlyColumnsThatCanCarryAMeaningAreOffered()
    {
        MappingDraft draft(survey());
        QCOMPARE(draft.candidates(Meaning::Key), QStringList({u"id"_s, u"other"_s}));
        QCOMPARE(draft.candidates(Meaning::Payload),
                 QStringList({u"word"_s, u"body"_s, u"json"_s}));
        QCOMPARE(draft.candidates(Meaning::Attempts), QStringList({u"id"_s, u"count"_s}));
        draft.choose(Choice::Processed, u"time"_s);
        QCOMPARE(draft.candidates(Meaning::Processed), QStringList({u"made"_s, u"done"_s}));
        draft.choose(Choice::Processed, u"flag"_s);
        QCOMPARE(draft.candidates(Meaning::Processed),
                 QStringList({u"id"_s, u"count"_s, u"yes"_s}));
    }

    void aKeyBringsItsFormAndItsTaskId()
    {
        MappingDraft draft(survey());
        draft.setColumn(Meaning::Key, u"id"_s);
        QCOMPARE(draft.shape().keyForm, OutboxShape::KeyForm::Integer);
        QCOMPARE(draft.shape().taskId, u"{source}:{id}"_s);
        draft.setColumn(Meaning::Created, u"made"_s);
        QCOMPARE(draft.shape().taskId, u"{source}:{id}:{born}"_s);
        draft.setColumn(Meaning::Order, u"made"_s);
        QCOMPARE(draft.shape().order, QStringList({u"made"_s, u"id"_s}));
        QCOMPARE(draft.shape().orderIs, OutboxShape::OrderIs::Time);
        draft.setColumn(Meaning::Key, u"other"_s);
        QCOMPARE(draft.shape().keyForm, OutboxShape::KeyForm::Uuid);
        QCOMPARE(draft.shape().taskId, u"{id}"_s);
        QCOMPARE(draft.shape().order, QStringList({u"made"_s, u"other"_s}));
    }

    void theZoneOfTimesWithoutOneIsAskedFor()
    {
        TableSurvey seen = survey();
        seen.table.columns += column(u"due"_s, TypeClass::Time, u"timestamp without time zone"_s);
        MappingDraft draft(seen);
        draft.setColumn(Meaning::Created, u"made"_s);
        QVERIFY(draft.columnsWithoutZone().isEmpty()); // it says its zone itself
        QVERIFY(draft.zoneProblem().isEmpty());
        draft.setColumn(Meaning::Due, u"due"_s);
        QCOMPARE(draft.columnsWithoutZone(), QStringList{u"due"_s});
        QVERIFY(draft.zoneProblem().contains(u"not known"_s));
        draft.setRelayed(true);
        QVERIFY(draft.problem(Meaning::Due).isEmpty());
        QVERIFY(draft.zoneProblem().contains(u"\"due\""_s));
        draft.setTimeZone(u"Berlin"_s);
        QVERIFY(draft.zoneProblem().contains(u"Europe/Berlin"_s));
        QCOMPARE(draft.timeZone(), u"Berlin"_s);
        QCOMPARE(draft.shape().zoneOf(u"due"_s), QString());
        draft.setTimeZone(u"europe/berlin"_s);
        QVERIFY(draft.zoneProblem().isEmpty());
        QCOMPARE(draft.timeZone(), u"Europe/Berlin"_s);
        QCOMPARE(draft.shape().zoneOf(u"due"_s), u"Europe/Berlin"_s);
    }

    void theValuesOfAStatusAreGivenTheirStates()
    {
        MappingDraft draft(survey());
        draft.choose(Choice::Processed, u"status"_s);
        QVERIFY(draft.problem(Meaning::Processed).contains(u"Choose the column"_s));
        draft.setColumn(Meaning::Processed, u"word"_s);
        draft.setSeenValues(u"word"_s, {{u"a"_s, 4}, {u"b"_s, 2}, {u"c"_s, 1}});
        QVERIFY(draft.problem(Meaning::Processed).contains(u"No value means processed"_s));
        draft.assign(u"a"_s, MessageState::Processed);
        QVERIFY(draft.problem(Meaning::Processed).contains(u"No value means pending"_s));
        draft.assign(u"b"_s, MessageState::Pending);
        QVERIFY(draft.problem(Meaning::Processed).isEmpty());
        draft.assign(u"c"_s, MessageState::Failed);
        QCOMPARE(draft.chosen(Choice::Failed), u"status"_s);
        QCOMPARE(draft.shape().failedColumn, u"word"_s);
        const QList<MappingDraft::StatusValue> wanted{{u"a"_s, 4, MessageState::Processed},
                                                      {u"b"_s, 2, MessageState::Pending},
                                                      {u"c"_s, 1, MessageState::Failed}};
        QCOMPARE(draft.statusValues(), wanted);
        draft.assign(u"c"_s, MessageState::Unknown);
        QCOMPARE(draft.chosen(Choice::Failed), u"none"_s);
        // Another way takes the values with it.
        draft.choose(Choice::Processed, u"time"_s);
        QVERIFY(draft.shape().processedValues.isEmpty() && draft.shape().pendingValues.isEmpty());
    }

    void whatIsWrongIsSaidBesideItsField()
    {
        MappingDraft draft(survey());
        QVERIFY(draft.problem(Meaning::Key).contains(u"tells the rows apart"_s));
        draft.setColumn(Meaning::Key, u"id"_s);
        draft.setColumn(Meaning::Payload, u"body"_s);
        QVERIFY2(draft.problem().isEmpty(), qPrintable(draft.problem()));
        draft.choose(Choice::Processed, u"time"_s);
        draft.setColumn(Meaning::Processed, u"made"_s);
        QVERIFY(draft.problem(Meaning::Processed).contains(u"never empty"_s));
        draft.setColumn(Meaning::Processed, u"done"_s);
        QVERIFY(draft.problem(Meaning::Processed).isEmpty());
        draft.choose(Choice::Locked, u"until"_s);
        draft.setColumn(Meaning::LeaseEnd, u"done"_s);
        QVERIFY(draft.problem(Meaning::LeaseEnd).contains(u"taken for \"Processed\""_s));
        OutboxShape strange = draft.shape();
        strange.typeColumn = u"missing"_s;
        strange.attemptsColumn = u"word"_s;
        draft.setShape(strange);
        QVERIFY(draft.problem(Meaning::Type).contains(u"no column \"missing\""_s));
        QVERIFY(draft.problem(Meaning::Attempts).contains(u"cannot say that"_s));
        QVERIFY(!draft.isReadable());
    }

    void whatTheEditorHasNoFieldForIsKept()
    {
        TableSurvey found = survey();
        found.finding.shape.keyColumn = u"id"_s;
        found.finding.shape.payloadColumn = u"body"_s;
        found.finding.shape.processedHow = OutboxShape::ProcessedHow::Log;
        found.finding.shape.where = {{u"word"_s, ShapeTest::Is::Equal, {u"v1"_s}}};
        MappingDraft draft(found);
        QCOMPARE(draft.options(Choice::Processed).last().first, u"log"_s);
        draft.setColumn(Meaning::Type, u"word"_s);
        QCOMPARE(draft.shape().processedHow, OutboxShape::ProcessedHow::Log);
        QCOMPARE(draft.shape().where, found.finding.shape.where);
        QVERIFY(draft.kept().contains(u"by word"_s));
        draft.choose(Choice::Processed, u"deleted"_s);
        QVERIFY(draft.problem().isEmpty());
        for (const auto &[word, label] : draft.options(Choice::Processed))
            QVERIFY(word != u"log"_s); // it cannot be chosen here
    }

    void theFormOfAPayloadFollowsItsColumn()
    {
        MappingDraft draft(survey());
        draft.setColumn(Meaning::Payload, u"json"_s);
        QCOMPARE(draft.chosen(Choice::PayloadForm), u"json"_s);
        draft.choose(Choice::PayloadForm, u"reference"_s);
        QVERIFY(!draft.isShown(Meaning::Payload));
        QVERIFY(draft.isShown(Meaning::ReferenceTable));
        QVERIFY(draft.shape().payloadColumn.isEmpty());
    }
};

} // namespace tst_mappingdraft

OUTBOX_TEST(tst_mappingdraft::TestMappingDraft)
#include "tst_mappingdraft.moc"
