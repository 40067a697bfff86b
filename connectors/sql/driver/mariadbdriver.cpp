// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/mariadbdriver.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibrary>
#include <QSqlDriver>

#include <atomic>

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

namespace {

/// One at a time may pass, for the length of a few lines.
class Doorway
{
public:
    Doorway()
    {
        while (isTaken.test_and_set(std::memory_order_acquire))
            isTaken.wait(true, std::memory_order_relaxed);
    }
    ~Doorway()
    {
        isTaken.clear(std::memory_order_release);
        isTaken.notify_one();
    }
    Doorway(const Doorway &) = delete;
    Doorway &operator=(const Doorway &) = delete;

private:
    static inline std::atomic_flag isTaken;
};

/// A function of the client library that the plugin itself uses, whichever that is: looked up
/// through the plugin, so that nothing has to be linked.
QFunctionPointer clientFunction(const char *name)
{
    const QStringList folders = QCoreApplication::libraryPaths();
    for (const QString &folder : folders) {
        const QDir drivers(folder + u"/sqldrivers"_s);
        for (const QString &file : drivers.entryList({u"*mysql*"_s}, QDir::Files)) {
            if (const auto function = QLibrary::resolve(drivers.filePath(file), name))
                return function;
        }
    }
    return nullptr;
}

/// MYSQL *, as the plugin holds it.
void *handleOf(const QSqlDatabase &database)
{
    const QVariant handle = database.driver()->handle();
    const QByteArray type = handle.typeName();
    if (type != "MYSQL*" && type != "st_mysql*")
        return nullptr;
    return *static_cast<void *const *>(handle.constData());
}

} // namespace

QSqlDatabase addConnection(const QString &name)
{
    const QString driver = u"QMYSQL"_s;
    const Doorway here;
    static const bool kept
        = QSqlDatabase::addDatabase(driver, u"outbox-mariadb-keeper"_s).isValid();
    Q_UNUSED(kept)
    return QSqlDatabase::addDatabase(driver, name);
}

void removeConnection(const QString &name)
{
    QSqlDatabase::database(name, false).close(); // says farewell to the server, which may take time
    const Doorway here;
    QSqlDatabase::removeDatabase(name);
}

int socketOf(const QSqlDatabase &database)
{
    using Function = int (*)(void *);
    static const auto ask = reinterpret_cast<Function>(clientFunction("mysql_get_socket"));
    void *handle = handleOf(database);
    return ask && handle ? ask(handle) : -1;
}

} // namespace outbox::mariadb
