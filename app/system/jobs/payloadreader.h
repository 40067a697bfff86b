// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes payloads apart in a room of its own, for whoever must not wait.
#pragma once

#include "app/system/jobs/childcommand.h"
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
    /// The one before is dropped, and its command is killed.
    void decode(const PayloadQuestion &question);
    /// Nobody waits for the newest one any more.
    void stop();

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
    /// Runs `job` in the room; its answer is that to the question, if that is the newest by then.
    template <typename Job> void answer(quint64 number, Job job);
    void takeOutput(const Result<QByteArray> &output);

    std::shared_ptr<Newest> m_newest = std::make_shared<Newest>(quint64(0));
    std::unique_ptr<Room<Nothing>> m_room;
    ChildCommand m_command;
    quint64 m_commanded = 0; ///< the question that the command answers
};

/// What a decoder of one's own wrote: JSON, else a text, of several lines one value each. Fails
/// with Invalid where it is none of them. Pure; any thread.
[[nodiscard]] Result<DecodedPayload> decodedOutput(const QByteArray &output);

} // namespace outbox
