// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/audit/audittrail.h"

#include "app/audit/auditline.h"
#include "app/settings/privatefile.h"
#include "models/payload/jsontokens.h"
#include "models/result.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct BackwardLine
{
    QByteArray text; ///< without its line break
    bool ended = true; ///< false: the file stops within it
};

/// Holds one line and one block. `file` must outlive it.
/// Errors: Invalid for a line that is longer than the most.
class ReverseLineReader
{
public:
    /// What lies behind `end` is not read. Lines longer than `longest` bytes are a fault.
    ReverseLineReader(const PrivateFile &file, qint64 end, qint64 longest)
        : m_file(file), m_unread(end), m_longest(longest)
    { }

    /// nullopt: there are no more. Empty lines are left out.
    [[nodiscard]] Result<std::optional<BackwardLine>> next();

private:
    [[nodiscard]] Result<void> readMore();

    const PrivateFile &m_file;
    qint64 m_unread; ///< bytes before the buffer
    qint64 m_longest;
    QByteArray m_buffer; ///< up to the line that was handed out last
};

constexpr qint64 blockBackward = qint64{256} * 1024;

Result<void> ReverseLineReader::readMore()
{
    if (m_buffer.size() > m_longest) {
        return fail(Error::Kind::Invalid, u"reading "_s + m_file.path(),
                    u"a line is longer than %1 bytes"_s.arg(m_longest), {},
                    u"move the file aside"_s);
    }
    // As much again as there is: a long line is not copied once for each block of it.
    const qint64 count = std::min(m_unread, std::max(blockBackward, qint64{m_buffer.size()}));
    auto bytes = TRY(m_file.readAt(m_unread - count, count));
    m_unread -= count;
    m_buffer.prepend(bytes);
    return {};
}

Result<std::optional<BackwardLine>> ReverseLineReader::next()
{
    while (true) {
        // What was handed out before ended with the line break that the buffer ends with.
        const bool ended = m_buffer.endsWith('\n');
        const qsizetype before = QByteArrayView(m_buffer).chopped(ended ? 1 : 0).lastIndexOf('\n');
        if (before < 0 && m_unread > 0) {
            TRY(readMore());
            continue;
        }
        BackwardLine line{m_buffer.sliced(before + 1), ended};
        m_buffer.truncate(before + 1);
        if (ended)
            line.text.chop(1);
        if (line.text.isEmpty() && m_buffer.isEmpty() && m_unread == 0)
            return std::optional<BackwardLine>();
        if (line.text.isEmpty())
            continue;
        return line;
    }
}

/// Follows the chain from its end to its beginning; the fault that it finds last is the first one.
class ChainCheck
{
public:
    void takeOlder(const BackwardLine &line)
    {
        if (!isWhole(line.text) || (!line.ended && !isIntact(line.text))) {
            ++m_chain.torn;
            return;
        }
        ++m_chain.entries;
        const auto entry = entryOf(line.text);
        const bool sound = entry && isIntact(line.text);
        // What a changed line says of itself may be part of the change.
        const bool hasYounger = m_chain.entries > 1;
        const qint64 sequence
            = entry && (sound || !hasYounger) ? entry->sequence : m_youngerSequence - 1;
        if (!m_youngerPrevious.isEmpty()
            && (m_youngerPrevious != hashIn(line.text) || m_youngerSequence != sequence + 1)) {
            blame(m_youngerSequence,
                  u"Entry %1 does not follow the one before it: something was changed, put in or "
                  "taken out there."_s);
        }
        if (!sound)
            blame(sequence, u"Entry %1 was changed after it was written."_s);
        m_youngerSequence = sequence;
        m_youngerPrevious = sound ? entry->previous : QByteArray();
    }

    /// After the oldest line.
    [[nodiscard]] AuditTrail::Chain chain()
    {
        const bool isFirst = m_youngerSequence == 1 && m_youngerPrevious == firstPrevious();
        if (!m_youngerPrevious.isEmpty() && !isFirst) {
            blame(m_youngerSequence,
                  u"The record begins with entry %1: what came before is gone."_s);
        }
        if (!m_chain.brokenAt)
            m_chain.text = u"The chain of %1 entries holds."_s.arg(m_chain.entries);
        if (m_chain.torn > 0) {
            m_chain.text += u" Lines that were cut off while they were written: %1; nothing was "
                            "done on their word."_s.arg(m_chain.torn);
        }
        return m_chain;
    }

private:
    void blame(qint64 sequence, const QString &sentence)
    {
        m_chain.brokenAt = sequence;
        m_chain.text = sentence.arg(sequence);
    }

    AuditTrail::Chain m_chain;
    qint64 m_youngerSequence = 0;
    QByteArray m_youngerPrevious; ///< empty: there is none, or it cannot be trusted
};

constexpr qint64 longestRecord = qint64{16} * 1024 * 1024;
constexpr qint64 mostText = qint64{64} * 1024 * 1024;
constexpr std::chrono::seconds longPatience(30);

