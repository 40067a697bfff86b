// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Secrets in payloads: which values are not to be seen, and the payload as a person may see it.
#pragma once

#include "models/payload/decode.h"
#include "models/payload/maskpath.h"
#include "models/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// A payload that went through the masks: nothing else makes one, and what prints a payload for a
/// person takes one.
class ShownPayload
{
public:
    enum class How {
        Clear, ///< as it is stored: there are no masks, or no value is under one
        Masked, ///< the values under masks are `•••`
        Hidden, ///< nothing of it is shown
    };

    ShownPayload() = default; ///< of nothing
    [[nodiscard]] How how() const { return m_how; }
    [[nodiscard]] bool isClear() const { return m_how == How::Clear; }
    /// Clear: as it is stored, or the beginning of it. Masked: the JSON with `"•••"` in place of
    /// each value, all other bytes as they are; empty where the payload is packed or binary.
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    /// Length of what is stored; -1: the row it refers to is gone.
    [[nodiscard]] qint64 storedBytes() const { return m_storedBytes; }
    /// Masked: the layers, and the tree of the last one with `•••`. Else nothing.
    [[nodiscard]] const DecodedPayload &decoded() const { return m_decoded; }
    /// Hidden: why. Masked without bytes: where to find it. One sentence without a point.
    [[nodiscard]] const QString &why() const { return m_why; }

private:
    friend class PayloadMasks;

    How m_how = How::Clear;
    QByteArray m_bytes;
    qint64 m_storedBytes = 0;
    DecodedPayload m_decoded;
    QString m_why;
};

/// Values whose paths are here are shown as `•••`. None: everything is shown. A value is a value of
/// the document or of what is packed in one of its texts (base64, JSON as a text): its path is that
/// of the text, and goes on inside.
class PayloadMasks
{
public:
    static constexpr qsizetype most = 50;

    /// Everything is shown. There is no other way to have none: who shows payloads writes it down.
    [[nodiscard]] static PayloadMasks none() { return {}; }
    /// Fails with Invalid for the first path that cannot be read: which one, and the position in
    /// it. A path that is there twice counts once; empty ones are left out.
    [[nodiscard]] static Result<PayloadMasks> fromTexts(const QStringList &texts);
    [[nodiscard]] QStringList texts() const;
    [[nodiscard]] bool isEmpty() const { return m_paths.isEmpty(); }

    /// What of `payload`, which may be the beginning of `storedBytes`, a person may see. Where
    /// there are masks, only JSON, CBOR and MessagePack, packed or not, are shown, and these only
    /// when all of it was read: what cannot be read, what may be several things, and a text are
    /// hidden. Pure; any thread.
    [[nodiscard]] ShownPayload shown(const QByteArray &payload, qint64 storedBytes,
                                     const DecodeLimits &limits = {}) const;
    /// The same of a payload that is here whole.
    [[nodiscard]] ShownPayload shown(const QByteArray &payload) const
    {
        return shown(payload, payload.size());
    }
    bool operator==(const PayloadMasks &) const = default;

private:
    PayloadMasks() = default;

    QList<MaskPath> m_paths;
};

/// `•••`
[[nodiscard]] QString maskedValue();

} // namespace outbox
