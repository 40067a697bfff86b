// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A payload that is taken apart, by what it looks like and as every format.
#include "models/payload/decode.h"
#include "models/trees/payloadtreemodel.h"
#include "tests/fuzz/fuzzing.h"

using namespace outbox;

namespace {

/// Parents stand before their children and know them, and no bound was passed.
void check(const DecodedPayload &decoded, const DecodeLimits &limits)
{
    const QList<PayloadNode> &nodes = decoded.tree.nodes;
    fuzz::demand(!nodes.isEmpty() && !decoded.layers.isEmpty());
    fuzz::demand(decoded.layers.size() <= limits.layers + 1);
    fuzz::demand(nodes.size() <= limits.nodes + limits.layers);
    fuzz::demand(nodes.constFirst().parent < 0);
    for (int node = 1; node < nodes.size(); ++node) {
        const PayloadNode &one = nodes.at(node);
        fuzz::demand(one.parent >= 0 && one.parent < node);
        fuzz::demand(nodes.at(one.parent).children.value(one.row, -1) == node);
    }
    fuzz::demand(!chainText(decoded.layers).isEmpty());
    PayloadTreeModel model;
    model.show(decoded.tree);
    const QModelIndex root = model.index(0, 0);
    for (int row = 0; row < model.rowCount(root); ++row) {
        const QModelIndex index = model.index(row, PayloadTreeModel::Value, root);
        fuzz::demand(model.parent(index) == root);
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole),
                               PayloadTreeModel::ValueRole, PayloadTreeModel::PathRole})
            (void)model.data(index, role);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzz::bytesOf(data, size);
    DecodeLimits limits;
    limits.bytes = qsizetype{256} * 1024; // a run has a second
    limits.nodes = 2'000;
    check(decodePayload(bytes, limits), limits);
    for (const QString &word : payloadFormatWords()) {
        const auto format = payloadFormatFromWord(word);
        fuzz::demand(format.has_value());
        if (const auto decoded = decodePayloadAs(*format, bytes, limits))
            check(*decoded, limits);
    }
    return 0;
}
