// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/failuregroups.h"

#include "models/enumtext.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 hourSeconds = 3600;

constexpr auto groupings = enumTexts<GroupBy>({
    {GroupBy::Cause, u"cause", "type and error"},
    {GroupBy::Error, u"error", "error"},
    {GroupBy::Type, u"type", "type"},
    {GroupBy::Queue, u"queue", "queue"},
    {GroupBy::Hour, u"hour", "hour"},
});

QDateTime hourOf(const QDateTime &at)
{
    return QDateTime::fromSecsSinceEpoch(at.toSecsSinceEpoch() / hourSeconds * hourSeconds,
                                         Qt::UTC);
}

FilterNode term(const QString &field, FilterOp op, const FilterValue &value)
{
    return {FilterNode::Kind::Term, {field, op, {value}}, {}};
}

/// The field is this text, whatever stands in it.
FilterNode is(const QString &field, const QString &value)
{
    return value.isEmpty() ? term(field, FilterOp::Matches, {u"none"_s, {}, false})
                           : term(field, FilterOp::Equals, {value, {}, true});
}

} // namespace

QString label(GroupBy by)
{
    return groupings.label(by, "outbox::FailureGroups");
}

QList<GroupBy> allGroupings()
{
    return groupings.all();
}

QString FailureGroup::key() const
{
    const auto part
        = [](const QString &one) -> QString { return QString::number(one.size()) + u':' + one; };
    return part(type) + part(cause) + part(queue)
        + (hour ? QString::number(hour->toSecsSinceEpoch()) : QString());
}

namespace {

/// Takes members one by one. Keeps so many groups at most, whatever comes, and lists the largest.
class FailureGrouper
{
public:
    /// `sample` says whose groups and since when; its items are not taken.
    FailureGrouper(GroupBy by, const FailureSample &sample)
        : m_by(by), m_source(sample.question.source),
          m_filter(outbox::filterOf(sample.question, sample.at)), m_from(sample.from()),
          m_to(sample.at)
    {
        if (m_from.isValid())
            return;
        for (const FailedItem &item : sample.items) {
            if (item.at && (!m_from.isValid() || *item.at < m_from))
                m_from = *item.at;
        }
    }

    void add(const FailedItem &item)
    {
        ++m_taken;
        FailureGroup begun = this->begun(item);
        const QString key = begun.key();
        auto place = m_places.constFind(key);
        if (place == m_places.constEnd()) {
            if (m_groups.size() == mostKept) {
                ++m_others;
                return;
            }
            begun.example = item.error;
            place = m_places.insert(key, static_cast<int>(m_groups.size()));
            m_groups += begun;
        }
        FailureGroup &group = m_groups[*place];
        ++group.count;
        if (group.ids.size() < FailureGroup::mostIds)
            group.ids += item.id;
        if (!item.at)
            return;
        if (!group.first || *item.at < *group.first)
            group.first = item.at;
        if (!group.last || *item.at > *group.last)
            group.last = item.at;
        if (!m_from.isValid())
            return;
        if (group.trend.isEmpty())
            group.trend.resize(FailureGroup::buckets);
        const qint64 span = std::max<qint64>(1, m_from.msecsTo(m_to));
        const qint64 bucket = m_from.msecsTo(*item.at) * FailureGroup::buckets / span;
        ++group.trend[std::clamp<qint64>(bucket, 0, FailureGroup::buckets - 1)];
    }

    /// Those that are listed; `others` takes the members of the rest.
    [[nodiscard]] QList<FailureGroup> groups(qint64 *others) const
    {
        QList<FailureGroup> listed = m_groups;
        const bool byTime = m_by == GroupBy::Hour;
        std::stable_sort(listed.begin(), listed.end(),
                         [byTime](const FailureGroup &one, const FailureGroup &other) {
                             if (byTime)
                                 return one.hour > other.hour;
                             return one.count > other.count;
                         });
        qint64 rest = m_others;
        while (listed.size() > mostGroupsListed)
            rest += listed.takeLast().count;
        if (others)
            *others = rest;
        for (FailureGroup &group : listed) {
            group.share = double(group.count) / double(std::max<qint64>(1, m_taken));
            group.filter = filterOf(group);
        }
        return listed;
    }

private:
    static constexpr int mostKept = 2'000;

    [[nodiscard]] FailureGroup begun(const FailedItem &item) const
    {
        FailureGroup group;
        group.by = m_by;
        group.source = m_source;
        if (m_by == GroupBy::Cause || m_by == GroupBy::Type)
            group.type = item.type;
        if (m_by == GroupBy::Cause || m_by == GroupBy::Error)
            group.cause = item.cause;
        if (m_by == GroupBy::Queue || m_source == FailureSource::Tasks)
            group.queue = item.queue;
        if (m_by == GroupBy::Hour && item.at)
            group.hour = hourOf(*item.at);
        return group;
    }

    [[nodiscard]] QString filterOf(const FailureGroup &group) const
    {
        Filter filter = m_filter;
        QList<FilterNode> &parts = filter.root.parts;
        if (m_by == GroupBy::Queue || m_source == FailureSource::Tasks)
            parts += is(u"queue"_s, group.queue);
        if (m_by == GroupBy::Cause || m_by == GroupBy::Type)
            parts += is(u"type"_s, group.type);
        if (m_by == GroupBy::Cause || m_by == GroupBy::Error)
            parts += is(u"cause"_s, group.cause);
        if (m_by == GroupBy::Hour) {
            const QString field = m_source == FailureSource::Rows ? u"created"_s : u"failed"_s;
            if (group.hour) { // a second belongs to it whole
                const QString from = group.hour->toString(Qt::ISODate);
                const QString to = group.hour->addSecs(hourSeconds - 1).toString(Qt::ISODate);
                parts += term(field, FilterOp::Matches, {from, to, false});
            } else {
                parts += is(field, {});
            }
        }
        const QString text = filter.text();
        return Filter::fromText(text) == filter ? text : QString();
    }

    GroupBy m_by;
    FailureSource m_source;
    Filter m_filter;
    QDateTime m_from;
    QDateTime m_to;
    qint64 m_taken = 0;
    qint64 m_others = 0;
    QHash<QString, int> m_places; ///< by key
    QList<FailureGroup> m_groups;
};

} // namespace

QList<FailureGroup> groupsOf(const FailureSample &sample, GroupBy by, qint64 *others)
{
    FailureGrouper grouper(by, sample);
    for (const FailedItem &item : sample.items)
        grouper.add(item);
    return grouper.groups(others);
}

QString noteKey(const FailureGroup &group)
{
    if (group.by == GroupBy::Hour)
        return {};
    const QString source = group.source == FailureSource::Rows ? u"rows"_s : u"tasks"_s;
    return source + u' ' + groupings.word(group.by) + u' ' + group.key();
}

QString noteWords(const GroupNote &note)
{
    if (note.who.isEmpty() || note.text.isEmpty())
        return note.who + note.text;
    return note.who + u": "_s + note.text;
}

} // namespace outbox
