// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/protobuf.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

namespace outbox::asynq {

bool parse(google::protobuf::MessageLite &message, const QByteArray &bytes)
{
    // A damaged task is something to show, not a line on stderr at every refresh.
    static const auto previous = google::protobuf::SetLogHandler(nullptr);
    static_cast<void>(previous);
    return bytes.size() <= std::numeric_limits<int>::max()
        && message.ParseFromArray(bytes.constData(), static_cast<int>(bytes.size()));
}

QByteArray serialise(const google::protobuf::MessageLite &message)
{
    QByteArray bytes(static_cast<qsizetype>(message.ByteSizeLong()), Qt::Uninitialized);
    google::protobuf::io::ArrayOutputStream stream(bytes.data(), static_cast<int>(bytes.size()));
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeWithCachedSizes(&coded);
    return bytes;
}

} // namespace outbox::asynq
