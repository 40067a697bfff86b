// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/savedfilters.h"

#include "models/filter/checks.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostFilters = 1000;
constexpr qsizetype mostOfName = 60;
constexpr auto tasksWord = "tasks"_L1;

Failure wrongLine(qsizetype number, const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading saved filters"_s,
                u"line %1: %2"_s.arg(number).arg(text), {}, hint);
}

Result<SavedFilter> fromLine(const QString &line, qsizetype number)
{
    const qsizetype sign = line.indexOf(u'=');
    QString name = line.left(sign).trimmed();
    if (sign < 0 || name.isEmpty())
        return wrongLine(number, u"no name"_s, u"write `name = filter`"_s);
    SavedFilter filter;
    filter.text = line.mid(sign + 1).trimmed();
    if (const qsizetype open = name.lastIndexOf(u'['); open > 0 && name.endsWith(u']')) {
        for (const QString &part : name.mid(open + 1).chopped(1).split(u',')) {
            const QString kind = part.trimmed();
            if (kind == tasksWord) {
                filter.subject = FilterSubject::Tasks;
                continue;
            }
            filter.environment = environmentFromWord(kind);
            if (!filter.environment)
                return wrongLine(number, u"`%1` is no kind of profile"_s.arg(kind));
        }
        name = name.left(open);
    }
    filter.name = asFilterName(name);
    const auto read = Filter::fromText(filter.text);
    // Times count from whenever it is used; here it only matters that they are times.
    const auto checks
        = read ? checksOf(*read, filter.subject, QDateTime::fromMSecsSinceEpoch(0)) : passOn(read);
    if (!checks || filter.text.isEmpty() || filter.name.isEmpty()) {
        return wrongLine(number, checks ? u"nothing is asked for"_s : checks.error().text,
                         checks ? QString() : checks.error().hint);
    }
    return filter;
}

} // namespace

QString asFilterName(const QString &text)
{
    QString name = text.simplified(); // line breaks are blanks by it
    name.removeIf([](QChar c) { return c == u'=' || c == u'[' || c == u']' || !c.isPrint(); });
    return name.simplified().left(mostOfName).trimmed();
}

bool isNamedAs(const SavedFilter &one, const SavedFilter &other)
{
    return one.name == other.name && one.subject == other.subject;
}

QList<SavedFilter> withFilter(QList<SavedFilter> filters, const SavedFilter &filter)
{
    filters.removeIf([&filter](const SavedFilter &one) { return isNamedAs(one, filter); });
    const auto before = [](const SavedFilter &a, const SavedFilter &b) {
        const int order = a.name.compare(b.name, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : a.subject < b.subject;
    };
    filters.insert(std::lower_bound(filters.cbegin(), filters.cend(), filter, before), filter);
    return filters;
}

QString toText(const QList<SavedFilter> &filters)
{
    QString text;
    for (const SavedFilter &one : filters) {
        QStringList kinds;
        if (one.subject == FilterSubject::Tasks)
            kinds += tasksWord;
        if (one.environment)
            kinds += word(*one.environment);
        text += one.name + (kinds.isEmpty() ? QString() : u" ["_s + kinds.join(u", "_s) + u']')
            + u" = "_s + one.text + u'\n';
    }
    return text;
}

Result<QList<SavedFilter>> savedFiltersFrom(const QString &text)
{
    QList<SavedFilter> filters;
    qsizetype number = 0;
    for (const QString &line : text.split(u'\n')) {
        ++number;
        const QString trimmed = line.trimmed();
        if (trimmed.isEmpty() || trimmed.startsWith(u'#'))
            continue;
        if (filters.size() >= mostFilters)
            return wrongLine(number, u"there are more than %1 filters"_s.arg(mostFilters));
        const auto filter = TRY(fromLine(trimmed, number));
        filters = withFilter(std::move(filters), filter);
    }
    return filters;
}

} // namespace outbox
