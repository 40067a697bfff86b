// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields beside an address: both show one value, and typing in one changes the other.
#pragma once

#include "models/profile/addressparts.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace outbox {

/// Hidden until there is a parser. The address is what is saved.
class AddressFields : public QWidget
{
    Q_OBJECT

public:
    void setParser(const AddressParser &parser);
    /// Shows the parts of what stands in the address now.
    void refresh();

protected:
    /// `address` outlives this.
    explicit AddressFields(QLineEdit *address, QWidget *parent = nullptr);

    /// Shows the parts of what stands in the address; where that cannot be understood, none.
    virtual void showParts() = 0;
    /// The address that the fields say.
    [[nodiscard]] virtual QString composed() const = 0;
    [[nodiscard]] QLineEdit *line(const QString &name, const QString &spoken,
                                  const QString &placeholder);
    [[nodiscard]] QComboBox *kinds(const QString &name, const QString &spoken,
                                   const QStringList &texts);
    [[nodiscard]] QString address() const;
    [[nodiscard]] const AddressParser &parser() const { return m_parser; }
    /// Writes the address anew.
    void compose();

private:
    QLineEdit *m_address;
    AddressParser m_parser;
    bool m_isBusy = false; ///< one of the two is being written by the other
};

class DatabaseFields : public AddressFields
{
    Q_OBJECT

public:
    explicit DatabaseFields(QLineEdit *address, QWidget *parent = nullptr);

protected:
    void showParts() override;
    [[nodiscard]] QString composed() const override;

private:
    void showKind();

    QComboBox *m_kind;
    QLineEdit *m_host;
    QLineEdit *m_port;
    QLineEdit *m_database;
    QLineEdit *m_user;
};

class RedisFields : public AddressFields
{
    Q_OBJECT

public:
    explicit RedisFields(QLineEdit *address, QWidget *parent = nullptr);

protected:
    void showParts() override;
    [[nodiscard]] QString composed() const override;

private:
    void showKind();

    QComboBox *m_kind;
    QLineEdit *m_hosts;
    QLineEdit *m_port;
    QLineEdit *m_master;
    QLineEdit *m_database;
    QLineEdit *m_user;
    QCheckBox *m_tls;
};

} // namespace outbox
