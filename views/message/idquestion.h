// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Would this id be refused, and until when": a field, and the answer in words.
#pragma once

#include "models/system/systemview.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace outbox {

class OfferedVerbs;

class IdQuestion : public QWidget
{
    Q_OBJECT

public:
    explicit IdQuestion(QWidget *parent = nullptr);

    /// Answers for another id than the one asked last are dropped.
    void setVerdict(const IdVerdict &verdict);
    void setId(const QString &id);
    void focusField();
    void forget();

signals:
    void idAsked(const outbox::MessageId &id);

private:
    void ask();

    QLineEdit *m_field;
    QPushButton *m_ask;
    QLabel *m_glyph;
    QLabel *m_sentence;
    QLabel *m_replay;
    OfferedVerbs *m_offered;
    MessageId m_asked;
};

} // namespace outbox
