// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operation of each verb. Its class stands in the verb's own file.
#pragma once

#include "app/operations/core/operation.h"

namespace outbox {

[[nodiscard]] std::unique_ptr<Operation> makeReplay();
[[nodiscard]] std::unique_ptr<Operation> makePurge();
[[nodiscard]] std::unique_ptr<Operation> makeRelease();
[[nodiscard]] std::unique_ptr<Operation> makeImport();
[[nodiscard]] std::unique_ptr<Operation> makeRun();
[[nodiscard]] std::unique_ptr<Operation> makeArchive();
[[nodiscard]] std::unique_ptr<Operation> makeDelete();
[[nodiscard]] std::unique_ptr<Operation> makeReplace();
[[nodiscard]] std::unique_ptr<Operation> makeCancel();
[[nodiscard]] std::unique_ptr<Operation> makePause();
[[nodiscard]] std::unique_ptr<Operation> makeUnpause();
[[nodiscard]] std::unique_ptr<Operation> makeEnqueue();
[[nodiscard]] std::unique_ptr<Operation> makeUnreplay();
[[nodiscard]] std::unique_ptr<Operation> makePark();
[[nodiscard]] std::unique_ptr<Operation> makeUnpark();

} // namespace outbox
