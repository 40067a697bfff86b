// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/profileform.h"

#include "views/connections/safetyform.h"
#include "views/tables/shapefacts.h"
#include "views/widgets/durationedit.h"
#include "views/widgets/formrows.h"
#include "views/widgets/propertylist.h"

#include <QButtonGroup>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ProfileForm::ProfileForm(QWidget *parent)
    : QTabWidget(parent), m_name(line(u"profileName"_s, tr("Name"))),
      m_environment(new QButtonGroup(this)),
      m_database(line(u"profileDatabase"_s, tr("Database address"),
                      u"postgresql://user@host:5432/database"_s)),
      m_databasePassword(
          line(u"profileDatabasePassword"_s, tr("Database password"), tr("kept in memory only"))),
      m_redis(line(u"profileRedis"_s, tr("Redis address"), u"redis://host:6379/0"_s)),
      m_redisPassword(
          line(u"profileRedisPassword"_s, tr("Redis password"), tr("kept in memory only"))),
      m_table(line(u"profileTable"_s, tr("Table"), u"outbox"_s)),
      m_map(new QPushButton(tr("Probe and map…"))), m_shape(new PropertyList(u"profileShape"_s)),
      m_retention(new DurationEdit(u"profileRetention"_s, tr("Retention"))),
      m_queue(line(u"profileQueue"_s, tr("Queue"), u"default"_s)), m_safety(new SafetyForm)
{
    setObjectName(u"profileTabs"_s);
    setAccessibleName(tr("Profile"));
    setDocumentMode(true);
    addTab(buildGeneral(), tr("General"));
    addTab(buildOutbox(), tr("Outbox"));
    addTab(m_safety, tr("Safety"));
    for (QLineEdit *one : {m_databasePassword, m_redisPassword})
        one->setEchoMode(QLineEdit::Password);
    connect(m_database, &QLineEdit::textChanged, this,
            [this] { takePassword(m_database, m_databasePassword); });
    connect(m_redis, &QLineEdit::textChanged, this,
            [this] { takePassword(m_redis, m_redisPassword); });
    connect(m_environment, &QButtonGroup::idToggled, this, &ProfileForm::edited);
    connect(m_retention, &DurationEdit::edited, this, &ProfileForm::edited);
    connect(m_safety, &SafetyForm::edited, this, &ProfileForm::edited);
    connect(m_map, &QPushButton::clicked, this, &ProfileForm::mapAsked);
    // The mapping is that of one table; another one is probed when the profile is opened.
    connect(m_table, &QLineEdit::textChanged, this, [this](const QString &name) {
        if (m_profile.shape && m_profile.shape->table.text() != name.trimmed()) {
            m_profile.shape.reset();
            showShape();
            emit edited();
        }
    });
}

QLineEdit *ProfileForm::line(const QString &name, const QString &spoken, const QString &placeholder)
{
    auto *edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(spoken);
    edit->setPlaceholderText(placeholder);
    // not textEdited: a screen reader sets the text, it types none
    connect(edit, &QLineEdit::textChanged, this, &ProfileForm::edited);
    return edit;
}

QWidget *ProfileForm::buildGeneral()
{
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    auto *choices = new QWidget;
    auto *row = new QHBoxLayout(choices);
    row->setContentsMargins({});
    row->setSpacing(16);
    for (const Environment one : {Environment::Production, Environment::Staging,
                                  Environment::Development, Environment::Unsaid}) {
        auto *radio = new QRadioButton(label(one));
        radio->setObjectName(u"profileEnvironment-"_s + word(one));
        m_environment->addButton(radio, static_cast<int>(one));
        row->addWidget(radio);
    }
    row->addStretch();
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Environment"), choices);
    form->addRow(tr("Database"), m_database);
    form->addRow(tr("Password"), m_databasePassword);
    form->addRow(QString(),
                 hint(tr("sqlite:///path/file.db works too. TLS is part of the address: %1")
                          .arg(u"?sslmode=verify-full&sslrootcert=/path/ca.pem"_s)));
    form->addRow(tr("Redis"), m_redis);
    form->addRow(tr("Password"), m_redisPassword);
    form->addRow(QString(),
                 hint(tr("rediss:// speaks TLS, redis+unix:///run/redis.sock?db=0 a "
                         "local socket.")));
    return page;
}

