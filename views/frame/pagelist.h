// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages at the left, each with its live badge.
#pragma once

#include <QListWidget>

namespace outbox {

class PageList : public QListWidget
{
    Q_OBJECT

public:
    explicit PageList(QWidget *parent = nullptr);

    void addPage(const QString &icon, const QString &name, const QString &tip);
    void setName(int page, const QString &name);
    /// A page that is not shown cannot be chosen.
    void setShown(int page, bool shown);
    /// Empty: no badge. A stale badge is grey and ends in a question mark. `meaning` says to a
    /// screen reader what is counted: "pending".
    void setBadge(int page, const QString &badge, bool stale, const QString &meaning = {});
    [[nodiscard]] QString badge(int page) const;
    [[nodiscard]] bool isBadgeStale(int page) const;
    /// Icons only; names move to the tooltips.
    void setCompact(bool compact);
    [[nodiscard]] bool isCompact() const { return m_compact; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {10, 100}; }

private:
    bool m_compact = false;
};

} // namespace outbox
