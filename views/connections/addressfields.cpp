// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/addressfields.h"

#include "views/widgets/boxes.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A field that says the same already keeps its cursor.
void setPart(QLineEdit *field, const QString &text)
{
    if (field->text() != text)
        field->setText(text);
}

} // namespace

AddressFields::AddressFields(QLineEdit *address, QWidget *parent)
    : QWidget(parent), m_address(address)
{
    hide();
    connect(m_address, &QLineEdit::textChanged, this, &AddressFields::refresh);
}

void AddressFields::setParser(const AddressParser &parser)
{
    m_parser = parser;
    refresh();
    setVisible(true);
}

void AddressFields::refresh()
{
    if (m_isBusy || !m_parser.databaseParts)
        return;
    m_isBusy = true;
    showParts();
    m_isBusy = false;
}

QLineEdit *AddressFields::line(const QString &name, const QString &spoken,
                               const QString &placeholder)
{
    auto *edit = new QLineEdit;
    setNames(edit, name, spoken);
    edit->setPlaceholderText(placeholder);
    edit->setToolTip(spoken);
    connect(edit, &QLineEdit::textChanged, this, &AddressFields::compose);
    return edit;
}

QComboBox *AddressFields::kinds(const QString &name, const QString &spoken,
                                const QStringList &texts)
{
    auto *box = new QComboBox;
    setNames(box, name, spoken);
    box->addItems(texts);
    connect(box, &QComboBox::currentIndexChanged, this, &AddressFields::compose);
    return box;
}

QString AddressFields::address() const
{
    return m_address->text();
}

void AddressFields::compose()
{
    if (m_isBusy || !m_parser.databaseParts)
        return;
    m_isBusy = true;
    m_address->setText(composed());
    m_isBusy = false;
}

DatabaseFields::DatabaseFields(QLineEdit *address, QWidget *parent)
    : AddressFields(address, parent), m_kind(kinds(u"profileDatabaseKind"_s, tr("Kind of database"),
                                                   {u"PostgreSQL"_s, u"MariaDB"_s, u"SQLite"_s})),
      m_host(line(u"profileDatabaseHost"_s, tr("Database host"), tr("host"))),
      m_port(line(u"profileDatabasePort"_s, tr("Database port"), tr("port"))),
      m_database(line(u"profileDatabaseName"_s, tr("Database name or file"), tr("database"))),
      m_user(line(u"profileDatabaseUser"_s, tr("Database user"), tr("user")))
{
    auto *row = boxOn<QHBoxLayout>(this, 6);
    row->addWidget(m_kind);
    row->addWidget(m_host, 3);
    row->addWidget(m_port, 1);
    row->addWidget(m_database, 2);
    row->addWidget(m_user, 2);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &DatabaseFields::showKind);
    showKind();
}

void DatabaseFields::showParts()
{
    const DatabaseParts parts = parser().databaseParts(address()).value_or(DatabaseParts());
    m_kind->setCurrentIndex(static_cast<int>(parts.kind));
    setPart(m_host, parts.host);
    setPart(m_port, parts.port);
    setPart(m_database, parts.database);
    setPart(m_user, parts.user);
}

QString DatabaseFields::composed() const
{
    DatabaseParts parts;
    parts.kind = static_cast<DatabaseParts::Kind>(m_kind->currentIndex());
    parts.database = m_database->text().trimmed();
    if (parts.kind != DatabaseParts::Kind::Sqlite) {
        parts.host = m_host->text().trimmed();
        parts.port = m_port->text().trimmed();
        parts.user = m_user->text().trimmed();
    }
    return parser().databaseAddress(address(), parts);
}

void DatabaseFields::showKind()
{
    const auto kind = static_cast<DatabaseParts::Kind>(m_kind->currentIndex());
    const bool isFile = kind == DatabaseParts::Kind::Sqlite;
    for (QLineEdit *one : {m_host, m_port, m_user})
        one->setVisible(!isFile);
    m_database->setPlaceholderText(isFile ? tr("/path/of/file.db") : tr("database"));
}

RedisFields::RedisFields(QLineEdit *address, QWidget *parent)
    : AddressFields(address, parent),
      m_kind(
          kinds(u"profileRedisKind"_s, tr("Kind of Redis"),
                {tr("No Redis"), tr("One server"), tr("Sentinels"), tr("Cluster"), tr("Socket")})),
      m_hosts(line(u"profileRedisHosts"_s, tr("Redis hosts"), tr("host"))),
      m_port(line(u"profileRedisPort"_s, tr("Redis port"), u"6379"_s)),
      m_master(line(u"profileRedisMaster"_s, tr("Name of the master"), tr("master"))),
      m_database(line(u"profileRedisNumber"_s, tr("Number of the Redis database"), u"0"_s)),
      m_user(line(u"profileRedisUser"_s, tr("Redis user"), tr("user"))),
      m_tls(new QCheckBox(tr("TLS")))
{
    setNames(m_tls, u"profileRedisTls"_s, tr("Redis over TLS"));
    connect(m_tls, &QCheckBox::toggled, this, &RedisFields::compose);
    auto *row = boxOn<QHBoxLayout>(this, 6);
    row->addWidget(m_kind);
    row->addWidget(m_hosts, 4);
    row->addWidget(m_port, 1);
    row->addWidget(m_master, 2);
    row->addWidget(m_database, 1);
    row->addWidget(m_user, 2);
    row->addWidget(m_tls);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &RedisFields::showKind);
    showKind();
}

void RedisFields::showParts()
{
    RedisParts unread;
    unread.kind = RedisParts::Kind::Server; // an address is there: that is not "No Redis"
    const RedisParts parts = parser().redisParts(address()).value_or(unread);
    m_kind->setCurrentIndex(static_cast<int>(parts.kind));
    setPart(m_hosts, parts.hosts);
    setPart(m_port, parts.port);
    setPart(m_master, parts.master);
    setPart(m_database, parts.database);
    setPart(m_user, parts.user);
    m_tls->setChecked(parts.tls);
}

QString RedisFields::composed() const
{
    RedisParts parts;
    parts.kind = static_cast<RedisParts::Kind>(m_kind->currentIndex());
    parts.hosts = m_hosts->text().trimmed();
    parts.port = m_port->text().trimmed();
    parts.master = m_master->text().trimmed();
    parts.database = m_database->text().trimmed();
    parts.user = m_user->text().trimmed();
    parts.tls = m_tls->isChecked();
    return parser().redisAddress(address(), parts);
}

void RedisFields::showKind()
{
    using Kind = RedisParts::Kind;
    const auto kind = static_cast<Kind>(m_kind->currentIndex());
    const bool isNamed = kind != Kind::None;
    m_hosts->setVisible(isNamed);
    m_port->setVisible(kind == Kind::Server);
    m_master->setVisible(kind == Kind::Sentinels);
    m_database->setVisible(isNamed && kind != Kind::Cluster);
    m_user->setVisible(isNamed);
    m_tls->setVisible(isNamed && kind != Kind::Socket);
    const bool areSeveral = kind == Kind::Sentinels || kind == Kind::Cluster;
    m_hosts->setPlaceholderText(areSeveral                 ? tr("host1,host2")
                                    : kind == Kind::Socket ? tr("/run/redis.sock")
                                                           : tr("host"));
}

} // namespace outbox
