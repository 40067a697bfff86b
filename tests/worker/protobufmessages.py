#!/usr/bin/env python3
# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A descriptor set and random messages by it, written by protobuf's own library, and what must be read
out of each of them: one JSON object a line. The first has the set, all others a message in hex, its
values by their paths, and for each cut of it whether the library reads what is left.
"""
import json
import random
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "double": Field.TYPE_DOUBLE, "float": Field.TYPE_FLOAT, "int64": Field.TYPE_INT64,
    "uint64": Field.TYPE_UINT64, "int32": Field.TYPE_INT32, "fixed64": Field.TYPE_FIXED64,
    "fixed32": Field.TYPE_FIXED32, "bool": Field.TYPE_BOOL, "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES, "uint32": Field.TYPE_UINT32, "enum": Field.TYPE_ENUM,
    "sfixed32": Field.TYPE_SFIXED32, "sfixed64": Field.TYPE_SFIXED64, "sint32": Field.TYPE_SINT32,
    "sint64": Field.TYPE_SINT64,
}
KEYS = ["string", "int32", "uint64", "sint64", "fixed32", "sfixed64", "bool"]
NAMES = {0: "ZERO", 1: "ONE", -3: "LESS", 70000: "FAR"}


def described():
    """proto2, which has all there is: groups, required fields, packed lists and others."""
    file = descriptor_pb2.FileDescriptorProto(name="all.proto", package="test.all", syntax="proto2")
    words = file.enum_type.add(name="Word")
    for number, name in NAMES.items():
        words.value.add(name=name, number=number)
    message = file.message_type.add(name="All")
    inner = message.nested_type.add(name="Inner")
    inner.field.add(name="need", number=1, type=Field.TYPE_SINT32, label=Field.LABEL_REQUIRED)
    inner.field.add(name="more", number=2, type=Field.TYPE_MESSAGE, type_name=".test.all.All",
                    label=Field.LABEL_OPTIONAL)
    group = message.nested_type.add(name="Heap")
    group.field.add(name="text", number=1, type=Field.TYPE_STRING, label=Field.LABEL_OPTIONAL)

    def add(name, number, kind, label, packed=False):
        field = message.field.add(name=name, number=number, type=kind, label=label)
        if kind == Field.TYPE_ENUM:
            field.type_name = ".test.all.Word"
        if packed:
            field.options.packed = True
        return field

    number = 1
    for name, kind in SCALARS.items():
        add("one_" + name, number, kind, Field.LABEL_OPTIONAL)
        add("list_" + name, number + 100, kind, Field.LABEL_REPEATED)
        if name not in ("string", "bytes"):
            add("packed_" + name, number + 20000, kind, Field.LABEL_REPEATED, packed=True)
        number += 1
    for name, label in (("inner", Field.LABEL_OPTIONAL), ("inners", Field.LABEL_REPEATED)):
        add(name, number, Field.TYPE_MESSAGE, label).type_name = ".test.all.All.Inner"
        number += 1
    add("heap", number, Field.TYPE_GROUP, Field.LABEL_OPTIONAL).type_name = ".test.all.All.Heap"
    for name in KEYS:
        number += 1
        entry = message.nested_type.add(name=f"By{name.capitalize()}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=SCALARS[name], label=Field.LABEL_OPTIONAL)
        entry.field.add(name="value", number=2, type=Field.TYPE_MESSAGE,
                        type_name=".test.all.All.Inner", label=Field.LABEL_OPTIONAL)
        field = add(f"by_{name}", number, Field.TYPE_MESSAGE, Field.LABEL_REPEATED)
        field.type_name = f".test.all.All.By{name.capitalize()}Entry"
    message.oneof_decl.add(name="either")
    for name in ("left", "right"):
        number += 1
        add(name, number, Field.TYPE_STRING, Field.LABEL_OPTIONAL).oneof_index = 0
    return file


def value(chance, kind):
    """One of a type, at its ends more often than by chance."""
    if kind == "bool":
        return chance.random() < 0.5
    if kind == "enum":
        return chance.choice(list(NAMES))
    if kind == "string":
        return chance.choice(["", "a", "\u20ac \U0001f600", "line\nline", "x" * 200])
    if kind == "bytes":
        return bytes(chance.randrange(256) for _ in range(chance.randrange(20)))
    if kind in ("double", "float"):
        return chance.choice([0.0, -1.5, 0.1, 1e30, -2.5e-30, float("inf"), float("-inf")])
    bits = 64 if kind.endswith("64") else 32
    least, most = (0, 2**bits - 1) if kind[0] in "uf" else (-2**(bits - 1), 2**(bits - 1) - 1)
    return chance.choice([least, most, 0, 1, chance.randint(least, most)])


def fill(chance, message, depth):
    for field in message.DESCRIPTOR.fields:
        if chance.random() < 0.7:
            continue
        name = field.name
        prefix, _, kind = name.partition("_")
        if prefix == "one":
            setattr(message, name, value(chance, kind))
        elif prefix in ("list", "packed"):
            getattr(message, name).extend(value(chance, kind) for _ in range(chance.randrange(1, 4)))
        elif prefix == "by":
            fill_inner(chance, getattr(message, name)[value(chance, kind)], depth)
        elif name == "inner":
            fill_inner(chance, message.inner, depth)
        elif name == "inners":
            fill_inner(chance, message.inners.add(), depth)
        elif name == "heap":
            message.heap.text = value(chance, "string")
        else:
            setattr(message, name, value(chance, "string"))


def fill_inner(chance, message, depth):
    message.need = value(chance, "sint32")
    if depth < 3 and chance.random() < 0.5:
        fill(chance, message.more, depth + 1)


def step(name):
    plain = name.replace("_", "a").replace("-", "a")
    if plain.isascii() and plain.isalnum() and not name[0].isdigit():
        return "." + name
    return '["' + name.replace("\\", "\\\\").replace('"', '\\"') + '"]'


def told(field, one):
    """The kind of a value, and its text."""
    if field.enum_type is not None:
        return ["text", NAMES[one]]
    if field.type in (Field.TYPE_DOUBLE, Field.TYPE_FLOAT):
        return ["real", repr(one)]
    if field.type == Field.TYPE_BYTES:
        return ["text", one.hex()]
    if field.type == Field.TYPE_BOOL:
        return ["text", "true" if one else "false"]
    return ["text", str(one)]


def walk(message, path, values):
    for field, content in message.ListFields():
        here = path + step(field.name)
        is_message = field.message_type is not None
        if is_message and field.message_type.GetOptions().map_entry:
            for key, one in content.items():
                name = told(field.message_type.fields_by_name["key"], key)[1]
                walk(one, here + step(name), values)
        elif field.label == Field.LABEL_REPEATED:
            for row, one in enumerate(content):
                if is_message:
                    walk(one, f"{here}[{row}]", values)
                else:
                    values[f"{here}[{row}]"] = told(field, one)
        elif is_message:
            walk(content, here, values)
        else:
            values[here] = told(field, content)


def is_read(kind, raw):
    try:
        return kind.FromString(raw).IsInitialized()
    except DecodeError:
        return False


def main():
    file = described()
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    kind = message_factory.MessageFactory(pool).GetPrototype(
        pool.FindMessageTypeByName("test.all.All"))
    print(json.dumps({"set": descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString().hex()}))
    chance = random.Random(7)
    for turn in range(int(sys.argv[1])):
        message = kind()
        fill(chance, message, 0)
        raw = message.SerializeToString()
        values = {}
        walk(message, "$", values)
        cuts = [is_read(kind, raw[:cut]) for cut in range(len(raw))] if turn % 10 == 0 else []
        print(json.dumps({"message": raw.hex(), "values": values, "cuts": cuts}))


main()
