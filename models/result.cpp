// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/result.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString word(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Unreachable:
        return u"unreachable"_s;
    case Error::Kind::Refused:
        return u"refused"_s;
    case Error::Kind::Timeout:
        return u"timeout"_s;
    case Error::Kind::Conflict:
        return u"conflict"_s;
    case Error::Kind::Constraint:
        return u"constraint"_s;
    case Error::Kind::Protocol:
        return u"protocol"_s;
    case Error::Kind::Unsupported:
        return u"unsupported"_s;
    case Error::Kind::Cancelled:
        return u"cancelled"_s;
    case Error::Kind::Invalid:
        return u"invalid"_s;
    }
    return u"unknown"_s;
}

QString oneLine(const Error &error)
{
    constexpr qsizetype longestPart = 4000; // a server may quote a whole payload
    const auto bounded = [](const QString &part) {
        return part.size() <= longestPart ? part : part.left(longestPart - 1) + u'…';
    };
    QString line = bounded(error.doing);
    if (!error.text.isEmpty())
        line += u": "_s + bounded(error.text).simplified();
    if (error.position >= 0)
        line += u" (at character %1)"_s.arg(error.position + 1);
    if (!error.hint.isEmpty())
        line += u". "_s + bounded(error.hint);
    if (!error.code.isEmpty())
        line += u" ["_s + bounded(error.code) + u']';
    return line;
}

bool mayHaveHappened(const Error &error)
{
    using Kind = Error::Kind;
    const bool isOpen = error.kind == Kind::Unreachable || error.kind == Kind::Timeout
        || error.kind == Kind::Protocol;
    const auto usual = isOpen ? Error::Effect::Unknown : Error::Effect::None;
    return error.effect.value_or(usual) == Error::Effect::Unknown;
}

Failure withoutEffect(Error error)
{
    error.effect = Error::Effect::None;
    return Failure(std::move(error));
}

Failure withUnknownEffect(Error error)
{
    error.effect = Error::Effect::Unknown;
    return Failure(std::move(error));
}

} // namespace outbox
