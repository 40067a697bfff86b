// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Serves what the window sees of its system to a collector on this computer, where a person chose
// that.
#pragma once

#include "app/relay/relaydriver.h"
#include "app/service/metricsserver.h"
#include "app/service/relaymetrics.h"
#include "app/system/system.h"
#include "views/connections/metricsdialog.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace outbox {

struct Pages;

/// The text is that of `outboxctl relay --metrics`, filled from the looks that the window takes
/// anyway: nothing more is asked. A source that does not answer, and one that is not looked at
/// because the window is paused, has no numbers. Lives in the GUI thread, for as long as the
/// window.
class MetricsPresenter : public QObject
{
    Q_OBJECT

public:
    /// `port` of the loopback is served from now on; 0: none. Where it cannot be had the window
    /// says so. `pages` outlive this, but for its end.
    MetricsPresenter(const Pages &pages, quint16 port, QObject *parent = nullptr);

    /// Another system is open; `driver` is of the relay that may run here.
    void follow(System &system, RelayDriver &driver);

signals:
    /// A person chose the port, and it is served; 0: none is any more.
    void chosen(quint16 port);

private:
    void open();
    void choose(quint16 port);
    [[nodiscard]] Result<void> serve(quint16 port);
    [[nodiscard]] QByteArray page() const;

    const Pages &m_pages;
    quint16 m_port = 0; ///< that is served; 0: none
    QPointer<System> m_system;
    QPointer<RelayDriver> m_driver;
    Histogram m_batchSeconds = batchSecondsHistogram();
    std::unique_ptr<MetricsServer> m_server;
    QPointer<MetricsDialog> m_dialog;
};

} // namespace outbox
