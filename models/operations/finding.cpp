// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/finding.h"

#include "models/enumtext.h"
#include "models/operations/scanreport.h"
#include "models/operations/selection.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto repairTexts = enumTexts<Repair>({
    {Repair::None, u"none"},
    {Repair::Drop, u"drop"},
    {Repair::Requeue, u"requeue"},
    {Repair::ClearLease, u"unlease"},
    {Repair::Settle, u"settle"},
    {Repair::RestoreStatus, u"keep"},
    {Repair::Reattach, u"reattach"},
    {Repair::FreeLock, u"free-lock"},
    {Repair::RegisterQueue, u"introduce"},
    {Repair::Reopen, u"reopen"},
    {Repair::SetStatus, u"status"},
    {Repair::Release, u"release"},
});

constexpr QStringView guardBorder = u" | ";
constexpr int lastKind = static_cast<int>(FindingKind::ClockSkew);

} // namespace

QString word(FindingKind kind)
{
    return u'K' + QString::number(static_cast<int>(kind));
}

std::optional<FindingKind> findingKindFromWord(QStringView word)
{
    bool isNumber = false;
    const int number = word.startsWith(u'K') ? word.mid(1).toInt(&isNumber) : 0;
    if (!isNumber || number < 1 || number > lastKind)
        return std::nullopt;
    return static_cast<FindingKind>(number);
}

QString word(const Meant &meant)
{
    if (std::holds_alternative<AllFindings>(meant))
        return u"all"_s;
    if (const auto *kind = std::get_if<FindingKind>(&meant))
        return word(*kind);
    const auto *part = std::get_if<DocumentPart>(&meant);
    if (!part)
        return {};
    switch (*part) {
    case DocumentPart::Undispatched:
        return word(FindingKind::Undispatched);
    case DocumentPart::Unsettled:
        return word(FindingKind::LeakedEntry) + u", "_s + word(FindingKind::Undispatched);
    case DocumentPart::Entries:
        return u"entries"_s;
    case DocumentPart::Tokens:
        break;
    }
    return u"tokens"_s;
}

QList<FindingKind> allFindingKinds()
{
    QList<FindingKind> kinds;
    for (int number = 1; number <= lastKind; ++number)
        kinds += static_cast<FindingKind>(number);
    return kinds;
}

QString word(Repair repair)
{
    return repairTexts.word(repair);
}

std::optional<Repair> repairFromWord(QStringView word)
{
    return repairTexts.fromWord(word);
}

QString guardText(Repair repair, const QString &signature)
{
    return word(repair) + guardBorder + signature;
}

std::optional<RepairGuard> guardFromText(QStringView text)
{
    const qsizetype border = text.indexOf(guardBorder);
    if (border < 0)
        return std::nullopt;
    const auto repair = repairFromWord(text.left(border));
    if (!repair)
        return std::nullopt;
    return RepairGuard{*repair, text.mid(border + guardBorder.size()).toString()};
}

QMap<FindingKind, qsizetype> ScanReport::counts() const
{
    QMap<FindingKind, qsizetype> counts;
    for (const Finding &finding : findings)
        ++counts[finding.kind];
    return counts;
}

} // namespace outbox
