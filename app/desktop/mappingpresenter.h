// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the mapping editor to the database it looks at and to the files a mapping is kept in.
#pragma once

#include "app/system/jobs/mappingprobe.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QObject>

namespace outbox {

class MappingDialog;

/// One opening of the editor. Lives in the GUI thread, and goes with its dialog.
class MappingPresenter : public QObject
{
    Q_OBJECT

public:
    /// The dialog opens over `parent` and begins with the profile's mapping, or with a probe.
    MappingPresenter(const Profile &profile, const ProfilePasswords &secrets, QWidget *parent);

    [[nodiscard]] MappingDialog *dialog() const { return m_dialog; }

signals:
    /// With the name of who confirmed it, and when.
    void confirmed(const outbox::OutboxShape &shape);

private:
    void join();
    void begin(const Profile &profile);
    void importShape();
    void exportShape(const OutboxShape &shape);

    MappingDialog *m_dialog; ///< owns us
    MappingProbe m_look;
};

} // namespace outbox
