// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The count of all rows one by one: how far it is, what it found and when, and its end at will.
#pragma once

#include "models/result.h"
#include "models/system/exactcount.h"
#include "models/system/snapshots.h"
#include "views/widgets/noticebar.h"

namespace outbox {

class ExactCountBar : public NoticeBar
{
    Q_OBJECT

public:
    explicit ExactCountBar(QWidget *parent = nullptr);

    /// What is known without counting, for how far it is.
    void setEstimate(const OutboxSnapshot &counts) { m_about = counts.rows(); }
    void setProgress(const ExactCount &count);
    void setResult(const Result<ExactCount> &count);
    /// The last whole count.
    [[nodiscard]] const std::optional<ExactCount> &result() const { return m_result; }
    [[nodiscard]] bool isRunning() const { return m_running; }
    /// Asks for a count and shows that it begins; does nothing while one is under way.
    void begin();
    /// Another system comes: nothing of the one before stays.
    void forget();

signals:
    void countAsked();
    void cancelAsked();

private:
    qint64 m_about = 0;
    bool m_running = false;
    std::optional<ExactCount> m_result;
};

} // namespace outbox
