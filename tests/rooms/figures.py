#!/usr/bin/env python3
# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader of the sources pays for, in figures: tests/rooms/figures.py [ROOT] [--names]

Counted are the folders of the product (app, models, views, connectors). With --names each figure
is followed by the names behind it. The text is read line by line, without a compiler: a figure
compares two versions of the tree, and is no proof about one.
"""
import collections
import pathlib
import re
import sys

ROOMS = ("app", "models", "views", "connectors")
# What knows one database may branch by it: the flavours, and the place that chooses one.
FLAVOURS = re.compile(r"connectors/sql/.*(postgres|mariadb|sqlite|sqldatabases|databaseclasses)")
BRANCH = re.compile(r"Dialect::(?:PostgreSql|MariaDb|Sqlite)\b|\bis(?:PostgreSql|MariaDb|Sqlite)\(\)")
TYPE = re.compile(r"^\s*(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+class)?)\s+(?:\[\[\w+\]\]\s*)?"
                  r"(\w+)[^;()=]*$", re.M)
MEMBER = re.compile(r"^\s+(?:mutable |const |static |inline |std::|Q)?[\w:<>,*& ]+[ >*&](m_\w+)\s*(?:[{=;]|\[)", re.M)
RESULT = re.compile(r"^\s*(?:\[\[nodiscard\]\]\s*)?(?:virtual |static |inline |friend )*Result<[^;{]*?>\s+\w+\(", re.M)
ERRORS = re.compile(r"error|fail|refus|unreachable|timeout|conflict|invalid|unsupported|not found|auth|constraint",
                    re.I)
# A kind of error that is put in the place of another one, to steer what is done next. What names a server's error in
# the first place may choose its kind.
FORGED = re.compile(r"\.kind\s*=\s*Error::Kind::|\bundone\(")
NAMES_ERRORS = re.compile(r"connectors/(redis/servererror|sql/postgres/postgres(session|pipeline))\.")


def comment_above(lines, at):
    """The lines of comment that stand directly above a line."""
    found = []
    while at > 0 and lines[at - 1].lstrip().startswith("//"):
        at -= 1
        found.append(lines[at])
    return " ".join(found)


def told_by_class(text, at):
    """Whether the comment of the class round it, or that of the file, has a sentence "Errors: …"."""
    if re.search(r"^// Errors: ", text.split("#pragma once")[0], re.M):
        return True
    above = re.search(r"/// Errors: (?:(?!\n[^/\n]).)*?\n(?:///[^\n]*\n)*(?:class|struct) [^;{]*\{(?:(?!\n\};).)*\Z", text[:at], re.S)
    return above is not None


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    named = "--names" in sys.argv
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2])
    texts = {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8")
             for room in ROOMS for p in sorted((root / room).rglob("*")) if p.suffix in (".h", ".cpp")}
    headers = {p: t for p, t in texts.items() if p.endswith(".h")}
    lines = sum(t.count("\n") for t in texts.values())

    def say(figure, value, names=()):
        print(f"{figure:<44} {value}")
        if named:
            for name in names:
                print("    " + name)

    say("files", len(texts))
    say("lines", lines)
    types = [f"{p}: {name}" for p, t in headers.items() for name in TYPE.findall(t)]
    say("types in headers", len(types))
    say("types in headers, per 1,000 lines", f"{len(types) * 1000 / lines:.1f}")
    folders = collections.Counter(str(pathlib.PurePath(p).parent) for p in texts)
    say("files in the largest folder", max(folders.values()), [f"{n} {f}" for f, n in folders.most_common(12)])
    includers = collections.Counter(h for t in texts.values() for h in set(re.findall(r'#include "([^"]+)"', t)))
    own = {h: sum(f'#include "{h}"' in texts[p] for p in (h[:-2] + ".cpp",) if p in texts) for h in headers}
    lonely = [h for h in headers if includers[h] - own[h] <= 1]
    say("headers with one includer beside their own", len(lonely), lonely)
    branches = collections.Counter({p: len(BRANCH.findall(t)) for p, t in texts.items() if not FLAVOURS.search(p)})
    say("database branches outside the flavours", sum(branches.values()),
        [f"{n} {p}" for p, n in branches.most_common() if n])
    forged = [f"{p}:{t.count(chr(10), 0, m.start()) + 1}" for p, t in texts.items()
              if not NAMES_ERRORS.search(p) for m in FORGED.finditer(t)]
    say("forged kinds of errors", len(forged), forged)
    members = collections.Counter()
    for p, t in texts.items():
        for m in re.finditer(r"^(?:class|struct)\s+(\w+)[^;{]*\{(.*?)^\};", t, re.M | re.S):
            members[f"{p}: {m.group(1)}"] = len(set(MEMBER.findall(m.group(2))))
    say("members of the largest class", max(members.values()),
        [f"{n} {c}" for c, n in members.most_common(24)])
    say("classes of more than 15 members", sum(n > 15 for n in members.values()))
    told, results = 0, []
    for p, t in headers.items():
        rows = t.split("\n")
        for m in RESULT.finditer(t):
            at = t.count("\n", 0, m.start() + len(m.group(0)) - len(m.group(0).lstrip()))
            tells = bool(ERRORS.search(comment_above(rows, at))) or told_by_class(t, m.start())
            told += tells
            if not tells:
                results.append(f"{p}:{at + 1}")
    say("Result functions in headers", told + len(results))
    say("of them with their errors named, %", f"{100 * told / (told + len(results)):.0f}", results)
    pages = {q.name for q in root.rglob("*.md") if "build" not in q.parts}
    missing = [f"{p}: {name}" for p, t in texts.items() for name in re.findall(r"[\w./-]*\b[\w-]+\.md\b", t)
               if pathlib.PurePath(name).name not in pages]
    say("references to pages that do not exist", len(missing), missing)


if __name__ == "__main__":
    main()
