// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/login.h"

#include "models/translation.h"

#include <algorithm>
#include <array>

namespace outbox {

namespace {

constexpr Translation logInText("outbox::LogIn");

struct LogInMeaning
{
    QLatin1StringView code;
    const char *why;
};

constexpr std::array logInMeanings{
    LogInMeaning{wrongPasswordCode, QT_TRANSLATE_NOOP("outbox::LogIn", "wrong password")},
    LogInMeaning{noPasswordCode, QT_TRANSLATE_NOOP("outbox::LogIn", "it asks for a password")},
    // of MariaDB
    LogInMeaning{QLatin1StringView("1045"),
                 QT_TRANSLATE_NOOP("outbox::LogIn", "wrong user or password")},
    LogInMeaning{QLatin1StringView("1698"),
                 QT_TRANSLATE_NOOP("outbox::LogIn", "wrong user or password")},
    // of Redis
    LogInMeaning{QLatin1StringView("WRONGPASS"),
                 QT_TRANSLATE_NOOP("outbox::LogIn", "wrong user or password")},
    LogInMeaning{QLatin1StringView("NOAUTH"),
                 QT_TRANSLATE_NOOP("outbox::LogIn", "it asks for a password")},
};

const LogInMeaning *logInMeaningOf(const Error &error)
{
    const auto found
        = std::find_if(logInMeanings.begin(), logInMeanings.end(),
                       [&error](const LogInMeaning &one) { return error.code == one.code; });
    return error.kind == Error::Kind::Refused && found != logInMeanings.end() ? &*found : nullptr;
}

} // namespace

bool isLogInRefused(const Error &error)
{
    return logInMeaningOf(error) != nullptr;
}

QString logInRefused(Source source, const LogInNames &names, const Error &error)
{
    const LogInMeaning *meaning = logInMeaningOf(error);
    const QString why = meaning ? logInText(meaning->why) : error.text;
    const QString &user = source == Source::Database ? names.database : names.redis;
    if (source == Source::Database) {
        return user.isEmpty()
            ? logInText("The database refused the log-in: %1").arg(why)
            : logInText("The database refused the log-in of \"%1\": %2").arg(user, why);
    }
    return user.isEmpty() ? logInText("Redis refused the log-in: %1").arg(why)
                          : logInText("Redis refused the log-in of \"%1\": %2").arg(user, why);
}

} // namespace outbox
