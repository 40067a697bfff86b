// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way through keyset pages: cursors point forwards only, so the way back is remembered.
#pragma once

#include <QString>
#include <QStringList>

namespace outbox {

class KeysetPager
{
public:
    /// Back to the first page.
    void restart()
    {
        m_behind.clear();
        m_here.clear();
        m_next.clear();
    }
    /// The cursor that the page shown now was asked with; empty on the first page.
    [[nodiscard]] const QString &here() const { return m_here; }
    /// Pages before this one.
    [[nodiscard]] qsizetype number() const { return m_behind.size(); }
    [[nodiscard]] bool hasPrevious() const { return !m_behind.isEmpty(); }
    [[nodiscard]] bool hasNext() const { return !m_next.isEmpty(); }
    /// What the page shown now said about the one behind it.
    void setNext(const QString &cursor) { m_next = cursor; }

    /// Steps on; no-op on the last page.
    void toNext()
    {
        if (!hasNext())
            return;
        m_behind.append(m_here);
        m_here = m_next;
        m_next.clear();
    }
    /// Steps back; no-op on the first page.
    void toPrevious()
    {
        if (!hasPrevious())
            return;
        m_next = m_here;
        m_here = m_behind.takeLast();
    }

private:
    QStringList m_behind;
    QString m_here;
    QString m_next;
};

} // namespace outbox
