// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hands alerts to one target, one after another, and waits for none of them.
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QTimer>

namespace outbox {

/// One target: at most one alert is on its way to it, few wait behind that, each has a deadline. An
/// alert that fails is not sent again. All of it is done by the event loop of its thread; nothing
/// here blocks.
class AlertSender : public QObject
{
    Q_OBJECT

public:
    static constexpr int patienceMs = 10'000;
    static constexpr qsizetype mostWaiting = 32;

    /// `deadlineMs` is what each alert has, from the begin of its sending.
    explicit AlertSender(int deadlineMs = patienceMs, QObject *parent = nullptr);

    /// `body` is one JSON object. Where too many wait, the oldest of them is dropped, which is a
    /// failure.
    void send(const QByteArray &body);
    [[nodiscard]] bool isIdle() const { return !m_isBusy && m_waiting.isEmpty(); }

signals:
    /// Sent for the first of several failures in a row; `why` holds no secret.
    void failed(const QString &why);

protected:
    /// Begins with one alert; `ended` follows, once, now or later.
    virtual void begin(const QByteArray &body) = 0;
    /// Its time is over: makes `ended` come soon.
    virtual void giveUp() = 0;
    /// The alert is handed over, or it failed because of `why`.
    void ended(const QString &why = {});

private:
    void next();
    void tellFailure(const QString &why);

    QList<QByteArray> m_waiting;
    QTimer m_deadline;
    int m_deadlineMs;
    bool m_isBusy = false;
    bool m_isLate = false; ///< what is on its way had its time
    bool m_isFailing = false; ///< the last one failed
};

} // namespace outbox
