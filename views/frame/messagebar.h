// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results and problems inside the page: at most two at a time, the rest behind "2 more".
#pragma once

#include "models/system/healthreport.h"

#include <QList>
#include <QStringList>
#include <QWidget>

#include <utility>

namespace outbox {

class TabPlace;

struct InlineMessage
{
    QString id; ///< a message with the same id takes the place of the old one
    HealthLevel level = HealthLevel::Ok; ///< Ok is an information
    QString text; ///< what happened, what it means, what to do
    QList<std::pair<QString, QString>> acts; ///< id and text of at most two buttons

    bool operator==(const InlineMessage &) const = default;
};

class MessageBar : public QWidget
{
    Q_OBJECT

public:
    static constexpr qsizetype most = 2;

    explicit MessageBar(QWidget *parent = nullptr);

    void add(const InlineMessage &message);
    void remove(const QString &id);
    [[nodiscard]] qsizetype count() const { return m_messages.size(); }

signals:
    void actAsked(const QString &messageId, const QString &actId);
    void closed(const QString &messageId);

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    [[nodiscard]] QWidget *row(const InlineMessage &message);

    TabPlace *m_place;
    QList<InlineMessage> m_messages; ///< newest first
    bool m_all = false;
};

} // namespace outbox
