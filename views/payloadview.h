// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One payload as text, as a JSON tree or as bytes; opens with what it probably is.
#pragma once

#include <QByteArray>
#include <QWidget>

class QButtonGroup;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QToolButton;

namespace outbox {

class JsonTreeView;

class PayloadView : public QWidget
{
    Q_OBJECT

public:
    enum class Form { Text, Tree, Hex };

    explicit PayloadView(const QString &name, QWidget *parent = nullptr);

    /// `payload` may be a prefix of the `storedBytes` that are stored (-1: the row it refers to is
    /// gone). The same payload again changes nothing, so that scrolling and selection stay.
    void setPayload(const QByteArray &payload, qint64 storedBytes);
    void clear();
    void choose(Form form);
    [[nodiscard]] Form form() const;

private:
    void fill();
    void fillText();
    void copyAll() const;

    QByteArray m_payload;
    qint64 m_storedBytes = 0;
    bool m_filled[3] = {false, false, false};
    QButtonGroup *m_forms;
    QToolButton *m_copy;
    QLabel *m_note;
    QStackedWidget *m_pages;
    QPlainTextEdit *m_text;
    JsonTreeView *m_tree;
    QPlainTextEdit *m_hex;
};

} // namespace outbox
