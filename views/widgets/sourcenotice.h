// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says when what a page shows is old, since when and why; quiet while the source answers.
#pragma once

#include "models/system/systemview.h"
#include "views/widgets/noticebar.h"

#include <QElapsedTimer>
#include <QTimer>

namespace outbox {

class SourceNotice : public NoticeBar
{
    Q_OBJECT

public:
    /// `source` is how a sentence names it: "the database", "Redis".
    SourceNotice(const QString &name, const QString &source, QWidget *parent = nullptr);

    void setHealth(const SourceHealth &health);
    /// Answers older than this are grey; three refresh intervals.
    void setStaleAfter(int milliseconds) { m_staleAfterMs = milliseconds; }
    [[nodiscard]] bool isStale() const { return m_stale; }

signals:
    void staleChanged(bool stale);
    /// [Now]: try again at once.
    void retryAsked();

private:
    void judge();

    QString m_source;
    SourceHealth m_health;
    QElapsedTimer m_sinceGood; // our own clock may jump; this one does not
    QTimer m_look;
    int m_staleAfterMs = 6000;
    bool m_stale = false;
};

} // namespace outbox
