// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/alertstore.h"

#include "app/settings/jsonfile.h"
#include "app/settings/privatefile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostOfFileName = 120; ///< bytes; file systems take 255

Result<QList<Alert>> alertsIn(const QJsonDocument &document, const QString &path)
{
    auto alerts = alertsFrom(document);
    if (!alerts)
        alerts.error().doing += u" of "_s + path;
    return alerts;
}

qsizetype alertPlace(const QList<Alert> &alerts, const QString &name)
{
    const auto found = std::find_if(alerts.cbegin(), alerts.cend(),
                                    [&name](const Alert &one) { return one.name == name; });
    return found == alerts.cend() ? -1 : found - alerts.cbegin();
}

} // namespace

QString alertsFileIn(const QString &configFolder, const QString &profileName)
{
    QByteArray name = profileName.toUtf8().toPercentEncoding();
    if (name.size() > mostOfFileName || name.startsWith('.')) {
        name = "%-" // no name is encoded like this
            + QCryptographicHash::hash(profileName.toUtf8(), QCryptographicHash::Sha256).toHex();
    }
    return configFolder + u"/alerts/"_s + QString::fromLatin1(name) + u".json"_s;
}

Result<void> moveAlerts(const QString &configFolder, const QHash<QString, QString> &renamed)
{
    // First all of them out of the way: two profiles may have exchanged their names.
    std::vector<std::pair<PrivateFile, QString>> moving;
    for (auto one = renamed.cbegin(); one != renamed.cend(); ++one) {
        const QString before = alertsFileIn(configFolder, one.key());
        if (!QFileInfo::exists(before))
            continue;
        PrivateFile file = TRY(PrivateFile::open(before, PrivateFile::Mode::Read));
        TRY(file.renameTo(before + u".moving"_s));
        moving.emplace_back(std::move(file), alertsFileIn(configFolder, one.value()));
    }
    for (auto &[file, path] : moving)
        TRY(file.renameTo(path));
    return {};
}

Result<void> dropAlerts(const QString &configFolder, const QString &profileName)
{
    QFile file(alertsFileIn(configFolder, profileName));
    if (!file.exists() || file.remove())
        return {};
    return fail(Error::Kind::Refused, u"deleting "_s + file.fileName(), file.errorString(), {},
                u"Delete it by hand: another system of this name would have its alerts"_s);
}

Result<QList<Alert>> loadAlerts(const QString &path)
{
    if (!QFileInfo::exists(path)) {
        return fail(Error::Kind::Invalid, u"reading "_s + path, u"there is no such file"_s, {},
                    u"Write [{\"name\": \"late\", \"rule\": \"lag > 2m for 1m\"}] into it"_s);
    }
    const QJsonDocument document = TRY(readJsonFile(path));
    return alertsIn(document, path);
}

Result<QList<Alert>> keptAlerts(const QString &path)
{
    const QJsonDocument document = TRY(readJsonFile(path));
    if (document.isNull() || (document.isArray() && document.array().isEmpty()))
        return QList<Alert>();
    return alertsIn(document, path);
}

Result<QList<Alert>> keepAlert(const QString &path, const QString &before, const Alert &alert)
{
    QList<Alert> alerts = TRY(keptAlerts(path));
    const qsizetype at = before.isEmpty() ? -1 : alertPlace(alerts, before);
    const qsizetype same = alertPlace(alerts, alert.name);
    if (same >= 0 && same != at) {
        return fail(Error::Kind::Conflict, u"saving an alert"_s, u"another alert has this name"_s,
                    {}, u"give each its own"_s);
    }
    if (at >= 0)
        alerts[at] = alert;
    else if (alerts.size() < mostAlerts)
        alerts += alert;
    else
        return fail(Error::Kind::Conflict, u"saving an alert"_s,
                    u"there are %1 alerts already"_s.arg(mostAlerts));
    TRY(writeJsonFile(path, toJson(alerts)));
    return alerts;
}

Result<QList<Alert>> removeAlert(const QString &path, const QString &name)
{
    QList<Alert> alerts = TRY(keptAlerts(path));
    alerts.removeIf([&name](const Alert &one) { return one.name == name; });
    TRY(writeJsonFile(path, toJson(alerts)));
    return alerts;
}

} // namespace outbox
