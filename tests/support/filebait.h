// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that nobody may open, for texts that ask for it; whoever does is noticed.
#pragma once

#include <QTemporaryDir>

#include <atomic>
#include <thread>

namespace outbox {

/// A pipe, on which a reader would wait for ever, and a picture. Watched from a thread of its own,
/// which frees readers from the pipe for some seconds and then ends the program, so that a test
/// fails and does not hang.
class FileBait
{
public:
    FileBait();
    ~FileBait();
    Q_DISABLE_COPY_MOVE(FileBait)

    [[nodiscard]] QString fifo() const;
    [[nodiscard]] QString picture() const;
    /// Whether one of them was opened, ever.
    [[nodiscard]] bool wasTaken() const { return m_taken; }

private:
    [[nodiscard]] int openPipe() const;
    void wait();

    QTemporaryDir m_folder;
    int m_keeper = -1; ///< keeps the pipe writable, so that a reader waits
    int m_watch = -1;
    int m_stop = -1;
    std::atomic<bool> m_taken = false;
    std::thread m_thread;
};

} // namespace outbox
