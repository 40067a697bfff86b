// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A descriptor set and a message as protoc writes them, for tests without protoc.
#pragma once

#include <QByteArray>

namespace outbox::sample {

// syntax = "proto2"; package shop.v1;
// enum Status { OPEN = 0; PAID = 2; }
// message Order {
//   message Line { optional string sku = 1; optional sint64 cents = 2; }
//   required int32 id = 1;             optional Status status = 2;
//   repeated Line lines = 3;           map<string, uint64> labels = 4;
//   oneof payment { string card = 5; fixed64 voucher = 6; }
//   repeated int32 scores = 7 [packed = true];
//   optional bytes seal = 8;           optional group Note = 9 { optional bool loud = 1; }
//   optional double weight = 10;
// }
inline QByteArray orderSet()
{
    return QByteArray::fromHex(
        "0a8b040a0b6f726465722e70726f746f120773686f702e763122d4030a054f72646572120e0a0269"
        "641801200228055202696412270a0673746174757318022001280e320f2e73686f702e76312e5374"
        "61747573520673746174757312290a056c696e657318032003280b32132e73686f702e76312e4f72"
        "6465722e4c696e6552056c696e657312320a066c6162656c7318042003280b321a2e73686f702e76"
        "312e4f726465722e4c6162656c73456e74727952066c6162656c7312140a04636172641805200128"
        "094800520463617264121a0a07766f756368657218062001280648005207766f7563686572121a0a"
        "0673636f72657318072003280542021001520673636f72657312120a047365616c18082001280c52"
        "047365616c12270a046e6f746518092001280a32132e73686f702e76312e4f726465722e4e6f7465"
        "52046e6f746512160a06776569676874180a2001280152067765696768741a2e0a044c696e651210"
        "0a03736b751801200128095203736b7512140a0563656e7473180220012812520563656e74731a39"
        "0a0b4c6162656c73456e74727912100a036b657918012001280952036b657912140a0576616c7565"
        "180220012804520576616c75653a0238011a1a0a044e6f746512120a046c6f756418012001280852"
        "046c6f756442090a077061796d656e742a1c0a0653746174757312080a044f50454e100012080a04"
        "504149441002");
}

/// id -7, PAID, two lines, a label, the voucher 5, two scores, a seal, a note and a weight.
inline QByteArray order()
{
    return QByteArray::fromHex(
        "08f9ffffffffffffffff0110021a0c0a01611081808080808080201a030a016222100a0361206210"
        "ffffffffffffffffff013105000000000000003a0b01feffffffffffffffff01420200ff4b08014c"
        "519a9999999999b93f");
}

} // namespace outbox::sample
