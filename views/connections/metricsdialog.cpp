// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/metricsdialog.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/scrolledpage.h"

#include <QCheckBox>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int usualPort = 9464; ///< of collectors of OpenMetrics
constexpr int largestPort = 65'535;

} // namespace

MetricsDialog::MetricsDialog(QWidget *parent)
    : QDialog(parent), m_serve(new QCheckBox(tr("&Serve metrics of this window"))),
      m_port(new QSpinBox), m_notice(new NoticeBar(u"metricsNotice"_s))
{
    setObjectName(u"metricsDialog"_s);
    setWindowTitle(tr("Serve metrics"));
    setNames(m_serve, u"metricsServe"_s, m_serve->text());
    setNames(m_port, u"metricsPort"_s, tr("Port"));
    m_port->setRange(1, largestPort);
    m_port->setValue(usualPort);
    m_port->setEnabled(false);
    auto *fields = new QWidget;
    QFormLayout *form = formOn(fields);
    form->setContentsMargins({});
    form->addRow(tr("&Port"), m_port);
    QPushButton *close = dialogButton(u"metricsClose"_s, tr("Close"));
    QPushButton *apply = dialogButton(u"metricsApply"_s, tr("&Apply"));
    apply->setDefault(true);
    auto *column = boxOn<QVBoxLayout>(this, 12, {20, 16, 20, 16});
    addWidgets(column,
               {hint(tr("The figures of the system that is open, as a collector of OpenMetrics "
                        "reads them. Only programs on this computer can ask for them, and without "
                        "a password. The servers are asked nothing more for it.")),
                m_serve, fields, m_notice});
    column->addStretch();
    column->addLayout(buttonRow({close, apply}));
    setMinimumWidth(440);
    connect(m_serve, &QCheckBox::toggled, m_port, &QWidget::setEnabled);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(apply, &QPushButton::clicked, this, [this] {
        emit chosen(m_serve->isChecked() ? static_cast<quint16>(m_port->value()) : quint16{0});
    });
    keepOnScreen(this);
}

void MetricsDialog::setServed(quint16 port, const QString &url)
{
    m_serve->setChecked(port != 0);
    if (port == 0) {
        m_notice->say(NoticeBar::Tone::Info, tr("Nothing is served."));
        return;
    }
    m_port->setValue(port);
    m_notice->say(NoticeBar::Tone::Info, tr("Served at %1").arg(url));
}

void MetricsDialog::showProblem(const QString &why)
{
    m_notice->say(NoticeBar::Tone::Problem, capital(shownText(why)) + u'.');
}

} // namespace outbox
