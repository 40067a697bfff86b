// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/profileform.h"

#include "views/connections/addressfields.h"
#include "views/connections/maskfield.h"
#include "views/connections/payloadform.h"
#include "views/tables/shapefacts.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formfields.h"
#include "views/widgets/formrows.h"
#include "views/widgets/propertylist.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QSpinBox *numberBox(const QString &name, const QString &spoken, int least, int most,
                    const QString &suffix)
{
    auto *box = new QSpinBox;
    setNames(box, name, spoken);
    box->setRange(least, most);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    box->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    return box;
}

} // namespace

/// The Safety tab of a profile: how it opens, who acts, how much at once, and where the receiver
/// notes its status.
class SafetyForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit SafetyForm(QWidget *parent = nullptr);

    void setProfile(const Profile &profile)
    {
        m_readOnly->setChecked(profile.readOnly);
        m_actingUser->setText(profile.actingUser);
        m_actingRedisUser->setText(profile.actingRedisUser);
        m_mostItems->setValue(profile.mostItems);
        m_refresh->setValue(profile.refreshMs);
        m_masks->setMasks(profile.masks);
        const StatusTable status = profile.status.value_or(StatusTable());
        m_statusTable->setText(profile.status ? status.table.text() : QString());
        m_statusId->setText(status.idColumn);
        m_statusColumn->setText(status.statusColumn);
        m_statusDone->setText(profile.status ? status.done : QString());
    }

    /// Writes what is edited here into `profile` and leaves the rest of it.
    void writeTo(Profile &profile) const;
    /// Why not all of it can be written; empty: it can.
    [[nodiscard]] QString problem() const { return m_masks->problem(); }

signals:
    void edited();

private:
    [[nodiscard]] QLineEdit *line(const QString &name, const QString &spoken,
                                  const QString &placeholder)
    {
        auto *edit = new QLineEdit;
        setNames(edit, name, spoken);
        edit->setPlaceholderText(placeholder);
        connect(edit, &QLineEdit::textChanged, this, &SafetyForm::edited);
        return edit;
    }

    QCheckBox *m_readOnly;
    QLineEdit *m_actingUser;
    QLineEdit *m_actingRedisUser;
    QSpinBox *m_mostItems;
    QSpinBox *m_refresh;
    MaskField *m_masks;
    QLineEdit *m_statusTable;
    QLineEdit *m_statusId;
    QLineEdit *m_statusColumn;
    QLineEdit *m_statusDone;
};

