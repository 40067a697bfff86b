// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/settableclock.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSaveFile>
#include <QTemporaryDir>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const char *const place = "FAKETIME_TIMESTAMP_FILE";

/// The library keeps a semaphore and a memory for each process, by its number. What a killed one
/// left there belongs to its user, and a process of another user that gets the number again cannot
/// start.
void removeLeftovers()
{
    QDir shared(u"/dev/shm"_s);
    for (const QString &name :
         shared.entryList({u"*faketime_s?m_*"_s}, QDir::Files | QDir::System)) {
        if (!QFileInfo::exists(u"/proc/"_s + name.section(u'_', -1)))
            shared.remove(name);
    }
}

} // namespace

SettableClock::SettableClock() : m_start(QDateTime::currentMSecsSinceEpoch())
{
    m_since.start();
}

QString SettableClock::library()
{
    const QDir libraries(u"/usr/lib"_s);
    for (const QString &triplet : libraries.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString path = libraries.filePath(triplet + u"/faketime/libfaketimeMT.so.1"_s);
        if (QFile::exists(path))
            return path;
    }
    return {};
}

bool SettableClock::isUnder()
{
    return qEnvironmentVariableIsSet(place);
}

bool SettableClock::passes(const QMap<QString, QString> &environment, const QString &function,
                           QByteArray &said)
{
    removeLeftovers();
    QTemporaryDir folder;
    folder.setAutoRemove(true);
    // Servers run as another user.
    QFile::setPermissions(folder.path(),
                          QFile::permissions(folder.path()) | QFile::ReadOther | QFile::ExeOther
                              | QFile::ReadGroup | QFile::ExeGroup);
    const QString clock = folder.filePath(u"clock"_s);
    QFile file(clock);
    if (!file.open(QIODevice::WriteOnly) || file.write("+0") < 0)
        return false;
    file.close();
    file.setPermissions(file.permissions() | QFile::ReadOther);
    QProcessEnvironment under = QProcessEnvironment::systemEnvironment();
    under.insert(u"LD_PRELOAD"_s, library());
    under.insert(QString::fromLatin1(place), clock);
    under.insert(u"FAKETIME_NO_CACHE"_s, u"1"_s);
    under.insert(u"FAKETIME_DONT_FAKE_MONOTONIC"_s, u"1"_s);
    for (auto one = environment.cbegin(); one != environment.cend(); ++one)
        under.insert(one.key(), one.value());
    QProcess child;
    child.setProcessEnvironment(under);
    child.setProcessChannelMode(QProcess::MergedChannels);
    child.start(QCoreApplication::applicationFilePath(), {function});
    constexpr int mostMs = 280'000;
    const bool isDone = child.waitForFinished(mostMs);
    said = child.readAll();
    if (!isDone)
        child.kill();
    child.waitForFinished();
    return isDone && child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0;
}

void SettableClock::set(qint64 moment)
{
    const qint64 real = m_start + m_since.elapsed();
    const qint64 seconds = (moment - real) / 1000;
    QFile file(qEnvironmentVariable(place));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("the clock cannot be set");
    file.write((seconds < 0 ? QByteArray() : QByteArray("+")) + QByteArray::number(seconds));
}

} // namespace outbox
