// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The start sheet: what the relay will do, what may be promised, and what speaks against it.
#pragma once

#include "models/health/promise.h"
#include "models/operations/arming.h"
#include "models/profile/profile.h"
#include "models/relay/relaystart.h"

#include <QDialog>
#include <QStringList>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace outbox {

class DurationEdit;
class EnvironmentBand;
class PromiseCard;
class ScheduleField;

/// What the sheet says about the system the relay would serve.
struct RelayOutlook
{
    Profile profile; ///< where from, where to, and how careful to be
    Arming arming;
    QString promise; ///< of a relay as it runs, or would without what the sheet offers
    /// What Redis says of itself, so that the sheet tells what its own choices are worth.
    std::optional<RedisFacts> facts;
    DurabilityTerms terms;
    bool marksRows = false; ///< rows stay, with a mark: a job by a schedule is usual for them
    bool hasBarrier = false; ///< the database can be asked what is on its disk
    QStringList refusals; ///< any of these keeps the button grey
    QStringList notes; ///< other holders and the like: good to know, no hindrance
    std::optional<double> worstDelaySeconds;
};

/// Non-modal; the console goes on behind it.
class RelayStartDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RelayStartDialog(QWidget *parent = nullptr);

    void setOutlook(const RelayOutlook &outlook);
    void setStart(const RelayStart &start);
    [[nodiscard]] RelayStart start() const;

signals:
    void startAsked(const outbox::RelayStart &start);

private:
    /// What a batch waits for before its rows are given up.
    struct CopyFields
    {
        QSpinBox *replicas; ///< of Redis
        QCheckBox *disk; ///< of Redis
    };

    [[nodiscard]] QWidget *buildForm();
    void judge();

    EnvironmentBand *m_band;
    QSpinBox *m_batch;
    QSpinBox *m_poll;
    QDoubleSpinBox *m_rate;
    DurationEdit *m_retention;
    QCheckBox *m_duplicates;
    QLineEdit *m_channel;
    ScheduleField *m_schedule;
    QCheckBox *m_barrier;
    CopyFields m_copies;
    QSpinBox *m_depth;
    PromiseCard *m_promise;
    QLabel *m_refusals;
    QPushButton *m_go;
    RelayOutlook m_outlook;
};

} // namespace outbox
