// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An editor of what one row sends, or one task holds: what must not change is locked, what is wrong
// is told in place, and the changes are shown while they are made.
#pragma once

#include "models/content/rowcontent.h"
#include "models/operations/commandline.h"
#include "models/profile/profile.h"

#include <QDialog>
#include <QHash>
#include <QTimer>

#include <optional>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace outbox {

class NoticeBar;

/// Non-modal; it changes nothing itself, but asks for a preview.
class EditDialog : public QDialog
{
    Q_OBJECT

public:
    EditDialog(const Profile &profile, const RowContent &content, QWidget *parent = nullptr);

signals:
    void previewAsked(const outbox::OperationRequest &request);
    /// Somebody sees the payload of this row unmasked, until the dialog closes; to be put on
    /// record.
    void unmasked(const outbox::MessageId &id);

private:
    /// How a payload can be edited without changing what nobody touched.
    enum class PayloadAs { Text, Hex, Nothing };
    /// What the fields ask for.
    struct Asked
    {
        RowEdit edit;
        QList<EditedCell> cells;
        QString problem; ///< why it cannot be; empty: nothing is wrong
        QString warning;
    };

    [[nodiscard]] bool isTask() const { return !m_content.queue.isEmpty(); }
    [[nodiscard]] Verb verb() const { return isTask() ? Verb::EditTask : Verb::Edit; }
    [[nodiscard]] QWidget *buildForm();
    void addLine(QFormLayout *form, const RowPartContent &part);
    void addPayload(QFormLayout *form, const RowPartContent &part);
    /// Shows the payload where it may be seen.
    void fillPayload();
    void unmask();
    [[nodiscard]] PayloadAs showPayload(const RowPartContent &part);
    /// What a part is to hold; nullopt: it stays. Fails with Invalid.
    [[nodiscard]] Result<std::optional<Cell>> cellOf(const RowPartContent &part) const;
    [[nodiscard]] Asked asked() const;
    void format();
    void judge();
    void press();

    RowContent m_content;
    PayloadMasks m_masks; ///< none once it was unmasked
    PayloadAs m_payloadAs = PayloadAs::Nothing;
    QString m_shownPayload; ///< as it was shown first
    QHash<RowPart, QLineEdit *> m_lines; ///< of the parts that may be changed
    QPlainTextEdit *m_payload;
    QToolButton *m_format;
    QPushButton *m_unmask;
    QLabel *m_how;
    NoticeBar *m_problem;
    QPlainTextEdit *m_changes;
    QPushButton *m_preview;
    QTimer m_tick; ///< the changes are told when somebody stops typing
};

} // namespace outbox
