// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/metricspresenter.h"

#include "app/desktop/pages.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/widgets/actions.h"

#include <QAction>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString metricsMessage = u"metrics"_s;

} // namespace

MetricsPresenter::MetricsPresenter(const Pages &pages, quint16 port, QObject *parent)
    : QObject(parent), m_pages(pages)
{
    const QAction *serving = m_pages.window->registry()->add(
        {u"serveMetrics"_s,
         Actions::Menu::Connection,
         tr("Serve &metrics\u2026"),
         tr("Offers the figures of the system that is open to a collector on this computer"),
         u"server"_s,
         {}});
    connect(serving, &QAction::triggered, this, &MetricsPresenter::open);
    if (port == 0)
        return;
    if (const auto served = serve(port); !served) {
        m_pages.window->messages()->add({metricsMessage,
                                         HealthLevel::Watch,
                                         tr("Metrics are not served: %1").arg(served.error().text),
                                         {}});
    }
}

void MetricsPresenter::follow(System &system, RelayDriver &driver)
{
    m_system = &system;
    m_driver = &driver;
    m_batchSeconds = batchSecondsHistogram();
    connect(&driver, &RelayDriver::stateChanged, this, [this](RelayState state) {
        if (state == RelayState::Starting) // its totals begin anew as well
            m_batchSeconds = batchSecondsHistogram();
    });
    connect(&driver, &RelayDriver::stepsTaken, this, [this](const QList<RelayStep> &steps) {
        for (const RelayStep &step : steps) {
            if (step.committed)
                m_batchSeconds.add(step.tookMs() / 1000.0);
        }
    });
}

void MetricsPresenter::open()
{
    if (!m_dialog) {
        m_dialog = new MetricsDialog(m_pages.window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &MetricsDialog::chosen, this, &MetricsPresenter::choose);
    }
    m_dialog->setServed(m_port, m_server ? m_server->url() : QString());
    m_dialog->open();
}

void MetricsPresenter::choose(quint16 port)
{
    if (const auto served = serve(port); !served) {
        if (m_dialog)
            m_dialog->showProblem(served.error().text);
        return;
    }
    m_pages.window->messages()->remove(metricsMessage);
    if (m_dialog)
        m_dialog->setServed(m_port, m_server ? m_server->url() : QString());
    emit chosen(port);
}

/// What was served before goes on where the other port cannot be had.
Result<void> MetricsPresenter::serve(quint16 port)
{
    if (port == 0) {
        m_server.reset();
    } else if (port != m_port) {
        auto server = std::make_unique<MetricsServer>([this] { return page(); }, openMetricsType);
        if (const auto listening = server->listen(QHostAddress::LocalHost, port); !listening) {
            Error error = listening.error();
            error.text = tr("port %1 of this computer cannot be had (%2)")
                             .arg(QString::number(port), error.text);
            return Failure(error);
        }
        m_server = std::move(server);
    }
    m_port = port;
    return {};
}

QByteArray MetricsPresenter::page() const
{
    SourceFigures figures;
    if (m_system && !m_system->isPaused()) {
        const Profile &profile = m_system->profile();
        figures = figuresOf(m_system->snapshot(), profile.ownQueue(), profile.shards());
    }
    return relayMetrics(m_driver ? m_driver->totals() : RelayTotals(),
                        m_driver ? m_driver->state() : RelayState::Stopped, m_batchSeconds,
                        figures);
}

} // namespace outbox