/// The end of the chain, and what stands behind it.
struct Last
{
    qint64 sequence = 0;
    QByteArray hash = firstPrevious();
    bool open = false; ///< the file does not end with a line break
};

Result<Last> lastOf(const PrivateFile &file, qint64 size)
{
    Last last;
    ReverseLineReader lines(file, size, longestRecord);
    while (true) {
        auto line = TRY(lines.next());
        if (!line)
            return last;
        last.open = last.open || !line->ended;
        // A line that was changed later keeps its place in the chain, so that it alone is shown as
        // broken; one that was cut off never had a place.
        if (!isWhole(line->text) || (!line->ended && !isIntact(line->text)))
            continue;
        const auto entry = entryOf(line->text);
        if (!entry)
            continue;
        last.sequence = entry->sequence;
        last.hash = hashIn(line->text);
        return last;
    }
}

/// The file that the path names, locked: another process may move it aside while we wait.
Result<PrivateFile> lockedForAppend(const QString &path, std::chrono::milliseconds patience)
{
    while (true) {
        auto file = PrivateFile::open(path, PrivateFile::Mode::Append);
        if (!file)
            return file;
        TRY(file->lock(PrivateFile::Share::Alone, patience));
        if (file->isStillNamed())
            return file;
    }
}

Result<void> writeToDisk(PrivateFile &file, const QByteArray &text, bool isFirst)
{
    TRY(file.write(text));
    TRY(file.sync());
    return isFirst ? syncFolder(QFileInfo(file.path()).absolutePath()) : Result<void>();
}

Failure unrecorded(Error error)
{
    error.doing = u"keeping the record (without it nothing is done): "_s + error.doing;
    return Failure(std::move(error));
}

/// Tells whether lines are as they were written: by their own hash, and by what the line behind
/// each, if that one is sound, says of it.
class LineVerifier
{
public:
    [[nodiscard]] bool isIntact(const QByteArray &line)
    {
        m_isIntact = outbox::isIntact(line);
        if (!*m_isIntact || m_younger.isEmpty())
            return *m_isIntact;
        const bool isTrusted = m_youngerIsIntact.value_or(false)
            || (!m_youngerIsIntact && outbox::isIntact(m_younger));
        return !isTrusted || previousIn(m_younger) == hashIn(line);
    }
    /// The next line to be asked about stands before this one.
    void stepBefore(const QByteArray &line)
    {
        const auto known = std::exchange(m_isIntact, std::nullopt);
        if (!isWhole(line))
            return; // what was cut off while it was written has no place in the chain
        m_younger = line;
        m_youngerIsIntact = known;
    }

private:
    QByteArray m_younger;
    std::optional<bool> m_youngerIsIntact; ///< by its own hash; nullopt: not asked yet
    std::optional<bool> m_isIntact; ///< the same of the line in hand
};

/// What a line says. One that makes no sense, but has its end, was not cut off but changed: it is
/// told as well, with as much as can be known of it. nullopt for a torn one.
std::optional<AuditEntry> entryIn(const QByteArray &line, LineVerifier &verifier)
{
    auto entry = entryOf(line);
    if (!entry && !isWhole(line))
        return std::nullopt;
    if (!entry) {
        AuditEntry changed;
        changed.kind = AuditEntry::Kind::Check;
        changed.operation = operationIn(line);
        changed.intact = false;
        return changed;
    }
    entry->intact = verifier.isIntact(line);
    return *std::move(entry);
}

/// Calls `take(line, verifier)` from the newest whole line to the oldest until it answers false.
template <typename Take> Result<void> fromTheEnd(const QString &path, const Take &take)
{
    if (!QFileInfo::exists(path))
        return {};
    const auto file = TRY(PrivateFile::open(path, PrivateFile::Mode::Read));
    const auto size = TRY(file.size());
    ReverseLineReader lines(file, size, longestRecord);
    LineVerifier verifier;
    while (true) {
        auto line = TRY(lines.next());
        if (!line)
            return {};
        // The last line may be under way, or cut off: only its hash says that it is whole.
        if (!line->ended && !isIntact(line->text))
            continue;
        if (!take(line->text, verifier))
            return {};
        verifier.stepBefore(line->text);
    }
}

/// The entries that `isWanted`, back to the beginning of `operation`.
template <typename Wanted>
Result<QList<AuditEntry>> entriesAbout(const QString &path, const QString &operation,
                                       const Wanted &isWanted)
{
    QList<AuditEntry> entries;
    const QByteArray value = jsonString(operation);
    const auto done = fromTheEnd(path, [&](const QByteArray &line, LineVerifier &verifier) {
        if (!line.contains(value))
            return true;
        auto entry = entryIn(line, verifier);
        if (!entry || !isWanted(*entry))
            return true;
        entries.append(*std::move(entry));
        const AuditEntry &last = entries.last();
        return last.kind != AuditEntry::Kind::Begin || last.operation != operation;
    });
    if (!done)
        return passOn(done);
    std::reverse(entries.begin(), entries.end());
    return entries;
}

