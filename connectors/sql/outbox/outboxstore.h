// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One outbox table in one database, through its shape: looks at it, and claims from it for the
// relay.
#pragma once

#include "connectors/sql/driver/storesettings.h"
#include "models/content/rowcontent.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowcount.h"
#include "models/mapping/tablesurvey.h"
#include "models/message/childrows.h"
#include "models/message/message.h"
#include "models/message/rowsearch.h"
#include "models/message/rowverdict.h"
#include "models/operations/verb.h"
#include "models/profile/profile.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"
#include "models/system/queuelife.h"
#include "models/system/snapshots.h"

#include <QHash>
#include <QList>
#include <QString>

#include <memory>
#include <optional>
#include <utility>

namespace outbox {

class FenceTableAccess;
struct SharedSession;
struct WholeRow;

/// A row taken by the open claim, ready to be sent. `problem` is not empty when the row itself is
/// at fault (dangling reference, table not listed …): it must be parked, never sent.
struct ClaimedMessage
{
    MessageId id;
    QString type;
    QByteArray payload;
    QString queue; ///< from the shape's queue column; empty = the profile's queue
    TaskId task;
    QStringList also; ///< ids under which another relay may have sent it
    std::optional<qint64> bornUs; ///< since 1970; where the shape compares births
    QString problem;

    bool operator==(const ClaimedMessage &) const = default;
};

/// A row of a held claim that the database does not let go of, and what it says about that.
using RefusedRow = std::pair<MessageId, Error>;

/// What a claim asks for.
struct ClaimRequest
{
    int rows = 100;
    QList<MessageId> parked; ///< left out
    /// `Claim::last` of an earlier claim: rows before it are not looked at, so that the dead
    /// versions of rows taken before cost nothing. Rows that commit late stand before it: a claim
    /// without it must follow now and then.
    QStringList after;
    bool fromStart = false; ///< such a claim; `after` tells where the next one may go on
    /// Rows with longer payloads are given with a `problem` and without it: it never leaves the
    /// server. 0 = no limit.
    qint64 mostPayloadBytes = 0;
    /// The rows are only kept from others; `consumeLocked` takes them. One that the database
    /// refuses, or that is to stay, then spoils the claim of no other.
    bool held = false;
    /// Texts of the queue's column; rows that have one of them are left out. An empty one stands
    /// for NULL, too.
    QStringList queues{};
    /// Where `after` is a place in the file: a place in the order of claims, behind which rows are
    /// left out. Empty = none is.
    QStringList upTo{};
};

/// What a claim holds, in the shape's order.
struct Claim
{
    QList<ClaimedMessage> rows;
    QStringList last; ///< the place of the last row in that order; empty where one cannot go on
                      ///< behind it
    /// There is a row without a key (SQLite), or with one that is no text in UTF-8 (SQL_ASCII),
    /// which no statement can name. Where others were found it is held with them, and never taken.
    bool hasNoKey = false;

    bool operator==(const Claim &) const = default;
};

/// One row claimed by itself.
struct SingleClaim
{
    MessageId id; ///< empty: there was none to claim
    std::optional<ClaimedMessage> row; ///< the claim holds it; nullopt: gone, processed or held
    std::optional<Error> error; ///< claiming this very row failed; rolled back
};

/// Blocking; one database session, made and used in one thread (that of its room). Every statement
/// has a deadline; every look is one short autocommit statement, so no snapshot is held between
/// calls.
/// Errors: those of `SqlSession`; Invalid for a name that the catalog does not have, Unsupported
/// for what the shape or the database cannot do, Conflict for a call out of its turn.
class OutboxStore
{
public:
    OutboxStore();
    /// Uses a session in turn with others. What is known of the table, and the shape, are of this
    /// store alone: they are made sure of by each session anew.
    explicit OutboxStore(std::shared_ptr<SharedSession> shared);
    ~OutboxStore();
    OutboxStore(const OutboxStore &) = delete;
    OutboxStore &operator=(const OutboxStore &) = delete;

