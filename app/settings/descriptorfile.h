// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file that says what messages of protobuf mean.
#pragma once

#include "models/payload/protobufschema.h"
#include "models/profile/protobufmapping.h"
#include "models/result.h"

#include <QString>

namespace outbox {

/// Reads a descriptor set from a file; blocks for it, but not for what is no regular file. Fails
/// with Invalid where there is none, and as `readDescriptorSet` does.
[[nodiscard]] Result<ProtobufSchema> readDescriptorFile(const QString &path);

/// The same for a profile: what went wrong stands in the answer, for whoever shows a payload.
[[nodiscard]] MessageTypes messageTypesOf(const ProtobufMapping &mapping);

} // namespace outbox
