// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What went wrong, as a value. The only file that names tl::expected.
#pragma once

#include <QString>

#include <tl/expected.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace outbox {

/// Why something could not be done. `kind` alone decides retry, colour and exit code, `effect`
/// alone whether another look is needed; the texts are shown to a person and never parsed.
struct Error
{
    enum class Kind {
        Unreachable, ///< no connection, or it was lost
        Refused, ///< the server or our own rule says no: rights, read-only, unsafe
        Timeout, ///< a deadline passed; the outcome of what was sent is unknown
        Conflict, ///< the state was not the one that had been seen
        Constraint, ///< the data breaks a rule of the server
        Protocol, ///< an answer that makes no sense
        Unsupported, ///< this server, shape or version cannot do it
        Cancelled, ///< the asker took the question back
        Invalid, ///< configuration or input that cannot be understood
    };
    /// What is known of the change that was asked for.
    enum class Effect {
        None, ///< nothing happened: it was not sent, was refused, or was rolled back
        Unknown, ///< it may have happened, or a part of it did
    };
    Kind kind = Kind::Protocol;
    QString doing; ///< for the operator: "claiming 10 messages from outbox"
    QString text; ///< what the server or library said, first line, trimmed
    QString code; ///< SQLSTATE, native number or Redis prefix; may be empty
    QString hint; ///< what to do next; may be empty
    int position
        = -1; ///< Invalid: index of the character at fault in the text that was read; -1: none
    std::optional<Effect> effect{}; ///< where somebody knows more of it than the kind says

    bool operator==(const Error &) const = default;
};

/// The machine word of a kind, as it stands in `{"error":{"kind":…}}`.
[[nodiscard]] QString word(Error::Kind kind);

/// One line for stderr: what was being done, what happened, what to do next, the code in brackets.
[[nodiscard]] QString oneLine(const Error &error);

template <typename T> using Result = tl::expected<T, Error>;

/// An error on its way out of a function that answers a Result.
using Failure = tl::unexpected<Error>;

/// `return fail(Error::Kind::Timeout, u"reading the catalog"_s, text, code);`
[[nodiscard]] inline Failure fail(Error::Kind kind, QString doing, QString text, QString code = {},
                                  QString hint = {})
{
    return Failure(
        Error{kind, std::move(doing), std::move(text), std::move(code), std::move(hint), -1});
}

/// Hands an error on unchanged: `if (!r) return passOn(r);`
template <typename T> [[nodiscard]] Failure passOn(const Result<T> &result)
{
    return Failure(result.error());
}

/// What `TRY` answers; nothing for a Result<void>.
template <typename R> auto takenFrom([[maybe_unused]] R &&result)
{
    if constexpr (!std::is_void_v<typename std::decay_t<R>::value_type>)
        return *std::forward<R>(result);
}

/// The value of a Result; where it is an error, the function ends and hands that on:
/// `const SqlRows rows = TRY(session.query(sql, doing));`
#define TRY(...)                                                                                   \
    __extension__({                                                                                \
        auto &&tried = (__VA_ARGS__);                                                              \
        if (!tried)                                                                                \
            return ::outbox::passOn(tried);                                                        \
        ::outbox::takenFrom(std::forward<decltype(tried)>(tried));                                 \
    })

/// Whether the change may have happened: only another look can tell. Where nobody knows more, a
/// missing answer, or one without sense, leaves that open.
[[nodiscard]] bool mayHaveHappened(const Error &error);

/// The same error of a change that was not sent, or was rolled back.
[[nodiscard]] Failure withoutEffect(Error error);
template <typename T> [[nodiscard]] Failure withoutEffect(const Result<T> &result)
{
    return withoutEffect(result.error());
}
/// The same error behind something that was done and stays.
[[nodiscard]] Failure withUnknownEffect(Error error);

} // namespace outbox
