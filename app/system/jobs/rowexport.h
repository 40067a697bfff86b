// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of an outbox brought into a file in the background, slice by slice: what a filter means, or
// those that were chosen.
#pragma once

#include "app/system/jobs/slicedjob.h"
#include "app/system/sources/target.h"
#include "models/filter/pagerequest.h"
#include "models/message/rowexport.h"
#include "models/shape/outboxshape.h"

#include <QElapsedTimer>
#include <QObject>

namespace outbox {

/// What is exported, and where to.
struct RowExportOrder
{
    /// Of it the filter and the states count, or the ids: rows that are gone are left out.
    PageRequest rows;
    RowExportForm form = RowExportForm::JsonLines;
    QString file; ///< absolute; what is there is replaced at the end
    QString total; ///< as `RowExportState::total`
};

/// Reads in sessions of its own that only look, in short statements without a transaction around
/// them, and rests after each slice as long as the slice took. The newest rows come first, so that
/// it ends however fast others insert: rows that come meanwhile are not in the file. A row that
/// changes its place in that order meanwhile may be missed or stand in it twice. Memory does not
/// grow with the rows. Without a row that matches no file is made; cancelled or failed it leaves
/// none, and what had the name stays; only where the file has its name already and the folder could
/// not be synced, it stays and the error is of unknown effect. Lives in the asker's thread and
/// never waits but in its destructor, for a room that is woken.
class RowExport : public QObject
{
    Q_OBJECT

public:
    explicit RowExport(Target target, QObject *parent = nullptr);
    ~RowExport() override;

    /// Times in the filter count from now. An export that is under way is dropped, untold.
    void start(const OutboxShape &shape, const RowExportOrder &order);
    /// Ends it; `progressed` tells. Does nothing where none is under way, and in Finishing: then
    /// the file may have its name already.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    [[nodiscard]] const RowExportState &state() const { return m_state; }

signals:
    /// After each slice, and at the end.
    void progressed(const outbox::RowExportState &state);

private:
    using Phase = RowExportState::Phase;
    struct Session; ///< what an export keeps in its room
    struct Read; ///< what a slice is asked for
    struct Slice; ///< what became of it

    [[nodiscard]] static Result<Slice> write(Session &session, const Read &read);
    [[nodiscard]] static Result<qint64> keepByTask(Session &session, const Read &read,
                                                   QList<Message> &rows);
    [[nodiscard]] static Result<qint64> writeWhole(Session &session, const Read &read,
                                                   const QList<Message> &rows);
    [[nodiscard]] static Result<void> writeCsv(Session &session, const Read &read,
                                               const QList<Message> &rows);
    void next();
    void take(const Result<Slice> &slice);
    /// Where a page took too long, the table is gone through along its key; false: it was already,
    /// row by row.
    [[nodiscard]] bool tryLess();
    void finish();
    void end(Phase phase, const std::optional<Error> &error = {});

    /// Where it is.
    struct Place
    {
        OutboxShape shape;
        PageRequest request; ///< with the time that its filter counts from
        qsizetype id = 0; ///< of the chosen ones the next
        qint64 searchRows = 0; ///< 0: by pages; else rows of the next slice of a search
    };

    Target m_target;
    Place m_place;
    RowExportState m_state;
    QElapsedTimer m_running;
    SlicedJob<Session> m_job;
};

} // namespace outbox
