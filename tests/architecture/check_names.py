#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names what CONTRIBUTING.md calls by a name that the tree does not have: a renamed type, a function or a file.

    check_names.py TREE      prints one line a name; exit status 1 when there is any

It reads the words between backticks. These are names of the code:

* a word with a capital inside or at its start: SearchSpace, lowerCamel, kConstant
* a word with its scope: FactGroup::latency, whose parts are looked up one by one
* a word before a bracket: describe()

A name has to stand in the code of the tree, comments left out. A file has to be the end of a path of the tree.
"""
import os
import re
import sys

from check_uses import code_of

DOCUMENT = "CONTRIBUTING.md"
FOLDERS = ("app", "core", "plugins", "profilers", "resources", "tests", "widgets")
CODE = (".h", ".cpp", ".in", ".py", ".cmake", "CMakeLists.txt")
# This check and its test hold names that are made up.
LEFT_OUT = ("check_names.py", "check_names_test.py")
SPAN = re.compile(r"`([^`\n]+)`")
SCOPED = re.compile(r"(?<![\w/.-])[A-Za-z]\w*(?:::\w+)+")
CAPITAL = re.compile(r"(?<![\w/.-])(?:[A-Z]+[a-z]\w*|[a-z]\w*[A-Z]\w*)\b(?![/-]|\.\w)")
CALLED = re.compile(r"(?<![\w/.-])([A-Za-z_]\w*)\(")
FILE = re.compile(r"(?:[\w.-]+/)*[\w-]+\.(?:h|cpp|py|in|md|json|txt|mustache|qrc|cmake)")
# Spellings that stand for a name of the reader's choice.
PLACEHOLDERS = {"UpperCamel", "lowerCamel", "kName", "nounVerbVerb"}
FREE_PART = re.compile(r"(?<![A-Z])(NAME|NOUN_VERB)(?![A-Z])")


def names_in(text):
    """Yields (line, name) for each name of the code between backticks, the parts of a scoped one by themselves."""
    for number, line in enumerate(text.splitlines(), 1):
        for span in SPAN.findall(line):
            if FILE.fullmatch(span):
                continue
            words = [part for name in SCOPED.findall(span) for part in name.split("::")]
            words += CAPITAL.findall(span) + CALLED.findall(span)
            for word in dict.fromkeys(words):
                if word not in PLACEHOLDERS:
                    yield number, word


def files_in(text):
    """Yields (line, path) for each file between backticks; one with NAME or NOUN_VERB in it stands for any."""
    for number, line in enumerate(text.splitlines(), 1):
        for span in SPAN.findall(line):
            if FILE.fullmatch(span) and not FREE_PART.search(span):
                yield number, span


def missing(tree):
    """Returns the names and the files of the document that the tree lacks, as lines to print."""
    words, paths = set(), set()
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(tree, folder)):
            for name in names:
                path = os.path.join(place, name)
                paths.add("/" + os.path.relpath(path, tree))
                if name.endswith(CODE) and name not in LEFT_OUT:
                    words.update(re.findall(r"\w+", text_of(path)))
    paths.update("/" + name for name in os.listdir(tree))
    with open(os.path.join(tree, DOCUMENT), encoding="utf-8") as file:
        text = file.read()
    found = [f"{DOCUMENT}:{line}: nothing in the tree is named {name}" for line, name in names_in(text) if name not in words]
    found += [f"{DOCUMENT}:{line}: there is no file {name}" for line, name in files_in(text)
              if not any(path.endswith("/" + name) for path in paths)]
    return found


def text_of(path):
    if path.endswith((".h", ".cpp")):
        return code_of(path)
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def main():
    found = missing(sys.argv[1])
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
