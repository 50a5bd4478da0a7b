#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the public functions, constants and types that no product source uses: what only tests use, or nobody.

    check_uses.py TREE      prints one line a name; exit status 1 when there is any

It goes by words:

 - A function that a header declares is used when its name stands anywhere else than in declarations and definitions.
   Overloads count as one; what overrides another function, and what is called by its library, is left out.
 - A constant kName of a header is used when its name stands a second time, apart from the lists kAll of message kinds.
 - A type of a header is used when its name stands anywhere else than where it is declared or its members are defined.
   An enum without "class" is used by its constants.
"""
import os
import re
import sys

FOLDERS = ("app", "core", "profilers", "widgets")
TESTED_FOLDERS = FOLDERS + ("plugins",)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL)
DECLARATION = re.compile(
    r"^[ ]*(?!return\b|else\b|throw\b|co_)(?:[\w:<>,*&\[\]]+[ ]+(?:[*&]+)?)+"
    r"(?P<name>[a-z]\w*)\((?P<rest>[^{};]*(?:\{[^}]*\})?[^{};]*)[;{]", re.MULTILINE)
DEFINITION = re.compile(r"^(?![ ]*return\b)[\w:<>,*& \[\]]*?\b(?:\w+::)*([a-z]\w*)\([^;{}]*\)[^;{}]*\{", re.MULTILINE)
WORD = re.compile(r"\b[a-z]\w*\b")
CONSTANT = re.compile(r"\bk[A-Z]\w*\b")
# The list of all message kinds of a header names each, and uses none.
LIST_OF_KINDS = re.compile(r"\bkAll\{[^;]*\};")
TYPE = re.compile(r"\b[A-Z]\w*\b")
TYPE_DECLARATION = re.compile(r"^[ ]*(?:template\s*<[^>]*>\s*)?(?:(?:struct|class|enum class|union)\s+(\w+)[^;(){]*[{;]|using\s+(\w+)\s*=)", re.MULTILINE)
# Where a type only stands because it is declared, or its members are defined.
OWN_PLACES = (
    # "Result Name::member(" at the margin: the type of the result is used.
    (re.compile(r"^((?![ ])[^\n;={(]*?)\b\w+::~?\w+\(", re.MULTILINE), r"\1("),
    (re.compile(r"\b(?:struct|class|union|using)\s+\w+|~\w+"), ""),
)
CONSTRUCTOR = re.compile(r"^[ ]+(?:explicit\s+|constexpr\s+)*[A-Z]\w*\(", re.MULTILINE)
# Functions that no product source uses -> why they stay.
ALLOWED = {
    **dict.fromkeys(("final_suspend", "get_return_object", "return_void", "yield_value"), "the compiler calls it in coroutines"),
    **dict.fromkeys(("infoBar", "timelineTab", "shownTicks"), "tests look at the state with it"),
    "forEachChoice": "its calls with a lambda look like definitions to this check",
}


def files(tree, folders):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(tree, folder)):
            yield from (os.path.join(path, name) for name in sorted(names) if name.endswith((".h", ".cpp")))


def code_of(path):
    with open(path, encoding="utf-8") as file:
        return COMMENT_OR_TEXT.sub('""', file.read())


def unused(tree):
    """(name, header) of what is declared and not used."""
    declared, counts = {}, {}
    for path in files(tree, TESTED_FOLDERS):
        code = code_of(path)
        for word in WORD.findall(code):
            counts[word] = counts.get(word, 0) + 1
        if path.endswith(".h"):
            for found in DECLARATION.finditer(code):
                name = found.group("name")
                counts[name] -= 1
                if "override" not in found.group("rest") and "/plugins/" not in path:
                    declared.setdefault(name, os.path.relpath(path, tree))
        else:
            for found in DEFINITION.finditer(code):
                counts[found.group(1)] -= 1
    return sorted((name, header) for name, header in declared.items() if counts[name] <= 0)


def unused_names(tree):
    """(name, header) of the constants and types that headers declare and no product source uses."""
    constants, types, uses = {}, {}, {}
    for path in files(tree, TESTED_FOLDERS):
        code = LIST_OF_KINDS.sub("", code_of(path))
        elsewhere = code
        for pattern, rest in OWN_PLACES:
            elsewhere = pattern.sub(rest, elsewhere)
        if path.endswith(".h"):
            elsewhere = CONSTRUCTOR.sub("(", elsewhere)
        for word in CONSTANT.findall(code) + TYPE.findall(elsewhere):
            uses[word] = uses.get(word, 0) + 1
        if path.endswith(".h") and "/plugins/api/" not in path:
            for word in CONSTANT.findall(code):
                constants.setdefault(word, os.path.relpath(path, tree))
            for found in TYPE_DECLARATION.finditer(code):
                word = found.group(1) or found.group(2)
                if TYPE.fullmatch(word):
                    types.setdefault(word, os.path.relpath(path, tree))
    return sorted([(name, header) for name, header in constants.items() if uses[name] <= 1] +
                  [(name, header) for name, header in types.items() if name not in uses])


def main(tree):
    found = unused(tree) + unused_names(tree)
    wrong = 0
    for name, header in found:
        if name not in ALLOWED:
            wrong += 1
            print(f"{header}: {name} is used by no product source. Remove it, or make it private.")
    for name in sorted(set(ALLOWED) - {name for name, _ in found}):
        print(f"note: {name} is used or gone, so it needs no place in the list of this check.")
    print(f"{len(found)} public names without a use, {wrong} violations.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
