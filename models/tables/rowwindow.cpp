// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/pagerequest.h"
#include "models/tables/rowwindow.h"

#include <algorithm>

namespace outbox {

void RowWindow::restart()
{
    *this = {};
}

PageRequest RowWindow::request(const PageRequest &base) const
{
    PageRequest request = base;
    request.after = m_top;
    request.limit = m_rows;
    return request;
}

void RowWindow::arrived(const MessagePage &page)
{
    m_page = page;
    m_page.rows.clear();
}

bool RowWindow::goDown()
{
    if (isAtEnd())
        return false;
    if (m_rows < most) {
        m_rows += step;
    } else if (!m_page.steps.isEmpty()) {
        m_top = m_page.steps.constFirst();
        if (m_above)
            *m_above += step;
    }
    m_page.next.clear(); // not known again before the answer
    return true;
}

PageRequest RowWindow::otherWay(const PageRequest &base, const QString &from, int rows)
{
    PageRequest request = base;
    request.newestFirst = !base.newestFirst;
    request.after = from;
    request.limit = rows + 1; // the window begins behind one that is not in it
    return request;
}

PageRequest RowWindow::seekUp(const PageRequest &base) const
{
    return otherWay(base, m_page.back, step);
}

PageRequest RowWindow::seekLast(const PageRequest &base)
{
    return otherWay(base, {}, step);
}

PageRequest RowWindow::seekAge(const PageRequest &base, double seconds)
{
    FilterTerm term;
    term.field = QStringLiteral("age");
    term.op = base.newestFirst ? FilterOp::GreaterOrEqual : FilterOp::LessOrEqual;
    term.values = {{QString::number(static_cast<qint64>(seconds)) + u's', {}, false, 0}};
    PageRequest request = base;
    request.filter.root.parts += FilterNode{FilterNode::Kind::Term, term, {}};
    request.limit = 1;
    return request;
}

PageRequest RowWindow::seekId(const PageRequest &base, const MessageId &id)
{
    PageRequest request = base;
    request.ids = {id};
    request.limit = 1;
    return request;
}

PageRequest RowWindow::seekAround(const PageRequest &base, const MessagePage &found)
{
    return otherWay(base, found.back, step / 2);
}

void RowWindow::begin(const MessagePage &found, bool isUp)
{
    const bool isStart = found.next.isEmpty();
    m_top = isStart ? QString() : found.turn;
    if (isStart)
        m_above = 0;
    else if (isUp && m_above)
        m_above = std::max<qint64>(0, *m_above - step);
    else
        m_above = std::nullopt;
    m_rows = isUp ? std::min(most, m_rows + step) : step; // the rows on screen stay
    m_page.next.clear();
}

} // namespace outbox
