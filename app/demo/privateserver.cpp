// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/privateserver.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLocalSocket>
#include <QStandardPaths>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int startDeadlineMs = 30'000;
const QString fastStop = u"INT"_s; ///< SIGTERM waits for other clients

/// Processes whose parent is `pid`, from /proc.
QList<pid_t> childrenOf(qint64 pid)
{
    QList<pid_t> children;
    QFile list(u"/proc/%1/task/%1/children"_s.arg(pid));
    if (list.open(QIODevice::ReadOnly)) {
        for (const QByteArray &word : list.readAll().simplified().split(' ')) {
            if (!word.isEmpty())
                children += word.toInt();
        }
    }
    return children;
}

/// Answers who the children were.
QList<pid_t> signalFamily(qint64 pid, int signal)
{
    if (pid <= 0)
        return {};
    QList<pid_t> children = childrenOf(pid);
    ::kill(static_cast<pid_t>(pid), signal);
    for (const pid_t child : children)
        ::kill(child, signal);
    return children;
}

/// The letter of /proc for a process or a thread; 'Z' where it is gone.
char stateOf(const QString &folder)
{
    QFile stat(folder + u"/stat"_s);
    if (!stat.open(QIODevice::ReadOnly))
        return 'Z';
    const QByteArray text = stat.readAll();
    return text.mid(text.lastIndexOf(')') + 2).at(0);
}

/// Gone, or a zombie: nothing of its memory is left, whoever reaps it.
bool hasEnded(pid_t pid)
{
    return stateOf(u"/proc/%1"_s.arg(pid)) == 'Z';
}

/// Whether no thread of it runs any more.
bool standsStill(qint64 pid)
{
    const QDir threads(u"/proc/%1/task"_s.arg(pid));
    const QStringList names = threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::all_of(names.begin(), names.end(), [&threads](const QString &name) {
        const char state = stateOf(threads.filePath(name));
        return state == 'T' || state == 'Z';
    });
}

/// Folders of ours whose maker is dead: after a SIGKILL nobody else could remove them.
void sweepDeadFolders()
{
    const QDir temporary(QDir::tempPath());
    for (const QFileInfo &folder :
         temporary.entryInfoList({u"obx-*-*"_s}, QDir::Dirs | QDir::NoSymLinks)) {
        const auto maker = static_cast<pid_t>(folder.fileName().section(u'-', 1, 1).toInt());
        const bool dead = maker > 0 && ::kill(maker, 0) != 0 && errno == ESRCH;
        if (dead && folder.ownerId() == ::geteuid())
            QDir(folder.absoluteFilePath()).removeRecursively();
    }
}

bool socketAnswers(const QString &path)
{
    QLocalSocket socket;
    socket.connectToServer(path);
    return socket.waitForConnected(200);
}

} // namespace

PrivateServer::PrivateServer() : m_folder(QDir::tempPath() + u"/obx-%1-XXXXXX"_s.arg(::getpid()))
{
    static const bool swept = (sweepDeadFolders(), true); // once a process
    Q_UNUSED(swept)
}

PrivateServer::~PrivateServer()
{
    if (!isRunning())
        return;
    signalFamily(pid(), SIGCONT); // a frozen server could not hear the next signal
    ::kill(static_cast<pid_t>(pid()), m_stopSignal);
    if (!m_process->waitForFinished(5000))
        kill();
}

Result<void> PrivateServer::runToEnd(const QString &program, const QStringList &arguments,
                                     const QString &doing)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(QDir::tempPath());
    process.start(program, arguments);
    if (!process.waitForFinished(60'000) || process.exitCode() != 0) {
        return fail(Error::Kind::Unreachable, doing,
                    QString::fromUtf8(process.readAll()).trimmed() + u' ' + process.errorString());
    }
    return {};
}

void PrivateServer::runAsNobody(QString &program, QStringList &arguments,
                                const QString &death) const
{
    if (::geteuid() != 0)
        return;
    ::chmod(QFile::encodeName(folder()).constData(), 0777);
    // setpriv takes the death signal from a process whose user it changes, and gives it again
    arguments = QStringList{u"--reuid=nobody"_s,
                            u"--regid=nogroup"_s,
                            u"--clear-groups"_s,
                            u"--pdeathsig="_s + death,
                            u"--"_s,
                            program}
        + arguments;
    program = u"setpriv"_s;
}

void PrivateServer::kill()
{
    if (!isRunning())
        return;
    const QList<pid_t> children = signalFamily(pid(), SIGKILL);
    m_process->waitForFinished(5000);
    // PostgreSQL does not start while one of its children still has the old shared memory.
    const QDeadlineTimer deadline(5000);
    while (!std::all_of(children.begin(), children.end(), hasEnded) && !deadline.hasExpired()) { }
}

void PrivateServer::freeze()
{
    signalFamily(pid(), SIGSTOP);
    // A busy machine lets a thread run on for a moment; it may answer meanwhile.
    const QDeadlineTimer patience(200);
    while (isRunning() && !standsStill(pid()) && !patience.hasExpired())
        ::sched_yield();
}

void PrivateServer::thaw()
{
    signalFamily(pid(), SIGCONT);
}