    /// Connects. No shape is needed yet: `catalog` and `probe` work at once.
    [[nodiscard]] Result<void> open(const StoreSettings &settings);
    /// Reconnects with the last settings (and the shape) when the session was lost, and now and
    /// then where a look had to go to a standby; else no-op when it is up.
    [[nodiscard]] Result<void> ensureOpen();
    void close();
    [[nodiscard]] bool isOpen() const;

    [[nodiscard]] Result<Catalog> catalog();
    /// Looks for outboxes: catalog rules, then a bounded look at values (shapes.md 5). With `table`
    /// given only that one is judged, whatever its score. Best first.
    [[nodiscard]] Result<QList<ProbeFinding>> probe(const std::optional<TableName> &table = {});
    /// What the mapping editor begins with: the table, what a probe says of it, and what its first
    /// rows hold (nothing where they may not be read).
    [[nodiscard]] Result<TableSurvey> survey(const TableName &table);
    /// The values of a column of the shape's table, as far as a bounded look shows them.
    [[nodiscard]] Result<QList<ValueCount>> valuesOf(const QString &column);
    /// Checks every name of the shape against the catalog and takes it, with a source of its own
    /// where it needs one and names none. Fails with Invalid and the nearest name as a hint.
    [[nodiscard]] Result<void> use(const OutboxShape &shape);
    [[nodiscard]] const OutboxShape &shape() const;
    /// What tells its table from all others, also from those of the same name in other databases:
    /// the catalog's name, and the source or, where the mapping names none, what `tableSource`
    /// answers. Errors: those of `tableSource`.
    [[nodiscard]] Result<QString> nameAmongAll();
    /// The whole name of its table, where the catalog had no table of parked rows anywhere when the
    /// mapping was taken; nullopt where there may be one.
    [[nodiscard]] std::optional<TableName> withoutParked() const;
    /// `OutboxShape::whyIdsReturn` of the table as it was when the shape was taken.
    [[nodiscard]] QString whyIdsReturn() const;

    // Looking: no locks, no writes.

    /// Counts, oldest pending, holders of locked rows (MariaDB tells of none, but how many locks
    /// there are: a note); PostgreSQL is asked who holds rows where one may be held. Counting stops
    /// at `caps`; what was capped or estimated is marked in `exact` and `notes`. The rows in
    /// `parked` that nobody holds are counted apart.
    [[nodiscard]] Result<OutboxSnapshot> snapshot(const CountCaps &caps = {},
                                                  const QList<MessageId> &parked = {});
    /// Puts into a snapshot what moves: when a row last left, how long rows took, and how many come
    /// where that is asked; see `RowFlow`.
    void addFlow(OutboxSnapshot &snapshot, Arrivals arrivals = Arrivals::Asked);
    /// A keyset page with the lock state of each row.
    [[nodiscard]] Result<MessagePage> page(const PageRequest &request);
    /// The same where these rows are set aside, which the table does not tell: they are in the
    /// state Parked, and the states and the filter of the request are told by that. States beside
    /// Parked are asked for apart: Invalid. It may hold fewer rows than the limit.
    [[nodiscard]] Result<MessagePage> page(const PageRequest &request,
                                           const QList<ParkedRow> &parked);
    /// Goes through the next `rows` rows of the table, in two or three short statements, and gives
    /// those that match: `request.limit` at most, then it has gone through fewer. It is asked for
    /// slice by slice with `after`, which takes `MessagePage::next` and nothing else. What the
    /// database can tell of a row it tells: no payload of another is brought.
    [[nodiscard]] Result<MessagePage> search(const PageRequest &request, qint64 rows);
    /// The same where these rows are set aside, as of a page.
    [[nodiscard]] Result<MessagePage> search(const PageRequest &request, qint64 rows,
                                             const QList<ParkedRow> &parked);
    /// How many rows match, where these are set aside; `request.most` and one more at most. One
    /// statement, and some more for the rows that are set aside. Unsupported where the database
    /// cannot tell a part of the filter by itself, or the shape has no column that tells it: no
    /// number that only seems to be 0 is answered.
    [[nodiscard]] Result<qint64> count(const RowCountRequest &request,
                                       const QList<ParkedRow> &parked);
    /// One row with its whole payload (up to `payloadLimit` bytes); nullopt when it is not there.
    [[nodiscard]] Result<std::optional<Message>>
    find(const MessageId &id, qint64 payloadLimit = qint64(16) * 1024 * 1024);
    /// The id of the row that this text means, as rows have it: "007" is 7 where keys are numbers.
    [[nodiscard]] MessageId idOf(const MessageId &typed) const;
    /// What the receiver noted of each id; ids without a row are left out, NULL is a null QString.
    /// Fails with Invalid when the catalog does not know a name of `table`.
    [[nodiscard]] Result<QHash<MessageId, QString>> statusOf(const StatusTable &table,
                                                             const QList<MessageId> &ids);
    /// Fails with Invalid where `row`, which may come from anybody, can be none of this table under
    /// its id: another key, an unknown or computed column, a value of the wrong kind.
    [[nodiscard]] Result<void> check(const WholeRow &row) const;
    /// The row as an editor shows it, whole; nullopt when it is not there.
    [[nodiscard]] Result<std::optional<RowContent>> contentOf(const MessageId &id);
    /// The cells that `edit` makes of a row, as the database would keep them. Fails with Invalid
    /// for a part that the shape lacks or that is locked, and for what its column does not take;
    /// with Refused for a time of a zone that nobody said.
    [[nodiscard]] Result<QList<EditedCell>> cellsOf(const RowContent &seen, const RowEdit &edit);
    /// The statements an operator's session will run for such cells, for a plan.
    [[nodiscard]] QStringList statementsOf(const QList<EditedCell> &cells) const;
    /// The statements an operator's session will run for `verb`, for a plan; empty without a shape,
    /// and for verbs that act on tasks.
    [[nodiscard]] QStringList statementsOf(Verb verb) const;

