// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/filterstore.h"

#include "app/settings/privatefile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostBytes = 4'000'000;

Result<QList<SavedFilter>> writeFilters(const QString &path, const QList<SavedFilter> &filters)
{
    const QString doing = u"writing "_s + path;
    TRY(ensurePrivateFolder(QFileInfo(path).absolutePath()));
    const QByteArray bytes = toText(filters).toUtf8();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        || file.write(bytes) != bytes.size()
        || !file.flush() // commit() alone hides that a full disk did not take all
        || !file.commit())
        return fail(Error::Kind::Refused, doing, file.errorString());
    return filters;
}

} // namespace

QString filtersFileIn(const QString &folder)
{
    return folder + u"/filters.txt"_s;
}

Result<QList<SavedFilter>> loadFilters(const QString &path)
{
    const QString doing = u"reading "_s + path;
    QFile file(path);
    if (!file.exists())
        return QList<SavedFilter>();
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    const QByteArray bytes = file.read(mostBytes + 1);
    if (bytes.size() > mostBytes)
        return fail(Error::Kind::Invalid, doing, u"it is too large to be a list of filters"_s);
    return savedFiltersFrom(QString::fromUtf8(bytes));
}

Result<QList<SavedFilter>> saveFilter(const QString &file, const SavedFilter &filter)
{
    const auto filters = loadFilters(file);
    return filters ? writeFilters(file, withFilter(*filters, filter)) : filters;
}

Result<QList<SavedFilter>> removeFilter(const QString &file, const SavedFilter &filter)
{
    auto filters = TRY(loadFilters(file));
    filters.removeIf([&filter](const SavedFilter &one) { return isNamedAs(one, filter); });
    return writeFilters(file, filters);
}

Result<QList<SavedFilter>> takeFilters(const QString &file, const QString &text)
{
    auto taken = TRY(savedFiltersFrom(text));
    auto filters = loadFilters(file);
    if (!filters)
        return filters;
    for (const SavedFilter &one : taken)
        filters = withFilter(*std::move(filters), one);
    return writeFilters(file, *filters);
}

} // namespace outbox