QWidget *ProfileForm::buildOutbox()
{
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    m_map->setObjectName(u"profileMap"_s);
    m_map->setAccessibleName(tr("Probe and map the columns"));
    auto *table = new QWidget;
    auto *row = new QHBoxLayout(table);
    row->setContentsMargins({});
    row->addWidget(m_table, 1);
    row->addWidget(m_map);
    m_shape->setFrameShape(QFrame::StyledPanel);
    m_shape->setAccessibleName(tr("Mapping of the table"));
    m_shape->setMinimumHeight(150);
    form->addRow(tr("Table"), table);
    form->addRow(tr("Mapping"), m_shape);
    form->addRow(tr("Queue"), m_queue);
    form->addRow(tr("Retention"), m_retention);
    form->addRow(QString(),
                 hint(tr("How long a done task keeps its id: a replay inside this time "
                         "is refused, one after it runs again.")));
    return page;
}

void ProfileForm::setProfile(const Profile &profile, const ProfilePasswords &passwords)
{
    const QSignalBlocker quiet(this);
    m_finding.reset();
    m_name->setText(profile.name);
    m_environment->setExclusive(false); // else the last one on could not be put out
    for (QAbstractButton *one : m_environment->buttons())
        one->setChecked(m_environment->id(one) == static_cast<int>(profile.environment));
    m_environment->setExclusive(true);
    m_databasePassword->setText(passwords.database);
    m_redisPassword->setText(passwords.redis);
    m_database->setText(profile.databaseUrl);
    m_redis->setText(profile.redisUrl);
    for (QLineEdit *one : {m_database, m_redis})
        one->setCursorPosition(0);
    m_table->setText(profile.table);
    m_queue->setText(profile.queue);
    m_retention->setSeconds(profile.retentionSeconds);
    m_safety->setProfile(profile);
    m_profile = profile; // last: the fields would change it
    showShape();
}

Profile ProfileForm::profile() const
{
    Profile profile = m_profile; // what has no field here stays as it was
    profile.name = m_name->text().trimmed();
    if (m_environment->checkedId() >= 0)
        profile.environment = static_cast<Environment>(m_environment->checkedId());
    profile.databaseUrl = m_database->text().trimmed();
    profile.redisUrl = m_redis->text().trimmed();
    profile.table = m_table->text().trimmed();
    profile.queue = m_queue->text().trimmed();
    profile.retentionSeconds = m_retention->seconds();
    m_safety->writeTo(profile);
    return profile;
}

ProfilePasswords ProfileForm::passwords() const
{
    return {m_databasePassword->text(), m_redisPassword->text()};
}

void ProfileForm::setShape(const OutboxShape &shape)
{
    m_profile.shape = shape;
    m_table->setText(shape.table.text());
    m_finding.reset();
    showShape();
    emit edited();
}

void ProfileForm::setFinding(const ProbeFinding &finding)
{
    m_finding = finding;
    showShape();
}

void ProfileForm::focusName()
{
    setCurrentIndex(0);
    m_name->setFocus();
    m_name->selectAll();
}

/// A password inside an address goes to its own field, so that it is neither seen nor saved.
void ProfileForm::takePassword(QLineEdit *address, QLineEdit *password)
{
    const AddressParts parts = splitPassword(address->text());
    if (parts.password.isEmpty())
        return;
    address->setText(parts.address);
    password->setText(parts.password);
    emit edited();
}

void ProfileForm::showShape()
{
    if (m_profile.shape)
        m_shape->setFacts(shapeFacts(*m_profile.shape));
    else if (m_finding)
        m_shape->setFacts(findingFacts(*m_finding));
    else
        m_shape->setFacts({{tr("Not mapped"),
                            tr("The table is probed when the profile is "
                               "opened."),
                            false, false}});
}

} // namespace outbox
