// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/remedypresenter.h"

#include "app/desktop/pages.h"
#include "app/settings/opening.h"
#include "models/phrases.h"
#include "models/profile/profilepasswords.h"
#include "models/shape/missingtable.h"
#include "views/connections/passworddialog.h"
#include "views/frame/mainwindow.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString logInMessage(Source source)
{
    return source == Source::Database ? u"logInDatabase"_s : u"logInRedis"_s;
}

const QString enterPassword = u"enterPassword"_s;
const QString tableMessage = u"noTable"_s;
const QString probeAndMap = u"probeAndMap"_s;

} // namespace

RemedyPresenter::RemedyPresenter(System &system, const Pages &pages, QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages)
{
    join(Source::Database, m_system.messages());
    join(Source::Queue, m_system.queue());
    if (!m_system.documents()) // those have no mapping of columns
        connect(&m_system.messages(), &SourceFeed::healthChanged, this,
                &RemedyPresenter::tellTable);
    connect(m_pages.window->messages(), &MessageBar::actAsked, this,
            [this](const QString &id, const QString &act) {
                if (id == tableMessage && act == probeAndMap)
                    emit mapAsked();
                if (act != enterPassword)
                    return;
                for (const Source source : {Source::Database, Source::Queue}) {
                    if (id == logInMessage(source))
                        ask(source);
                }
            });
}

RemedyPresenter::~RemedyPresenter()
{
    for (const Source source : {Source::Database, Source::Queue})
        m_pages.window->messages()->remove(logInMessage(source));
    m_pages.window->messages()->remove(tableMessage);
    if (m_dialog)
        m_dialog->close();
}

void RemedyPresenter::join(Source source, SourceFeed &feed)
{
    connect(&feed, &SourceFeed::healthChanged, this,
            [this, source](const SourceHealth &health) { tell(source, health); });
}

void RemedyPresenter::tell(Source source, const SourceHealth &health)
{
    if (!health.error || !isLogInRefused(*health.error)) {
        m_pages.window->messages()->remove(logInMessage(source));
        return;
    }
    m_pages.window->messages()->add({logInMessage(source),
                                     HealthLevel::Broken,
                                     refusal(source, *health.error),
                                     {{enterPassword, tr("Enter password\u2026")}}});
}

void RemedyPresenter::tellTable(const SourceHealth &health)
{
    if (!health.error || !isTableMissing(*health.error)) {
        m_pages.window->messages()->remove(tableMessage);
        return;
    }
    m_pages.window->messages()->add(
        {tableMessage,
         HealthLevel::Broken,
         tr("%1. A probe tells which tables look like an outbox.").arg(capital(health.error->text)),
         {{probeAndMap, tr("Probe and map\u2026")}}});
}

QString RemedyPresenter::refusal(Source source, const Error &error) const
{
    return logInRefused(source, logInNamesOf(m_system.profile()), error) + u'.';
}

void RemedyPresenter::ask(Source source)
{
    if (m_dialog) // of the other source
        m_dialog->close();
    const SystemSnapshot &seen = m_system.snapshot();
    const SourceHealth &health = source == Source::Database ? seen.database : seen.queue;
    if (!health.error || !isLogInRefused(*health.error))
        return;
    m_dialog = new PasswordDialog(refusal(source, *health.error),
                                  source == Source::Database ? tr("Database password")
                                                             : tr("Redis password"),
                                  m_pages.window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &PasswordDialog::passwordGiven, this,
            [this, source](const QString &password) { take(source, password); });
    m_dialog->open();
}

void RemedyPresenter::take(Source source, const QString &password)
{
    Profile profile = m_system.profile();
    ProfilePasswords typed; // the other one is found as it was before
    const bool isOfDatabase = source == Source::Database;
    (isOfDatabase ? typed.database : typed.redis) = password;
    // One that stands in the address would be taken first, and was refused.
    (void)passwordTakenFrom(isOfDatabase ? profile.databaseUrl : profile.redisUrl);
    emit passwordGiven(profile, typed);
}

} // namespace outbox
