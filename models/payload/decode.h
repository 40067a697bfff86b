// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is inside a payload: one format after the other, until there is a tree.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/payload/protobufschema.h"
#include "models/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

enum class PayloadFormat {
    Json,
    Gzip,
    Zlib,
    Zstd,
    Base64,
    Cbor,
    MessagePack,
    Protobuf, ///< without its schema
    Message, ///< of protobuf, and its type is known
    Text,
    Bytes
};

[[nodiscard]] QString word(PayloadFormat format);
[[nodiscard]] QString label(PayloadFormat format);
[[nodiscard]] std::optional<PayloadFormat> payloadFormatFromWord(QStringView word);
/// Their words, for a hint.
[[nodiscard]] QStringList payloadFormatWords();

/// One format, and how many bytes are read as it.
struct PayloadLayer
{
    PayloadFormat format = PayloadFormat::Bytes;
    qsizetype bytes = 0;

    bool operator==(const PayloadLayer &) const = default;
};

struct DecodedPayload
{
    QList<PayloadLayer> layers; ///< outermost first; the tree is that of the last one
    PayloadTree tree;
    QStringList notes; ///< for people: what was not taken apart, and why
    /// What the bytes of the last layer may be as well, or instead: nobody can tell.
    QList<PayloadFormat> offers;
    bool hasInner = false; ///< a text of the tree was decoded; that stands beneath it
    /// What is stored as JSON, read once for all who show it; or why it is none.
    Result<JsonTree> json;

    /// The stored bytes alone do not say all of it.
    [[nodiscard]] bool saysMore() const;
    bool operator==(const DecodedPayload &) const = default;
};

/// "base64 → gzip → JSON, 1.2 kB → 14 kB"; a single format has one size.
[[nodiscard]] QString chainText(const QList<PayloadLayer> &layers);

/// Takes a payload apart, all of which is in `payload`. A format is taken only where the bytes are
/// that from the first to the last one, and are nothing else; what is doubtful (base64 of unknown
/// bytes, CBOR that could be MessagePack, or a text) is offered. Of protobuf a short message, or
/// one without a text, is doubtful. Never fails: in the end there is a text, or bytes. What is
/// beyond a limit is told in the notes. Pure; any thread.
///
/// Where `message` says what it is, it is read so before anything is guessed, also what was packed.
/// What does not fit is never shown as such: a note tells why.
[[nodiscard]] DecodedPayload decodePayload(const QByteArray &payload,
                                           const DecodeLimits &limits = {},
                                           const MessageType &message = {});

/// The same where a person says what the outermost layer is. Fails with the reader's error where
/// the bytes are not that.
[[nodiscard]] Result<DecodedPayload> decodePayloadAs(PayloadFormat format,
                                                     const QByteArray &payload,
                                                     const DecodeLimits &limits = {},
                                                     const MessageType &message = {});

/// A payload that is to be decoded by somebody else.
struct PayloadQuestion
{
    quint64 number = 0; ///< of the question, for who waits for its answer
    QByteArray payload;
    DecodeLimits limits;
    MessageType message;
    std::optional<PayloadFormat> format; ///< what a person says that it is
    QString rowType; ///< of the row or the task
    QStringList command; ///< a decoder of one's own with its arguments; empty: ours
};

/// One of the two above, whatever the command. Pure; any thread.
[[nodiscard]] Result<DecodedPayload> decodedAsAsked(const PayloadQuestion &question);

} // namespace outbox
