// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the queue remembers, for how long, and what that means for a replay.
#pragma once

#include "models/system/snapshots.h"
#include "models/system/staleness.h"
#include "models/system/systemview.h"

#include <QWidget>

class QLabel;

namespace outbox {

class Card;
class ExpiryHistogram;
class Gauge;
class DedupQuestion;
class MetricCard;
class RetainedTable;
class SourceNotice;

class DedupView : public QWidget
{
    Q_OBJECT

public:
    explicit DedupView(QWidget *parent = nullptr);

    void setDedup(const DedupSnapshot &snapshot);
    void setRedisFacts(const RedisFacts &facts);
    /// The lengths of time behind the safe margin; nullopt: not known. See `dedupMargin`.
    void setMargin(std::optional<double> retentionSeconds, std::optional<double> worstDelaySeconds,
                   std::optional<double> oldestPendingSeconds,
                   const std::optional<QDateTime> &seenSince = {});
    /// Completed tasks that are kept, the one that expires first on top.
    void setRetained(const TaskPage &page);
    void setVerdict(const IdVerdict &verdict);
    void setStale(Source source, const std::optional<QDateTime> &asOf);
    /// Why Redis does not answer, and since when.
    void setHealth(const SourceHealth &redis);
    void focusFilter();
    /// Asks about this id, as if it had been typed; an empty one empties the field.
    void openId(const MessageId &id);
    /// Empty: none was asked about.
    [[nodiscard]] const MessageId &askedId() const;
    /// Another system comes: nothing of the one before stays, neither numbers nor questions.
    void forget();

signals:
    void idAsked(const outbox::MessageId &id);
    void retryAsked();

private:
    [[nodiscard]] QWidget *buildFacts();
    [[nodiscard]] QWidget *buildMiddle();

    SourceNotice *m_source;
    MetricCard *m_kept;
    MetricCard *m_soonest;
    MetricCard *m_latest;
    MetricCard *m_memory;
    ExpiryHistogram *m_histogram;
    Card *m_histogramCard;
    Gauge *m_gauge;
    QLabel *m_margin;
    DedupQuestion *m_question;
    RetainedTable *m_table;
    qint64 m_maxMemory = 0;
    std::optional<DedupSnapshot> m_snapshot;
};

} // namespace outbox
