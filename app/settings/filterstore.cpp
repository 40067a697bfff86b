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

} // namespace

QString FilterStore::fileIn(const QString &folder)
{
    return folder + u"/filters.txt"_s;
}

Result<QList<SavedFilter>> FilterStore::load() const
{
    const QString doing = u"reading "_s + m_file;
    QFile file(m_file);
    if (!file.exists())
        return QList<SavedFilter>();
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    const QByteArray bytes = file.read(mostBytes + 1);
    if (bytes.size() > mostBytes)
        return fail(Error::Kind::Invalid, doing, u"it is too large to be a list of filters"_s);
    return savedFiltersFrom(QString::fromUtf8(bytes));
}

Result<QList<SavedFilter>> FilterStore::write(const QList<SavedFilter> &filters) const
{
    const QString doing = u"writing "_s + m_file;
    TRY(ensurePrivateFolder(QFileInfo(m_file).absolutePath()));
    const QByteArray bytes = toText(filters).toUtf8();
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly)
        || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        || file.write(bytes) != bytes.size()
        || !file.flush() // commit() alone hides that a full disk did not take all
        || !file.commit())
        return fail(Error::Kind::Refused, doing, file.errorString());
    return filters;
}

Result<QList<SavedFilter>> FilterStore::save(const SavedFilter &filter) const
{
    const auto filters = load();
    return filters ? write(withFilter(*filters, filter)) : filters;
}

Result<QList<SavedFilter>> FilterStore::remove(const SavedFilter &filter) const
{
    auto filters = TRY(load());
    filters.removeIf([&filter](const SavedFilter &one) { return isNamedAs(one, filter); });
    return write(filters);
}

Result<QList<SavedFilter>> FilterStore::take(const QString &text) const
{
    auto taken = TRY(savedFiltersFrom(text));
    auto filters = load();
    if (!filters)
        return filters;
    for (const SavedFilter &one : taken)
        filters = withFilter(*std::move(filters), one);
    return write(*filters);
}

} // namespace outbox
