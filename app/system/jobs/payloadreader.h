// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes payloads apart in a room of its own, for whoever must not wait.
#pragma once

#include "connectors/room.h"
#include "models/payload/decode.h"
#include "models/profile/protobufmapping.h"

#include <QObject>

#include <atomic>
#include <memory>

namespace outbox {

/// Lives in the asker's thread. The room is made for the first question; of the questions that wait
/// in it the newest alone is answered. The destructor waits for the one in hand.
class PayloadReader : public QObject
{
    Q_OBJECT

public:
    explicit PayloadReader(QObject *parent = nullptr);
    ~PayloadReader() override;

    /// Reads what the payloads of a system are; `typesRead` follows, also where it cannot be read.
    /// Where nothing is said, nothing follows.
    void readTypes(const ProtobufMapping &mapping);
    void decode(const PayloadQuestion &question);

signals:
    void typesRead(const outbox::MessageTypes &types);
    /// Of the newest question.
    void decoded(quint64 number, const outbox::Result<outbox::DecodedPayload> &answer);

private:
    /// Nothing is kept between two payloads.
    struct Nothing
    {
    };
    using Newest = std::atomic<quint64>;

    [[nodiscard]] Room<Nothing> &room();

    std::shared_ptr<Newest> m_newest = std::make_shared<Newest>(quint64(0));
    std::unique_ptr<Room<Nothing>> m_room;
};

} // namespace outbox
