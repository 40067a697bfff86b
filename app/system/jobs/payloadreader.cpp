// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/payloadreader.h"

#include "app/settings/descriptorfile.h"
#include "connectors/answer.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PayloadReader::PayloadReader(QObject *parent) : QObject(parent)
{
    connect(&m_command, &ChildCommand::ended, this, &PayloadReader::takeOutput);
}

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

template <typename Job> void PayloadReader::answer(quint64 number, Job job)
{
    const quint64 turn = *m_newest;
    answerTo(this,
             room().run([job = std::move(job), turn,
                         newest = m_newest](Nothing &) -> Result<DecodedPayload> {
                 if (turn != *newest) {
                     return fail(Error::Kind::Cancelled, u"decoding a payload"_s,
                                 u"another one is wanted"_s);
                 }
                 return job();
             }),
             [this, turn, number](const Result<DecodedPayload> &answer) {
                 if (turn == *m_newest)
                     emit decoded(number, answer);
             });
}

void PayloadReader::decode(const PayloadQuestion &question)
{
    stop();
    if (question.command.isEmpty())
        return answer(question.number, [question] { return decodedAsAsked(question); });
    m_commanded = question.number;
    m_command.start(question.command, question.payload, question.rowType);
}

void PayloadReader::stop()
{
    ++*m_newest;
    m_command.stop();
}

void PayloadReader::takeOutput(const Result<QByteArray> &output)
{
    if (!output) {
        emit decoded(m_commanded, passOn(output));
        return;
    }
    answer(m_commanded, [bytes = *output] { return decodedOutput(bytes); });
}

Result<DecodedPayload> decodedOutput(const QByteArray &output)
{
    const QByteArray trimmed = output.trimmed();
    if (trimmed.startsWith('{') || trimmed.startsWith('[') || trimmed.startsWith('"')) {
        auto json = decodePayloadAs(PayloadFormat::Json, output);
        if (json)
            return json;
    }
    const auto text = utf8Text(output);
    if (!text || trimmed.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading what the decoder wrote"_s,
                    trimmed.isEmpty() ? u"it is nothing"_s
                                      : u"it is neither JSON nor a text in UTF-8"_s);
    }
    DecodedPayload decoded;
    decoded.layers += PayloadLayer{PayloadFormat::Text, output.size()};
    const QStringList lines = text->trimmed().split(u'\n');
    if (lines.size() == 1) {
        decoded.tree.add(-1, PayloadNode::Kind::Text, {}, u"text"_s, lines.first());
        return decoded;
    }
    const int root = decoded.tree.add(-1, PayloadNode::Kind::Array, {}, u"lines"_s);
    for (const QString &line : lines) {
        if (const QString beyond = passedLimit(decoded.tree, 1, DecodeLimits());
            !beyond.isEmpty()) {
            decoded.notes += beyond;
            break;
        }
        decoded.tree.add(root, PayloadNode::Kind::Text, {}, u"line"_s, line);
    }
    return decoded;
}

} // namespace outbox
