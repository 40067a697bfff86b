// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which rows are exported, and in which form; and what is said before: the masks, and the moment
// that a file tells of.
#pragma once

#include "models/message/rowexport.h"

#include <QDialog>

class QLabel;
class QRadioButton;

namespace outbox {

/// What can be exported when the dialog opens.
struct RowExportOffer
{
    QString filter; ///< as it was applied; empty: all rows
    QString total; ///< how many match, as it is shown; empty: not known
    qsizetype selected = 0; ///< rows
    bool hasMasks = false; ///< of payloads
};

/// Asks for no file: whoever hears `chosen` does. GUI thread.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(const RowExportOffer &offer, QWidget *parent = nullptr);

signals:
    void chosen(outbox::RowExportForm form, bool selectedOnly);

private:
    void build(const RowExportOffer &offer);
    void tell();

    bool m_hasMasks;
    QRadioButton *m_all;
    QRadioButton *m_selected;
    QRadioButton *m_jsonLines;
    QRadioButton *m_csv;
    QLabel *m_form;
    QLabel *m_masks;
};

} // namespace outbox
