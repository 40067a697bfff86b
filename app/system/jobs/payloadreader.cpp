// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/payloadreader.h"

#include "app/settings/descriptorfile.h"
#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PayloadReader::PayloadReader(QObject *parent) : QObject(parent)
{ }

PayloadReader::~PayloadReader()
{
    ++*m_newest; // what waits in the room is not read any more
}

Room<PayloadReader::Nothing> &PayloadReader::room()
{
    if (!m_room)
        m_room = std::make_unique<Room<Nothing>>(u"payload reader"_s);
    return *m_room;
}

void PayloadReader::readTypes(const ProtobufMapping &mapping)
{
    if (mapping.isEmpty())
        return;
    answerTo(this, room().run([mapping](Nothing &) { return messageTypesOf(mapping); }),
             [this](const MessageTypes &types) { emit typesRead(types); });
}

void PayloadReader::decode(const PayloadQuestion &question)
{
    const quint64 turn = ++*m_newest;
    answerTo(this,
             room().run([question, turn, newest = m_newest](Nothing &) -> Result<DecodedPayload> {
                 if (turn != *newest) {
                     return fail(Error::Kind::Cancelled, u"decoding a payload"_s,
                                 u"another one is wanted"_s);
                 }
                 return decodedAsAsked(question);
             }),
             [this, turn, number = question.number](const Result<DecodedPayload> &answer) {
                 if (turn == *m_newest)
                     emit decoded(number, answer);
             });
}

} // namespace outbox
