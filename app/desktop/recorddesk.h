// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the Activity page to the record: read it, verify it, write it out, take an operation back.
#pragma once

#include "models/operations/auditentry.h"

#include <QObject>

namespace outbox {

class OperationDesk;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class RecordDesk : public QObject
{
    Q_OBJECT

public:
    /// `pages` and `operations` outlive this.
    RecordDesk(const Pages &pages, OperationDesk &operations, QObject *parent = nullptr);
    ~RecordDesk() override;

private:
    void write(const QList<Activity> &activities);
    void tellBadge();

    const Pages &m_pages;
    OperationDesk &m_operations;
};

} // namespace outbox
