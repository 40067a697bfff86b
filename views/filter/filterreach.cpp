// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter/filterreach.h"

#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "views/filter/filterbar.h"

namespace outbox {

ReachWords wordsOf(FilterReach reach, FilterSubject subject)
{
    if (subject == FilterSubject::Tasks) {
        if (reach == FilterReach::Scan) {
            return {FilterBar::tr("scan"),
                    FilterBar::tr("The tasks are read and searched page by page: a queue finds "
                                  "them by their state alone.")};
        }
        return {FilterBar::tr("queue"), FilterBar::tr("The queue lists these tasks by itself.")};
    }
    switch (reach) {
    case FilterReach::Queue:
        return {
            FilterBar::tr("SQL + queue"),
            FilterBar::tr("The database lists the rows; the queue is asked for each of a page.")};
    case FilterReach::Scan:
        return {FilterBar::tr("scan"),
                FilterBar::tr(
                    "The newest rows are read and searched: there is no quicker way to these.")};
    case FilterReach::Sql:
        break;
    }
    return {FilterBar::tr("SQL"), FilterBar::tr("The database finds these rows by itself.")};
}

FilterReach reachOf(const CheckNode &checks, FilterSubject subject)
{
    return subject == FilterSubject::Tasks ? taskReachOf(checks) : reachOf(checks);
}

} // namespace outbox
