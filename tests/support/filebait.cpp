// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/filebait.h"

#include <QFile>

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FileBait::FileBait()
{
    QFile image(picture());
    const bool made = ::mkfifo(QFile::encodeName(fifo()).constData(), 0600) == 0
        && image.open(QIODevice::WriteOnly) && image.write("P1 1 1 1\n") > 0;
    image.close();
    m_keeper = openPipe();
    m_watch = ::inotify_init1(IN_CLOEXEC);
    m_stop = ::eventfd(0, EFD_CLOEXEC);
    const QByteArray folder = QFile::encodeName(m_folder.path());
    if (!made || m_keeper < 0 || m_stop < 0
        || ::inotify_add_watch(m_watch, folder.constData(), IN_OPEN) < 0)
        qFatal("the bait cannot be laid out");
    m_thread = std::thread([this] { wait(); });
}

FileBait::~FileBait()
{
    const quint64 one = 1;
    if (::write(m_stop, &one, sizeof one) < 0)
        qFatal("the watcher cannot be stopped");
    m_thread.join();
    ::close(m_watch);
    ::close(m_stop);
    if (m_keeper >= 0)
        ::close(m_keeper);
}

QString FileBait::fifo() const
{
    return m_folder.filePath(u"fifo"_s);
}

QString FileBait::picture() const
{
    return m_folder.filePath(u"picture.pbm"_s);
}

int FileBait::openPipe() const
{
    return ::open(QFile::encodeName(fifo()).constData(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

void FileBait::wait()
{
    constexpr int freeEveryMs = 5;
    int patience = 1000;
    std::array<pollfd, 2> either{pollfd{m_watch, POLLIN, 0}, pollfd{m_stop, POLLIN, 0}};
    while (::poll(either.data(), either.size(), m_taken ? freeEveryMs : -1) >= 0) {
        if (either[1].revents != 0)
            return;
        m_taken = true;
        either[0].fd = -1; // once is enough
        if (--patience == 0) // some readers try for ever
            qFatal("a file that nobody may open was opened");
        // With no writer left, a reader comes to the end; with one, whoever waits to open it goes
        // on.
        if (m_keeper >= 0)
            ::close(std::exchange(m_keeper, -1));
        else
            m_keeper = openPipe();
    }
}

} // namespace outbox
