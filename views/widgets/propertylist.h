// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names and values, one line each, that can be selected and copied.
#pragma once

#include <QList>
#include <QScrollArea>
#include <QString>

#include <utility>

class QGridLayout;
class QLabel;

namespace outbox {

struct Fact
{
    QString name;
    QString value; ///< untrusted is fine: it is shown as plain text
    bool alarming = false;
    bool fixed = false; ///< an id or a number: in the fixed-width font

    bool operator==(const Fact &) const = default;
};

class PropertyList : public QScrollArea
{
    Q_OBJECT

public:
    /// `name` is the objectName, `spoken` the accessible name.
    PropertyList(const QString &name, const QString &spoken, QWidget *parent = nullptr);

    /// Shows these; labels are reused, so that a refresh keeps selection and scroll position.
    void setFacts(const QList<Fact> &facts);

protected:
    /// The colour of what is alarming is the theme's.
    void changeEvent(QEvent *event) override;

private:
    void addLine();

    QGridLayout *m_grid;
    QList<std::pair<QLabel *, QLabel *>> m_lines; ///< name and value
    QList<Fact> m_facts;
};

} // namespace outbox
