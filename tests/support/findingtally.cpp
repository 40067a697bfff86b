// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/findingtally.h"

#include "tests/support/reconcileworld.h"

#include <QDebug>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a case is, where it is not a message.
QString unitOf(FindingKind kind)
{
    switch (kind) {
    case FindingKind::QueueNotListed:
    case FindingKind::ServedByNobody:
    case FindingKind::ArchiveTooLarge:
        return u"queue"_s;
    case FindingKind::ShortRetention:
    case FindingKind::RedisLostData:
    case FindingKind::ClockSkew:
        return u"system"_s;
    case FindingKind::LockWithoutTask:
    case FindingKind::WrongType:
        return u"key"_s;
    default:
        return u"message"_s;
    }
}

QString wayOf(RepairOffer offer)
{
    switch (offer) {
    case RepairOffer::NotNeeded:
        return u"not needed"_s;
    case RepairOffer::Here:
        return u"here"_s;
    case RepairOffer::Elsewhere:
        return u"elsewhere"_s;
    case RepairOffer::Never:
        break;
    }
    return u"by hand"_s;
}

} // namespace

bool FindingTally::compare(const QList<Finding> &findings, const FindingNames &expected)
{
    FindingNames found;
    for (const Finding &finding : findings)
        found[finding.kind] += ReconcileWorld::nameOf(finding);
    bool isSame = true;
    for (const FindingKind kind : allFindingKinds()) {
        if (!expected.contains(kind) && !found.contains(kind))
            continue;
        const QSet<QString> missed = expected.value(kind) - found.value(kind);
        const QSet<QString> wrong = found.value(kind) - expected.value(kind);
        if (!missed.isEmpty() || !wrong.isEmpty()) {
            qWarning() << word(kind) << "missed" << missed.size() << missed.values().mid(0, 3)
                       << "wrong" << wrong.size() << wrong.values().mid(0, 3);
            isSame = false;
        }
        Counts &counts = m_counts[kind];
        counts.seeded += expected.value(kind);
        counts.missed += missed;
        counts.wrong += wrong;
    }
    return isSame;
}

void FindingTally::print() const
{
    qInfo("kind  of       seeded  found  false  repaired  repairing     title");
    for (auto counts = m_counts.cbegin(); counts != m_counts.cend(); ++counts) {
        const KindText text = textOf(counts.key());
        qInfo("%-4s  %-7s  %6lld  %5lld  %5lld  %6lld  %-10s  %s", qPrintable(word(counts.key())),
              qPrintable(unitOf(counts.key())), static_cast<long long>(counts->seeded.size()),
              static_cast<long long>(counts->seeded.size() - counts->missed.size()),
              static_cast<long long>(counts->wrong.size()),
              static_cast<long long>(counts->repaired), qPrintable(wayOf(text.offer)),
              qPrintable(text.title));
    }
    qInfo("repaired K1 and K18 with a processed row are repaired once more, as K8");
}

} // namespace outbox