Result<void> PrivateServer::launch(const QString &program, const QStringList &arguments,
                                   const QString &doing)
{
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(u"server.log"_s), QIODevice::Append);
    m_process->setWorkingDirectory(m_folder.path());
    const pid_t us = ::getpid();
    m_process->setChildProcessModifier([us, death = m_deathSignal] {
        ::prctl(PR_SET_PDEATHSIG, death);
        if (::getppid() != us)
            ::_exit(127); // we died between fork and prctl
    });
    m_process->start(program, arguments);
    if (!m_process->waitForStarted(startDeadlineMs))
        return fail(Error::Kind::Unreachable, doing, m_process->errorString());
    return {};
}

PrivateRedis::PrivateRedis()
{
    m_deathSignal = SIGKILL; // a frozen one would never hear SIGTERM; what it holds is thrown away
}

Result<void> PrivateRedis::start(const QStringList &extra)
{
    TRY(begin(extra));
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < startDeadlineMs && isRunning()) {
        if (answers())
            return {};
        m_process->waitForFinished(5);
    }
    return fail(Error::Kind::Unreachable, u"starting a private redis-server"_s,
                u"it did not open its socket"_s);
}

bool PrivateRedis::answers() const
{
    return isRunning() && socketAnswers(socketPath());
}

Result<void> PrivateRedis::begin(const QStringList &extra)
{
    const QString doing = u"starting a private redis-server"_s;
    const QString program = QStandardPaths::findExecutable(u"redis-server"_s);
    if (program.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing, u"redis-server is not installed"_s, {},
                    u"sudo apt-get install redis-server"_s);
    }
    QFile::remove(socketPath());
    const QStringList arguments
        = QStringList{u"--port"_s, u"0"_s,     u"--unixsocket"_s, socketPath(),     u"--save"_s,
                      QString(),   u"--dir"_s, folder(),          u"--daemonize"_s, u"no"_s}
        + extra;
    return launch(program, arguments, doing);
}

Result<QString> postgresBinaries()
{
    const QDir versions(u"/usr/lib/postgresql"_s);
    QStringList names = versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    std::sort(names.begin(), names.end(),
              [](const QString &a, const QString &b) { return a.toInt() > b.toInt(); });
    for (const QString &name : std::as_const(names)) {
        const QString folder = versions.filePath(name + u"/bin"_s);
        if (QFile::exists(folder + u"/postgres"_s) && QFile::exists(folder + u"/initdb"_s))
            return folder;
    }
    const QString found = QStandardPaths::findExecutable(u"postgres"_s);
    if (!found.isEmpty())
        return QFileInfo(found).absolutePath();
    return fail(Error::Kind::Unsupported, u"starting a private PostgreSQL"_s,
                u"PostgreSQL's server programs are not installed"_s, {},
                u"sudo apt-get install postgresql"_s);
}

PrivatePostgres::~PrivatePostgres()
{
    stop();
}

Result<void> PrivatePostgres::start(const QStringList &extraSettings, bool durable)
{
    const QString doing = u"starting a private PostgreSQL"_s;
    const auto binaries = TRY(postgresBinaries());
    prepare(extraSettings, durable);
    QStringList init{u"-D"_s,        m_folder.filePath(u"data"_s),
                     u"-A"_s,        u"trust"_s,
                     u"--no-sync"_s, u"-U"_s,
                     user(),         u"-E"_s,
                     u"UTF8"_s,      u"--locale=C.UTF-8"_s};
    QString program = binaries + u"/initdb"_s;
    runAsNobody(program, init, fastStop);
    TRY(runToEnd(program, init, doing));
    return restart();
}

void PrivatePostgres::prepare(const QStringList &extraSettings, bool durable)
{
    m_stopSignal = SIGINT; // fast stop: SIGTERM waits for other clients
    m_settings = QStringList{u"listen_addresses="_s, u"unix_socket_directories="_s + folder(),
                             u"max_connections=60"_s, u"logging_collector=off"_s}
        + (durable ? QStringList() : QStringList{u"fsync=off"_s, u"full_page_writes=off"_s})
        + extraSettings;
}

Result<void> PrivatePostgres::restart()
{
    const QString doing = u"starting a private PostgreSQL"_s;
    const auto binaries = TRY(postgresBinaries());
    QStringList arguments{u"-D"_s, m_folder.filePath(u"data"_s)};
    for (const QString &setting : std::as_const(m_settings))
        arguments += {u"-c"_s, setting};
    QString program = binaries + u"/postgres"_s;
    runAsNobody(program, arguments, fastStop);
    TRY(launch(program, arguments, doing));
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < startDeadlineMs && isRunning()) {
        QProcess ready;
        ready.start(binaries + u"/pg_isready"_s, {u"-q"_s, u"-h"_s, folder()});
        ready.waitForFinished(2000);
        if (ready.exitStatus() == QProcess::NormalExit && ready.exitCode() == 0)
            return {};
        m_process->waitForFinished(20);
    }
    return fail(Error::Kind::Unreachable, doing,
                u"the server does not answer: "_s + QString::fromUtf8(log().right(400)).trimmed());
}

void PrivatePostgres::stopWith(int signal)
{
    if (!isRunning())
        return;
    thaw();
    ::kill(static_cast<pid_t>(pid()), signal);
    m_process->waitForFinished(10'000);
}

QByteArray PrivatePostgres::log() const
{
    QFile file(m_folder.filePath(u"server.log"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace outbox
