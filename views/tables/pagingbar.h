// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps through keyset pages and says where one is.
#pragma once

#include "models/tables/keysetpager.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace outbox {

class PagingBar : public QWidget
{
    Q_OBJECT

public:
    /// `back` and `on` are what the two buttons say.
    PagingBar(const QString &name, const QString &back, const QString &on,
              QWidget *parent = nullptr);

    /// The cursor to ask with.
    [[nodiscard]] const QString &cursor() const { return m_pager.here(); }
    [[nodiscard]] bool isFirst() const { return !m_pager.hasPrevious(); }
    /// Pages before the one shown.
    [[nodiscard]] qsizetype number() const { return m_pager.number(); }
    void restart();
    /// No step is possible until the answer is there.
    void wait();
    /// The page is there: `next` is the cursor behind it, `where` what is shown of it.
    void arrived(const QString &next, const QString &where);

signals:
    /// A person stepped: the page of `cursor` is wanted.
    void stepped();

private:
    KeysetPager m_pager;
    QLabel *m_where;
    QToolButton *m_back;
    QToolButton *m_on;
};

} // namespace outbox
