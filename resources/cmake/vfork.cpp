// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// For programs under the thread sanitizer: Qt starts a process by clone() with the memory of the parent, as vfork()
// does. The sanitizer of clang 14 takes every clone() for a fork() and then finds its own state changed by the child.
#include <cstdarg>

#include <dlfcn.h>
#include <sched.h>
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
    return real(run, stack, flags, argument, parentId, storage, childId);
}
