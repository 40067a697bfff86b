// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A payload as it is shown: as a tree, as a guess, as a dump, as a preview.
#include "models/payload/celltext.h"
#include "models/payload/guess.h"
#include "models/plaintext.h"
#include "models/trees/jsontreemodel.h"
#include "tests/fuzz/fuzzing.h"

using namespace outbox;

namespace {

constexpr int mostIndexes = 200;

void walk(const JsonTreeModel &model, const QModelIndex &parent, int &left)
{
    for (int row = 0; row < model.rowCount(parent) && left > 0; ++row, --left) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            fuzz::demand(model.parent(index) == parent.siblingAtColumn(0));
            for (const int role :
                 {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(JsonTreeModel::SourceRole)})
                fuzz::demand(model.data(index, role).metaType().isValid() || role != 0);
        }
        walk(model, model.index(row, 0, parent), left);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzz::bytesOf(data, size);
    if (const auto tree = readJson(bytes)) {
        for (const JsonNode &node : tree->nodes) {
            fuzz::demand(node.at >= 0 && node.at + node.length <= bytes.size());
            fuzz::demand(tree->raw(node).size() == node.length);
            fuzz::demand(plainText(tree->text(node)).contains(QChar::LineFeed) == false);
            fuzz::demand(tree->key(node).size() <= node.keyLength);
        }
        JsonTreeModel model;
        model.show(*tree);
        int left = mostIndexes;
        walk(model, {}, left);
    }
    fuzz::demand(!label(guessPayload(bytes)).isEmpty() || bytes.isEmpty());
    const ShownPayload cut = PayloadMasks::none().shown(bytes, bytes.size() + 1);
    fuzz::demand(!payloadPreview(cut).isEmpty() || bytes.isEmpty());
    fuzz::demand(hexDump(bytes).isEmpty() == bytes.isEmpty());
    // A tip is rich text to Qt: nothing of what came may be markup in it.
    const QString tip = plainTooltip(QString::fromUtf8(bytes));
    fuzz::demand(!tip.contains(QStringLiteral("<img"), Qt::CaseInsensitive));
    return 0;
}
