// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/exportbar.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using ExportPhase = RowExportState::Phase;

QString rowsText(qint64 rows)
{
    return counted(rows, ExportBar::tr("1 row"), ExportBar::tr("%1 rows"));
}

/// What of the rows is not in the file; empty where nothing is.
QString leftOutText(const RowExportState &state)
{
    QString text;
    if (state.gone > 0) {
        text += u' '
            + counted(state.gone, ExportBar::tr("1 row was gone before it could be read."),
                      ExportBar::tr("%1 rows were gone before they could be read."));
    }
    if (state.undecided > 0) {
        text += u' '
            + counted(state.undecided,
                      ExportBar::tr("1 row has a payload too long to be searched and is left out."),
                      ExportBar::tr(
                          "%1 rows have payloads too long to be searched and are left out."));
    }
    return text;
}

} // namespace

ExportBar::ExportBar(QWidget *parent) : NoticeBar(u"outboxExport"_s, parent)
{
    connect(this, &NoticeBar::actionAsked, this, [this] {
        if (m_isRunning)
            emit cancelAsked();
        else
            clear();
    });
}

QString ExportBar::sentence(const RowExportState &state)
{
    const QString rows = rowsText(state.written);
    const QString file = shownText(state.file);
    const QString span = spanText(state.runMs / 1000);
    switch (state.phase) {
    case ExportPhase::Running: {
        QString text = state.total.isEmpty()
            ? tr("Exporting: %1 written in %2").arg(rows, span)
            : tr("Exporting: %1 of %2 written in %3").arg(rows, shownText(state.total), span);
        if (state.searched > 0)
            text += tr(", %1 gone through").arg(rowsText(state.searched));
        return text + u'.';
    }
    case ExportPhase::Finishing:
        return tr("Exporting: %1 written; the file is brought to the disk.").arg(rows);
    case ExportPhase::Cancelled:
        return tr("Export cancelled after %1. No file is left of it.").arg(rows);
    case ExportPhase::Failed:
        if (state.error && state.error->effect == Error::Effect::Unknown) {
            return tr("Exported %1 to %2, but a crash of this machine may take the file back: %3")
                       .arg(rows, file, shownText(oneLine(*state.error)))
                + leftOutText(state);
        }
        return tr("The export failed after %1, and no file is left of it: %2")
            .arg(rows, state.error ? shownText(oneLine(*state.error)) : QString());
    case ExportPhase::Nothing:
        return tr("Nothing to export: no file was written.") + leftOutText(state);
    case ExportPhase::Done:
        break;
    }
    return tr("Exported %1 in %2, to %3.").arg(rows, span, file) + leftOutText(state);
}

void ExportBar::setState(const RowExportState &state)
{
    m_isRunning = state.isRunning();
    const QString action = state.phase == ExportPhase::Running ? tr("Cancel")
        : m_isRunning                                          ? QString()
                                                               : tr("Close");
    say(state.phase == ExportPhase::Failed ? Tone::Problem : Tone::Info, sentence(state), action);
}

void ExportBar::forget()
{
    m_total.clear();
    m_isRunning = false;
    clear();
}

} // namespace outbox
