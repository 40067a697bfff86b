// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mapping as a file, for `--shape` and for the mapping editor alike.
#pragma once

#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <QByteArray>
#include <QString>

namespace outbox {

/// Fails with Invalid when the file cannot be read or holds no shape.
[[nodiscard]] Result<OutboxShape> readShapeFile(const QString &path);
/// What such a file holds.
[[nodiscard]] QByteArray shapeFileText(const OutboxShape &shape);

} // namespace outbox