/// The length of the file while nobody appends: it ends with a line then, or with a torn one.
Result<qint64> sizeAtRest(const QString &path)
{
    auto file = TRY(PrivateFile::open(path, PrivateFile::Mode::Read));
    TRY(file.lock(PrivateFile::Share::Together, longPatience));
    return file.size();
}

} // namespace

Result<AuditEntry> AuditTrail::append(AuditEntry entry)
{
    if (auto made = ensurePrivateFolder(QFileInfo(m_file).absolutePath()); !made)
        return unrecorded(made.error());
    auto file = lockedForAppend(m_file, m_patience);
    if (!file)
        return unrecorded(file.error());
    const auto size = file->size();
    if (!size)
        return unrecorded(size.error());
    const auto last = lastOf(*file, *size);
    if (!last)
        return unrecorded(last.error());
    entry.sequence = last->sequence + 1;
    entry.previous = last->hash;
    entry.at = entry.at.isNull() ? QDateTime::currentDateTimeUtc() : entry.at.toUTC();
    QByteArray text = sealed(entry) + '\n';
    if (text.size() > longestRecord) {
        return unrecorded({Error::Kind::Invalid,
                           u"writing "_s + m_file,
                           u"one entry has %1 bytes"_s.arg(text.size()),
                           {},
                           u"use smaller chunks"_s});
    }
    if (last->open)
        text.prepend('\n');
    if (auto written = writeToDisk(*file, text, *size == 0); !written) {
        // Nobody may read of an act that will not be done. Where this fails too, the act stands in
        // doubt until somebody looks.
        static_cast<void>(file->truncate(*size));
        return unrecorded(written.error());
    }
    return entry;
}

Result<QList<AuditEntry>> AuditTrail::read(qsizetype most) const
{
    QList<AuditEntry> entries;
    qint64 text = 0;
    const auto done = fromTheEnd(m_file, [&](const QByteArray &line, LineVerifier &verifier) {
        text += line.size();
        if (entries.size() >= most || text > mostText)
            return false;
        if (auto entry = entryIn(line, verifier))
            entries.append(*std::move(entry));
        return true;
    });
    if (!done)
        return passOn(done);
    std::reverse(entries.begin(), entries.end());
    return entries;
}

Result<QList<AuditEntry>> AuditTrail::read(const QString &operation) const
{
    return entriesAbout(m_file, operation, [&operation](const AuditEntry &entry) {
        return entry.operation == operation;
    });
}

Result<QList<AuditEntry>> AuditTrail::readWithUndo(const QString &operation) const
{
    return entriesAbout(m_file, operation, [&operation](const AuditEntry &entry) {
        return entry.operation == operation || entry.undoOf == operation;
    });
}

Result<QList<AuditEntry>> AuditTrail::readAbout(const QStringList &ids) const
{
    QByteArrayList wanted;
    for (const QString &id : ids)
        wanted += jsonString(id);
    QList<AuditEntry> entries;
    qint64 text = 0;
    const auto done = fromTheEnd(m_file, [&](const QByteArray &line, LineVerifier &verifier) {
        text += line.size();
        if (text > mostText)
            return false;
        const bool isMeant = std::any_of(wanted.begin(), wanted.end(),
                                         [&](const QByteArray &id) { return line.contains(id); });
        auto entry = isMeant ? entryIn(line, verifier) : std::nullopt;
        if (entry)
            entries.append(*std::move(entry));
        return true;
    });
    if (!done)
        return passOn(done);
    std::reverse(entries.begin(), entries.end());
    return entries;
}

Result<PrivateFile> AuditTrail::holdForUndo(const QString &operation) const
{
    const QString folder = QFileInfo(m_file).absolutePath();
    TRY(ensurePrivateFolder(folder));
    auto file = PrivateFile::open(folder + u"/undo.lock"_s, PrivateFile::Mode::Append);
    if (!file)
        return file;
    const QByteArray digest
        = QCryptographicHash::hash(operation.toUtf8(), QCryptographicHash::Sha256);
    const auto place = qFromBigEndian<quint64>(digest.constData()) >> 2;
    auto locked = file->lockByte(static_cast<qint64>(place));
    if (!locked && locked.error().kind == Error::Kind::Conflict) {
        return fail(Error::Kind::Refused, u"undoing operation "_s + operation,
                    u"another window or program is undoing it at this moment"_s, {},
                    u"Wait until that one has ended, then look at the record again"_s);
    }
    return locked ? std::move(file) : passOn(locked);
}

Result<AuditTrail::Chain> AuditTrail::verify() const
{
    if (!QFileInfo::exists(m_file))
        return Chain{0, 0, std::nullopt, u"There is no record yet."_s};
    const auto size = TRY(sizeAtRest(m_file));
    const auto file = TRY(PrivateFile::open(m_file, PrivateFile::Mode::Read));
    ChainCheck look;
    ReverseLineReader lines(file, size, longestRecord);
    while (true) {
        auto line = TRY(lines.next());
        if (!line)
            return look.chain();
        look.takeOlder(*line);
    }
}

} // namespace outbox
