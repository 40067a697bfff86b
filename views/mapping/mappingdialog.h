// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The mapping editor: a table, what its columns mean, and at once what that makes of its rows.
#pragma once

#include "models/mapping/mappingdraft.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;

namespace outbox {

class MappingForm;
class MappingPreviewPane;
class MappingTables;
class NoticeBar;
class PayloadMasks;

/// Opened with open(), never exec(). It edits a copy: Cancel and Esc leave everything as it was.
class MappingDialog : public QDialog
{
    Q_OBJECT

public:
    explicit MappingDialog(QWidget *parent = nullptr);

    void setTables(const QList<ProbeFinding> &findings, const QStringList &names);
    /// The table that `tableChosen` asked for; a mapping given for it before is taken.
    void setSurvey(const TableSurvey &survey);
    /// A ready mapping: that of the profile, or one from a file. Its table is asked for.
    void openShape(const OutboxShape &shape);
    void openTable(const TableName &table);
    void setPreview(const MappingPreview &preview);
    /// What of payloads is not to be seen.
    void setMasks(const PayloadMasks &masks);
    /// Something could not be read or written.
    void tell(const QString &problem);
    [[nodiscard]] OutboxShape shape() const;

signals:
    void tableChosen(const outbox::TableName &table);
    void previewAsked(const outbox::OutboxShape &shape, const QString &statusColumn,
                      const QList<outbox::MessageState> &states);
    void previewUnwanted();
    void importAsked();
    void exportAsked(const outbox::OutboxShape &shape);
    /// A person looked at the mapping and takes it.
    void confirmed(const outbox::OutboxShape &shape);

private:
    [[nodiscard]] QLayout *buildButtons();
    void askPreview();
    void judge();

    MappingTables *m_tables;
    MappingForm *m_form;
    MappingPreviewPane *m_preview;
    NoticeBar *m_notice;
    QLabel *m_problem;
    QPushButton *m_export;
    QPushButton *m_confirm;
    std::optional<OutboxShape> m_given; ///< for the table that is being read
    bool m_hasTable = false;
    bool m_isSeen = false; ///< the preview is of the mapping as it stands, and shows no problem
};

} // namespace outbox
