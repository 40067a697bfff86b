// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/preferences.h"

#include "app/settings/jsonfile.h"
#include "models/enumtext.h"

#include <QJsonArray>
#include <QVariant>

#include <algorithm>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fastestRefreshMs = 200;
constexpr int slowestRefreshMs = 60'000;

constexpr auto themeTexts = enumTexts<Preferences::Theme>({
    {Preferences::Theme::Light, u"light"},
    {Preferences::Theme::Dark, u"dark"},
    {Preferences::Theme::System, u"system"},
});

QString encoded(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray decoded(const QJsonValue &value)
{
    return QByteArray::fromBase64(value.toString().toLatin1());
}

} // namespace

Result<Preferences> Preferences::load(const QString &file)
{
    const auto document = TRY(readJsonFile(file));
    if (!document.isObject() && !document.isNull())
        return fail(Error::Kind::Invalid, u"reading %1"_s.arg(file), u"it is no JSON object"_s);
    QJsonObject json = document.object();
    Preferences preferences;
    preferences.theme = themeTexts.fromWord(json.take("theme"_L1).toString())
                            .value_or(Preferences::Theme::System);
    preferences.windowGeometry = decoded(json.take("window_geometry"_L1));
    preferences.windowState = decoded(json.take("window_state"_L1));
    preferences.refreshMs = std::clamp(json.take("refresh_ms"_L1).toInt(preferences.refreshMs),
                                       fastestRefreshMs, slowestRefreshMs);
    preferences.lastProfile = json.take("last_profile"_L1).toString();
    preferences.metricsPort = std::clamp(json.take("metrics_port"_L1).toInt(), 0,
                                         int{std::numeric_limits<quint16>::max()});
    preferences.watchesFleet = json.take("watch_fleet"_L1).toBool();
    preferences.tables = json.take("tables"_L1).toObject();
    preferences.earlier = json.take("charts_behind"_L1).toString();
    preferences.oldestFirst = json.take("oldest_first"_L1).toVariant().toStringList();
    preferences.others = json;
    return preferences;
}

Result<void> Preferences::save(const QString &file) const
{
    QJsonObject json = others;
    json["theme"_L1] = themeTexts.word(theme);
    json["window_geometry"_L1] = encoded(windowGeometry);
    json["window_state"_L1] = encoded(windowState);
    json["refresh_ms"_L1] = refreshMs;
    json["last_profile"_L1] = lastProfile;
    json["metrics_port"_L1] = metricsPort;
    json["watch_fleet"_L1] = watchesFleet;
    json["tables"_L1] = tables;
    json["charts_behind"_L1] = earlier;
    json["oldest_first"_L1] = QJsonArray::fromStringList(oldestFirst);
    return writeJsonFile(file, QJsonDocument(json));
}

} // namespace outbox
