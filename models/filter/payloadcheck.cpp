// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/payloadcheck.h"

#include "models/filter/pattern.h"

#include <algorithm>

namespace outbox {

namespace {

/// The node at `path`; nullptr where there is none. Of members with one name the last one counts.
const JsonNode *nodeAt(const JsonTree &tree, const QStringList &path)
{
    const JsonNode *node = &tree.nodes.constFirst();
    for (const QString &step : path) {
        const JsonNode *next = nullptr;
        bool isPlace = false;
        const int place = step.toInt(&isPlace);
        if (node->kind == JsonNode::Kind::Array && isPlace && place >= 0
            && place < node->children.size())
            next = &tree.nodes.at(node->children.at(place));
        for (const int child : node->children) {
            if (node->kind == JsonNode::Kind::Object && tree.key(tree.nodes.at(child)) == step)
                next = &tree.nodes.at(child);
        }
        if (!next)
            return nullptr;
        node = next;
    }
    return node;
}

} // namespace

Truth CheckedPayload::meets(const FieldCheck &check)
{
    if (!check.path.isEmpty())
        return memberMeets(check);
    const QString text = QString::fromUtf8(m_payload);
    const bool found
        = std::any_of(check.patterns.begin(), check.patterns.end(),
                      [&text](const FilterPattern &one) { return holdsFolded(text, one.text); });
    if (found)
        return Truth::Yes;
    return m_isWhole ? Truth::No : Truth::Unknown;
}

Truth CheckedPayload::memberMeets(const FieldCheck &check)
{
    if (!m_isWhole)
        return Truth::Unknown;
    if (!m_tree)
        m_tree = readJson(m_payload);
    const auto truth = [](bool is) { return is ? Truth::Yes : Truth::No; };
    if (!*m_tree && m_tree->error().kind == Error::Kind::Unsupported)
        return Truth::Unknown; // too large to be taken apart
    const JsonNode *node = *m_tree ? nodeAt(**m_tree, check.path) : nullptr;
    if (!node || node->kind == JsonNode::Kind::Null)
        return truth(check.orMissing);
    if (check.orGiven)
        return Truth::Yes;
    if (node->kind == JsonNode::Kind::Number) {
        const double number = (*m_tree)->raw(*node).toByteArray().toDouble();
        for (const FilterSpan &span : check.spans) {
            if (span.has(number))
                return Truth::Yes;
        }
    }
    const QString text = (*m_tree)->text(*node);
    return truth(std::any_of(check.patterns.begin(), check.patterns.end(),
                             [&text](const FilterPattern &one) { return one.fits(text); }));
}

} // namespace outbox
