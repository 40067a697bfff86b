// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/durationedit.h"

#include "views/widgets/boxes.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DurationEdit::DurationEdit(const QString &name, const QString &spoken, QWidget *parent)
    : QWidget(parent), m_number(new QSpinBox), m_unit(new QComboBox)
{
    setObjectName(name);
    setNames(m_number, name + u"Number"_s, spoken);
    m_number->setRange(0, 1'000'000);
    m_number->setMinimumWidth(90);
    setNames(m_unit, name + u"Unit"_s, tr("Unit of %1").arg(spoken));
    m_unit->addItem(tr("days"), 86400);
    m_unit->addItem(tr("hours"), 3600);
    m_unit->addItem(tr("minutes"), 60);
    m_unit->addItem(tr("seconds"), 1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(m_number);
    row->addWidget(m_unit);
    row->addStretch();
    connect(m_number, &QSpinBox::valueChanged, this, &DurationEdit::edited);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationEdit::edited);
}

void DurationEdit::setSeconds(qint64 seconds)
{
    const QSignalBlocker number(m_number);
    const QSignalBlocker unit(m_unit);
    int chosen = m_unit->count() - 1;
    for (int at = 0; at < m_unit->count(); ++at) {
        const qint64 length = m_unit->itemData(at).toLongLong();
        // A whole day reads better as 24 hours: that is how retention is spoken of.
        const qint64 least = length == 86400 ? 2 * length : length;
        if (seconds >= least && seconds % length == 0) {
            chosen = at;
            break;
        }
    }
    m_unit->setCurrentIndex(chosen);
    const qint64 count = seconds / m_unit->itemData(chosen).toLongLong();
    m_number->setValue(static_cast<int>(std::min<qint64>(count, m_number->maximum())));
}

qint64 DurationEdit::seconds() const
{
    return m_number->value() * m_unit->currentData().toLongLong();
}

} // namespace outbox
