// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loaded before the C library into a server of a test: what the server syncs is copied to a folder
// that stands for the medium, and nothing else ever gets there. `VolatileDisk` is its other half.
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

std::string folderOf(const char *variable)
{
    const char *value = std::getenv(variable);
    return value ? value : "";
}

fs::path pathOf(int file)
{
    std::array<char, PATH_MAX> path{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<size_t>(length)) : std::string();
}

/// The same file under whatever name: its number, and when it was made, for numbers come again.
std::string identityOf(const fs::path &path)
{
    struct statx known
    {
    };
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &known) != 0)
        return {};
    return std::to_string(known.stx_ino) + '-' + std::to_string(known.stx_btime.tv_sec) + '-'
        + std::to_string(known.stx_btime.tv_nsec);
}

/// What was synced of a file is known by that; `kept` names it.
fs::path contentOf(const std::string &medium, const std::string &identity)
{
    return medium + ".files/" + identity;
}

bool giveName(const fs::path &content, const fs::path &kept)
{
    std::error_code failed;
    fs::create_directories(kept.parent_path(), failed);
    const fs::path draft = kept.string() + ".draft";
    fs::remove(draft, failed);
    fs::create_hard_link(content, draft, failed);
    if (!failed)
        fs::rename(draft, kept, failed);
    fs::remove(draft, failed); // both may be the same file already
    return fs::exists(kept);
}

bool makeEmpty(const fs::path &kept)
{
    const int file = ::open(kept.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0 && ::close(file) == 0;
}

/// A file is synced: its content, and the name that it has now.
bool keepFile(const std::string &medium, const fs::path &from, const fs::path &kept)
{
    const fs::path content = contentOf(medium, identityOf(from));
    const fs::path draft = content.string() + ".draft";
    std::error_code failed;
    fs::create_directories(content.parent_path(), failed);
    fs::copy_file(from, draft, fs::copy_options::overwrite_existing, failed);
    if (!failed)
        fs::rename(draft, content, failed);
    return !failed && giveName(content, kept);
}

/// A folder is synced: names that are gone from it are gone, files that were synced under another
/// name have the new one, and those that never were are empty.
bool keepNames(const std::string &medium, const fs::path &from, const fs::path &kept)
{
    std::error_code failed;
    fs::create_directories(kept, failed);
    for (const fs::directory_entry &one : fs::directory_iterator(kept, failed)) {
        std::error_code ignored; // somebody else may be quicker
        if (!fs::exists(from / one.path().filename(), ignored))
            fs::remove_all(one.path(), ignored);
    }
    for (const fs::directory_entry &one : fs::directory_iterator(from, failed)) {
        const fs::path content = contentOf(medium, identityOf(one.path()));
        std::error_code ignored;
        if (!one.is_regular_file(ignored))
            continue;
        const fs::path name = kept / one.path().filename();
        if (fs::exists(content, ignored) ? !giveName(content, name)
                                         : !fs::exists(name, ignored) && !makeEmpty(name))
            return false;
    }
    return !failed;
}

/// One at a time over all processes: an older copy must not be put over a newer one.
class Turn
{
public:
    explicit Turn(const std::string &folder)
        : m_file(::open((folder + ".turn").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
    {
        ::flock(m_file, LOCK_EX);
    }
    ~Turn() { ::close(m_file); }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

private:
    int m_file;
};

int keep(int file)
{
    static const std::string from = folderOf("OUTBOX_DISK_SEEN");
    static const std::string to = folderOf("OUTBOX_DISK_KEPT");
    const fs::path path = pathOf(file);
    const std::string name = path.string();
    struct stat kind
    {
    };
    if (from.empty() || to.empty() || name.rfind(from, 0) != 0 || ::fstat(file, &kind) != 0)
        return 0;
    const Turn turn(to);
    const fs::path kept = to + name.substr(from.size());
    std::error_code ignored;
    const bool isThere = fs::exists(path, ignored); // a file without a name has nothing to keep
    if (!isThere || (S_ISDIR(kind.st_mode) ? keepNames(to, path, kept) : keepFile(to, path, kept)))
        return 0;
    errno = EIO;
    return -1;
}

} // namespace

extern "C" {

int fsync(int file)
{
    return keep(file);
}

int fdatasync(int file)
{
    return keep(file);
}
}