SafetyForm::SafetyForm(QWidget *parent)
    : QScrollArea(parent), m_readOnly(new QCheckBox(tr("Open read-only"))),
      m_actingUser(line(u"profileActingUser"_s, tr("Database role that acts"),
                        tr("Same as in the address"))),
      m_actingRedisUser(line(u"profileActingRedisUser"_s, tr("Redis user that acts"),
                             tr("Same as in the address"))),
      m_mostItems(numberBox(u"profileMostItems"_s, tr("Most messages in one operation"), 1,
                            10'000'000, {})),
      m_refresh(numberBox(u"profileRefresh"_s, tr("Refresh interval in milliseconds"), 250, 60'000,
                          tr(" ms"))),
      m_masks(new MaskField),
      m_statusTable(line(u"profileStatusTable"_s, tr("Status table"), tr("none"))),
      m_statusId(line(u"profileStatusId"_s, tr("Column with the outbox key"), u"outbox_id"_s)),
      m_statusColumn(line(u"profileStatusColumn"_s, tr("Column with the status"), u"status"_s)),
      m_statusDone(line(u"profileStatusDone"_s, tr("Value that says done"), u"sent"_s))
{
    setNames(this, u"profileSafety"_s, tr("Safety"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    setNames(m_readOnly, u"profileReadOnly"_s, m_readOnly->text());
    m_refresh->setSingleStep(250);
    form->addRow(QString(), m_readOnly);
    form->addRow(QString(),
                 hint(tr("The server itself keeps the looking session read-only. No relay and no "
                         "operation can be started while this is on, unless writing is unlocked "
                         "for a quarter of an hour.")));
    form->addRow(tr("Acting role"), m_actingUser);
    form->addRow(tr("Acting Redis user"), m_actingRedisUser);
    form->addRow(QString(),
                 hint(tr("Operations act under these; their passwords are asked for "
                         "when writing is unlocked and are never saved.")));
    form->addRow(tr("Most messages at once"), m_mostItems);
    form->addRow(tr("Refresh every"), m_refresh);
    form->addRow(tr("Masked values"), m_masks);
    form->addRow(QString(),
                 hint(tr("Values of payloads under these paths are shown as •••: $ is the whole "
                         "payload, * any place in it. Exports that undo needs stay whole. A change "
                         "counts when the system is opened again.")));
    form->addRow(tr("Status table"), m_statusTable);
    form->addRow(tr("its key column"), m_statusId);
    form->addRow(tr("its status column"), m_statusColumn);
    form->addRow(tr("done is"), m_statusDone);
    form->addRow(QString(),
                 hint(tr("Where the receiver notes how far a message is; Reconcile "
                         "compares it with the queue.")));
    setWidget(page);
    connect(m_readOnly, &QCheckBox::toggled, this, &SafetyForm::edited);
    for (QSpinBox *box : {m_mostItems, m_refresh})
        connect(box, &QSpinBox::valueChanged, this, &SafetyForm::edited);
    connect(m_masks, &MaskField::edited, this, &SafetyForm::edited);
}

void SafetyForm::writeTo(Profile &profile) const
{
    profile.readOnly = m_readOnly->isChecked();
    profile.actingUser = m_actingUser->text().trimmed();
    profile.actingRedisUser = m_actingRedisUser->text().trimmed();
    profile.mostItems = m_mostItems->value();
    profile.refreshMs = m_refresh->value();
    profile.masks = m_masks->masks();
    profile.status.reset();
    const QString table = m_statusTable->text().trimmed();
    if (table.isEmpty())
        return;
    StatusTable status;
    status.table = TableName::fromText(table);
    status.idColumn = m_statusId->text().trimmed();
    status.statusColumn = m_statusColumn->text().trimmed();
    if (const QString done = m_statusDone->text().trimmed(); !done.isEmpty())
        status.done = done;
    profile.status = status;
}

ProfileForm::ProfileForm(QWidget *parent)
    : QTabWidget(parent), m_name(line(u"profileName"_s, tr("Name"))),
      m_group(line(u"profileGroup"_s, tr("Group"), tr("none"))),
      m_environment(new QButtonGroup(this)),
      m_database(line(u"profileDatabase"_s, tr("Database address"),
                      u"postgresql://user@host:5432/database"_s)),
      m_databasePassword(
          line(u"profileDatabasePassword"_s, tr("Database password"), tr("kept in memory only"))),
      m_redis(line(u"profileRedis"_s, tr("Redis address"), u"redis://host:6379/0"_s)),
      m_redisPassword(
          line(u"profileRedisPassword"_s, tr("Redis password"), tr("kept in memory only"))),
      m_sentinelPassword(line(u"profileSentinelPassword"_s, tr("Password of the sentinels"),
                              tr("kept in memory only"))),
      m_table(line(u"profileTable"_s, tr("Table"), u"outbox"_s)),
      m_shape(new PropertyList(u"profileShape"_s, tr("Mapping of the table"))),
      m_retention(new DurationEdit(u"profileRetention"_s, tr("Retention"))),
      m_queue(line(u"profileQueue"_s, tr("Queue"), u"default"_s)), m_safety(new SafetyForm),
      m_payloads(new PayloadForm)
{
    setNames(this, u"profileTabs"_s, tr("Profile"));
    setDocumentMode(true);
    const auto addScrolled = [this](QWidget *page, const QString &name, const QString &text) {
        auto *area = new QScrollArea;
        setNames(area, name, text);
        area->setFrameShape(QFrame::NoFrame);
        area->setWidgetResizable(true);
        area->setWidget(page);
        addTab(area, text);
    };
    addScrolled(buildGeneral(), u"profileGeneral"_s, tr("General"));
    addScrolled(buildOutbox(), u"profileOutbox"_s, tr("Outbox"));
    addTab(m_safety, tr("Safety"));
    addTab(m_payloads, tr("Payloads"));
    for (QLineEdit *one : {m_databasePassword, m_redisPassword, m_sentinelPassword})
        one->setEchoMode(QLineEdit::Password);
    connect(m_database, &QLineEdit::textChanged, this,
            [this] { takePassword(m_database, m_databasePassword); });
    connect(m_redis, &QLineEdit::textChanged, this, [this](const QString &address) {
        takePassword(m_redis,
                     namesPasswordOfSentinels(address) ? m_sentinelPassword : m_redisPassword);
    });
    connect(m_environment, &QButtonGroup::idToggled, this, &ProfileForm::edited);
    connect(m_retention, &DurationEdit::edited, this, &ProfileForm::edited);
    connect(m_safety, &SafetyForm::edited, this, &ProfileForm::edited);
    connect(m_payloads, &PayloadForm::edited, this, &ProfileForm::edited);
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
    setNames(edit, name, spoken);
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
    auto *row = boxOn<QHBoxLayout>(choices, 16);
    for (const Environment one : {Environment::Production, Environment::Staging,
                                  Environment::Development, Environment::Unsaid}) {
        auto *radio = new QRadioButton(label(one));
        radio->setObjectName(u"profileEnvironment-"_s + word(one));
        m_environment->addButton(radio, static_cast<int>(one));
        row->addWidget(radio);
    }
    row->addStretch();
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Group"), m_group);
    form->addRow(tr("Environment"), choices);
    form->addRow(tr("Database"), m_database);
    form->addRow(QString(), new DatabaseFields(m_database));
    form->addRow(tr("Password"), m_databasePassword);
    form->addRow(QString(),
                 hint(tr("sqlite:///path/file.db works too. TLS is part of the address: %1")
                          .arg(u"?sslmode=verify-full&sslrootcert=/path/ca.pem"_s)));
    form->addRow(tr("Redis"), m_redis);
    form->addRow(QString(), new RedisFields(m_redis));
    form->addRow(tr("Password"), m_redisPassword);
    form->addRow(tr("Of the sentinels"), m_sentinelPassword);
    form->addRow(QString(),
                 hint(tr("TLS: rediss://…  Socket: redis+unix:///run/redis.sock?db=0  Sentinels: "
                         "redis+sentinel://host1,host2/NAME/0  Cluster: "
                         "redis+cluster://host1,host2")));
    const auto showSentinels = [this, form] {
        form->setRowVisible(m_sentinelPassword, m_redis->text().contains("sentinel"_L1));
    };
    connect(m_redis, &QLineEdit::textChanged, form, showSentinels);
    showSentinels();
    return page;
}

QWidget *ProfileForm::buildOutbox()
{
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    auto *map = new QPushButton(tr("Probe and map…"));
    setNames(map, u"profileMap"_s, tr("Probe and map the columns"));
    connect(map, &QPushButton::clicked, this, &ProfileForm::mapAsked);
    auto *table = new QWidget;
    auto *row = new QHBoxLayout(table);
    row->setContentsMargins({});
    row->addWidget(m_table, 1);
    row->addWidget(map);
    m_shape->setFrameShape(QFrame::StyledPanel);
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

void ProfileForm::setAddressParser(const AddressParser &parser)
{
    for (AddressFields *one : findChildren<AddressFields *>())
        one->setParser(parser);
}

void ProfileForm::setProfile(const Profile &profile, const ProfilePasswords &passwords)
{
    const QSignalBlocker quiet(this);
    m_finding.reset();
    m_name->setText(profile.name);
    m_group->setText(profile.group);
    m_environment->setExclusive(false); // else the last one on could not be put out
    for (QAbstractButton *one : m_environment->buttons())
        one->setChecked(m_environment->id(one) == static_cast<int>(profile.environment));
    m_environment->setExclusive(true);
    m_databasePassword->setText(passwords.database);
    m_redisPassword->setText(passwords.redis);
    m_sentinelPassword->setText(passwords.sentinel);
    m_database->setText(profile.databaseUrl);
    m_redis->setText(profile.redisUrl);
    for (QLineEdit *one : {m_database, m_redis})
        one->setCursorPosition(0);
    m_table->setText(profile.table);
    m_queue->setText(profile.queue);
    m_retention->setSeconds(profile.retentionSeconds);
    m_safety->setProfile(profile);
    m_payloads->setProfile(profile);
    for (AddressFields *one : findChildren<AddressFields *>())
        one->refresh(); // what was half typed there is of the profile before
    m_profile = profile; // last: the fields would change it
    showShape();
}

Profile ProfileForm::profile() const
{
    Profile profile = m_profile; // what has no field here stays as it was
    profile.name = m_name->text().trimmed();
    profile.group = m_group->text().trimmed();
    if (m_environment->checkedId() >= 0)
        profile.environment = static_cast<Environment>(m_environment->checkedId());
    profile.databaseUrl = m_database->text().trimmed();
    profile.redisUrl = m_redis->text().trimmed();
    profile.table = m_table->text().trimmed();
    profile.queue = m_queue->text().trimmed();
    profile.retentionSeconds = m_retention->seconds();
    m_safety->writeTo(profile);
    m_payloads->writeTo(profile);
    return profile;
}

QString ProfileForm::problem() const
{
    return m_safety->problem();
}

ProfilePasswords ProfileForm::passwords() const
{
    return {m_databasePassword->text(), m_redisPassword->text(), m_sentinelPassword->text()};
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
    QString rest = address->text();
    const QString taken = passwordTakenFrom(rest);
    if (taken.isEmpty())
        return;
    address->setText(rest);
    password->setText(taken);
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

#include "profileform.moc"
