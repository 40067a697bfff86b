// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields of forms: a list to choose from by typing, and a duration as a number and its unit. Any
// part of a name finds it in the list; screen readers set its text, which they cannot do to a list
// alone.
#pragma once

#include <QComboBox>
#include <QWidget>

class QSpinBox;

namespace outbox {

struct NamedChoice
{
    QString value;
    QString name; ///< different from those of the others
    QString about; ///< what helps to tell it from others: shown beside the name, and read aloud

    bool operator==(const NamedChoice &) const = default;
};

/// Editable only to be searched: what is no name of the list goes back to the one before.
class ChoiceField : public QComboBox
{
    Q_OBJECT

public:
    /// `spoken` is the accessible name of the list and of its field.
    ChoiceField(const QString &name, const QString &spoken, QWidget *parent = nullptr);

    /// Shows these; nothing is emitted, and a field that is being typed in is left alone.
    void setChoices(const QList<NamedChoice> &choices, const QString &chosen);

signals:
    /// By a person.
    void valueChosen(const QString &value);

protected:
    void wheelEvent(QWheelEvent *event) override;

private:
    void take(const QString &text);
    void choose(const QString &value);
    void settle();

    QString m_chosen;
    QString m_before; ///< chosen when the typing began
    QList<NamedChoice> m_choices;
};

/// A number and its unit.
class DurationEdit : public QWidget
{
    Q_OBJECT

public:
    DurationEdit(const QString &name, const QString &spoken, QWidget *parent = nullptr);

    /// Shows the largest unit that holds it without a rest.
    void setSeconds(qint64 seconds);
    [[nodiscard]] qint64 seconds() const;

signals:
    void edited();

private:
    QSpinBox *m_number;
    QComboBox *m_unit;
};

} // namespace outbox
