// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/result.h"

#include "models/enumtext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto errorKinds = enumTexts<Error::Kind>({
    {Error::Kind::Unreachable, u"unreachable"},
    {Error::Kind::Refused, u"refused"},
    {Error::Kind::Timeout, u"timeout"},
    {Error::Kind::Conflict, u"conflict"},
    {Error::Kind::Constraint, u"constraint"},
    {Error::Kind::Protocol, u"protocol"},
    {Error::Kind::Unsupported, u"unsupported"},
    {Error::Kind::Cancelled, u"cancelled"},
    {Error::Kind::Invalid, u"invalid"},
});

} // namespace

QString word(Error::Kind kind)
{
    return errorKinds.word(kind);
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
    if (!error.hint.isEmpty()) {
        if (line.endsWith(u'.')) // servers end some of their sentences
            line.chop(1);
        line += u". "_s + bounded(error.hint);
    }
    // What Redis says begins with its code.
    if (!error.code.isEmpty() && !error.text.startsWith(QString(error.code + u' ')))
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