    /// Rows of other tables that the deletion of these rows takes along or changes.
    [[nodiscard]] Result<QList<ChildRows>> childrenOf(const QList<MessageId> &ids);
    /// Names of the triggers that run when rows are deleted.
    [[nodiscard]] Result<QStringList> deleteTriggers();

    // The relay's part: Relay access only, where nothing else is said.

    /// BEGIN, then claims up to `rows` due rows that no one holds, in the shape's order, leaving
    /// out `parked`. Deletes or marks them in the open transaction. Never more than `rows` under
    /// any plan. An empty list leaves no transaction open. Any error has been rolled back.
    [[nodiscard]] Result<QList<ClaimedMessage>> claim(int rows, const QList<MessageId> &parked);
    /// The same in two halves, so that the database works while the caller does something else:
    /// `sendClaim` returns as soon as the question is on its way, `takeClaim` waits for the answer.
    /// Where a database cannot do that (SQLite, MariaDB) all is done by `takeClaim`.
    [[nodiscard]] Result<void> sendClaim(const ClaimRequest &request);
    [[nodiscard]] Result<Claim> takeClaim();
    /// A place behind which every row stands, from where claims read no index: many dead versions
    /// cost them less. Empty where there is none.
    [[nodiscard]] QStringList startOfFile() const;
    [[nodiscard]] bool isFilePlace(const QStringList &place) const;
    /// BEGIN, then claims the row `id`, or where it is empty the one that a claim without `parked`
    /// and `queues` would give first. Tells which row it was when that fails, so that a row that
    /// spoils every claim can be found. Fails itself when no row can be named.
    [[nodiscard]] Result<SingleClaim> claimSingle(const MessageId &id,
                                                  const QList<MessageId> &parked,
                                                  qint64 mostPayloadBytes = 0,
                                                  const QStringList &queues = {});
    /// Takes these rows of an open claim that is `held`, once; the others stay held until its end.
    /// Answers the rows that the database refuses. `areSuspect` where some will be: then many parts
    /// are tried at once. After an error the claim can only be rolled back.
    [[nodiscard]] Result<QList<RefusedRow>> consumeLocked(const QList<MessageId> &ids,
                                                          bool areSuspect);
    /// True where several sessions may hold claims at the same time (not SQLite).
    [[nodiscard]] bool mayOverlap() const;
    /// True where a pooler stands before the server: a claim may have to wait there until another
    /// client, of ours or not, ends its transaction.
    [[nodiscard]] bool isPooled() const;
    /// Whether an unprocessed row is there besides the `parked` ones, held by others or not: an
    /// empty claim does not tell, because it steps over rows that others hold. A plain look without
    /// locks, so a row whose deletion is not committed yet counts. Any access will do.
    [[nodiscard]] Result<bool> anyLeft(const QList<MessageId> &parked);
    /// Tells whether the claim's transaction is still alive on the server (a stopped relay loses
    /// it). The server is asked only where the claim was sent more than a second ago; before, its
    /// farewell is what tells.
    [[nodiscard]] Result<void> verifyClaim();
    /// The rows that the COMMIT of the open claim would let go of, in the order of the claim.
    [[nodiscard]] const QList<MessageId> &taken() const;
    /// Commits the claim; each row that leaves the outbox by it needs its proof. Where one that the
    /// claim took has none, the claim is rolled back and this fails with Conflict; of a claim that
    /// is `held` such rows are given up instead, and stay. `proofs` in the order of the claim.
    /// `sendClaim` may follow at once; the answers are taken in that order. A claim behind a commit
    /// that the server refused stands for itself: it is taken or rolled back.
    /// `lives` go into the table outbox_fence by the same COMMIT, where that is used; where they
    /// cannot be written the claim is rolled back with Conflict, and the table is not used for a
    /// minute.
    [[nodiscard]] Result<void> sendCommit(const QList<DeliveryProof> &proofs,
                                          const QList<RelayLife> &lives = {});
    /// The answer to it. On an error the rows come back or are gone, and the session is closed; it
    /// stays only where the server itself said that it did not commit.
    [[nodiscard]] Result<void> takeCommit();
    /// What became of rows whose COMMIT was not answered.
    enum class Fate {
        Gone, ///< none of them is to be delivered any more
        Back, ///< it was rolled back
        Held, ///< somebody has them in hand: perhaps that COMMIT still
    };
    /// Asks for the rows by key; no claim is open.
    [[nodiscard]] Result<Fate> fateOf(const QList<MessageId> &rows);
    /// Ends whatever was sent or is open.
    [[nodiscard]] Result<void> rollback();
    /// What was found of the table outbox_fence when the shape was taken.
    [[nodiscard]] const FenceTableAccess &fence() const;
    /// What it keeps of this outbox, the newest first; nothing where it is not used.
    [[nodiscard]] Result<QList<RelayLife>> keptLives();
    /// Takes exactly these lines away; on a session with no open claim.
    [[nodiscard]] Result<void> forgetLives(const QList<RelayLife> &lives);
    /// Returns when everything this database showed until now is on its disk, so that no row can be
    /// seen that a crash of the server takes back (correctness.md 10). On a session with no open
    /// claim. PostgreSQL only; elsewhere Unsupported.
    [[nodiscard]] Result<void> makeDurable();
    /// Notes a failed try in the shape's attempts and error columns, where it names them; in a
    /// transaction of its own, on a session with no open claim. A row that is held or gone is left.
    [[nodiscard]] Result<void> noteFailure(const MessageId &id, const QString &reason);
    /// LISTENs on `channel` (PostgreSQL; Unsupported on MariaDB); again after each reconnect. A
    /// hint only: polling is the truth.
    [[nodiscard]] Result<void> listen(const QString &channel);
    /// Waits until a NOTIFY came, the file changed (SQLite), or `milliseconds` passed; true =
    /// something happened.
    [[nodiscard]] Result<bool> waitForChange(int milliseconds);
    /// As `SqlSession::leaveEarlierPrimary`, on a session with no open claim.
    [[nodiscard]] Result<void> leaveEarlierPrimary();

    /// Keeps other runs of a job on this table away, those of other processes too, until it is
    /// released or the session ends; false: there is one. Between claims only.
    [[nodiscard]] Result<bool> takeJobLock();
    [[nodiscard]] Result<void> releaseJobLock();

    /// Callable from any thread: shuts the session's socket, so that a call that hangs on a server
    /// that stands still returns an error at once. No-op on SQLite.
    void interrupt() noexcept;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
