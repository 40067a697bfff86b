// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// For programs under the thread sanitizer: Qt starts a process by clone() with the memory of the parent, as vfork()
// does. The sanitizer of clang 14 takes every clone() for a fork() and then finds its own state changed by the child.
// Qt gives the child a few kilobytes of stack. That is too little for a signal which the sanitizer kept for later and
// delivers there: it would overwrite the stack of the parent. So the child gets a larger one.
#include <cstdarg>
#include <cstddef>

#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/types.h>

extern "C" int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) noexcept
{
    std::va_list more;
    va_start(more, argument);
    auto *parentId = va_arg(more, pid_t *);
    void *storage = va_arg(more, void *);
    auto *childId = va_arg(more, pid_t *);
    va_end(more);
    using Clone = int (*)(int (*)(void *), void *, int, void *, ...);
    static const auto real = reinterpret_cast<Clone>(dlsym(RTLD_NEXT, "clone"));
    if ((flags & CLONE_VFORK) == 0)
        return real(run, stack, flags, argument, parentId, storage, childId);
    constexpr std::size_t size = std::size_t(1) << 20U;
    void *const own = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED)
        return -1;
    const int child = real(run, static_cast<char *>(own) + size, flags, argument, parentId, storage, childId);
    munmap(own, size); // the child has another memory by now, or has ended
    return child;
}
