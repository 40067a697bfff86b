// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Entries and tokens as tables: what each says, and that a refresh keeps its place.
#include "models/message/messagestate.h"
#include "models/operations/commandline.h"
#include "models/operations/designselection.h"
#include "models/phrases.h"
#include "models/tables/entrymodel.h"
#include "tests/support/sampledesign.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_designmodels {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

DesignView viewOf(Design design, const QDateTime &at, const QStringList &done = {})
{
    DesignView view;
    view.list = DesignList::Unsettled;
    view.at = at;
    view.entries = entriesIn(u"order-1"_s, sampleDocument(at), at, design, done);
    return view;
}

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

MessageState stateAt(const QAbstractItemModel &model, int row)
{
    return model.index(row, 0).data(StateRole).value<MessageState>();
}

} // namespace

class TestDesignModels : public QObject
{
    Q_OBJECT

    QDateTime m_now{QDate(2026, 11, 22), QTime(8, 0), Qt::UTC};

private slots:
    void entriesSayWhatIsSafeNext()
    {
        EntryModel model;
        model.merge(viewOf(Design::EntityState, m_now).entries);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(cell(model, 0, EntryModel::State), u"Undispatched"_s);
        QCOMPARE(stateAt(model, 0), MessageState::Pending);
        QCOMPARE(cell(model, 0, EntryModel::Document), u"order-1"_s);
        QCOMPARE(cell(model, 0, EntryModel::Incoming), u"m-1"_s);
        QCOMPARE(cell(model, 0, EntryModel::Types), u"email:deliver, sms:send"_s);
        QCOMPARE(cell(model, 0, EntryModel::Age), spanText(90));
        QVERIFY(cell(model, 0, EntryModel::Next).startsWith(u"K29: 2 messages inside"_s));
        QCOMPARE(cell(model, 1, EntryModel::State), u"Dispatched"_s);
        QCOMPARE(cell(model, 1, EntryModel::Age), QString());
        QCOMPARE(cell(model, 2, EntryModel::State), u"Unreadable"_s);
        QCOMPARE(stateAt(model, 2), MessageState::Unknown);
    }

    void aLeftoverHasAWordOfItsOwn()
    {
        EntryModel model;
        model.merge(viewOf(Design::DedupStore, m_now, {u"m-1"_s}).entries);
        QCOMPARE(cell(model, 0, EntryModel::State), u"Leaked"_s);
        QVERIFY(cell(model, 0, EntryModel::Next).startsWith(u"K15"_s));
    }

    void aRefreshKeepsItsRows()
    {
        EntryModel model;
        model.merge(viewOf(Design::EntityState, m_now).entries);
        const QPersistentModelIndex second = model.index(1, 0);
        DesignView later = viewOf(Design::EntityState, m_now);
        later.at = m_now.addSecs(5);
        later.entries.removeFirst();
        model.merge(later.entries);
        QCOMPARE(second.row(), 0);
        QCOMPARE(cell(model, second.row(), EntryModel::Incoming), u"m-2"_s);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.merge(later.entries);
        QCOMPARE(changed.size(), 0);
    }

    void textFromOutsideIsPlain()
    {
        DesignView view;
        view.at = m_now;
        view.entries
            = entriesIn(u"<b>x</b>\n"_s, sampleDocument(m_now), m_now, Design::EntityState);
        EntryModel model;
        model.merge(view.entries);
        QVERIFY(!cell(model, 0, EntryModel::Document).contains(u'\n'));
        QVERIFY(!model.index(0, EntryModel::Document)
                     .data(Qt::ToolTipRole)
                     .toString()
                     .contains(u"<b>"_s));
    }

    void whatNothingRefersToComesFirst()
    {
        const auto token = [this](const QString &id, TokenReach reach, int age) {
            return JudgedToken{{id, u"a"_s, u"m"_s, m_now.addSecs(-age)}, reach, u"words"_s};
        };
        DesignView view;
        view.list = DesignList::Tokens;
        view.at = m_now;
        view.tokens = TokenReport{
            {token(u"t-1"_s, TokenReach::Carried, 10), token(u"t-2"_s, TokenReach::Garbage, 20),
             token(u"t-3"_s, TokenReach::Garbage, 30), token(u"t-4"_s, TokenReach::Held, 40)},
            {},
            false,
            1};
        TokenModel model;
        model.merge(TokenModel::rowsOf(view));
        QStringList ids;
        for (int row = 0; row < model.rowCount(); ++row)
            ids += cell(model, row, TokenModel::Id);
        QCOMPARE(ids, (QStringList{u"t-3"_s, u"t-2"_s, u"t-4"_s, u"t-1"_s}));
        QCOMPARE(cell(model, 0, TokenModel::Reach), u"Garbage"_s);
        QCOMPARE(stateAt(model, 0), MessageState::Parked);
        QCOMPARE(tokenCountsText(*view.tokens), u"2 garbage, 1 held, 1 carried"_s);
    }

    void theLineThatDoesTheSame()
    {
        Profile profile;
        profile.name = u"orders"_s;
        profile.design = DesignProfile();
        OperationRequest request;
        request.verb = Verb::Reconcile;
        request.selection.meant = DocumentPart::Unsettled;
        QCOMPARE(commandLine(request, profile),
                 u"outboxctl documents reconcile --profile orders"_s);
        request.selection.rows = {{u"d-1"_s}};
        request.selection.tasks = {{u"m-1"_s}, {u"m-2"_s}};
        QCOMPARE(
            commandLine(request, profile),
            u"outboxctl documents reconcile --profile orders --incoming m-1 --incoming m-2 d-1"_s);
        request = {Verb::Purge, {}, {}};
        request.selection.meant = DocumentPart::Entries;
        QCOMPARE(commandLine(request, profile), u"outboxctl documents purge --profile orders"_s);
        request = {Verb::Replay, {}, {}};
        request.selection.meant = DocumentPart::Tokens;
        request.selection.tasks = {{u"t-1"_s}};
        QCOMPARE(commandLine(request, profile), u"outboxctl tokens force --profile orders t-1"_s);
        // Tasks and queues are acted on as anywhere.
        request = {Verb::Run, {}, {}};
        request.selection.tasks = {{u"t-1"_s}};
        QCOMPARE(commandLine(request, profile), u"outboxctl run --profile orders t-1"_s);
    }
};

} // namespace tst_designmodels

OUTBOX_TEST(tst_designmodels::TestDesignModels)
#include "tst_designmodels.moc"
