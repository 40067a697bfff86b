// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks where a file shall go, and writes it there.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <utility>

class QWidget;

namespace outbox {

/// Opens a non-modal file dialog over `parent`. `forms` are name filters such as "CSV (*.csv)" with
/// what is written for them, by the suffix of the chosen name; the first one is the default.
/// `done` hears the path or why it failed; nothing when it was cancelled.
void askAndSave(QWidget *parent, const QString &title, const QString &name,
                const QList<std::pair<QString, QByteArray>> &forms,
                const std::function<void(const Result<QString> &)> &done);

/// The same for what is written elsewhere, in the form `filter`: `done` hears the path; that a file
/// there may be replaced was asked. Nothing when it was cancelled.
void askWhereToSave(QWidget *parent, const QString &title, const QString &name,
                    const QString &filter, const std::function<void(const QString &path)> &done);

} // namespace outbox
