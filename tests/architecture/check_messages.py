#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the texts of the tree; prints a line a violation, and the exit status is 1 when there is any:

 1. No text that a program may print names a target of the Makefile or a file of the source tree: whoever installed
    Apertune has neither.
 2. core/ and profilers/ put no English into an Error, a Loss, a message, the reason of a trial or the phase of a run.
    They give kinds with parameters; the words are the templates in core/sentences.
 3. core/ outside of the modules that write texts for people (core/text, comparison, claims, report, exports) returns no
    sentence, and appends none to a list.

    check_messages.py TREE
"""
import ast
import os
import re
import sys

# Files that are installed; tests and the set-up speak to those who have the sources.
FOLDERS = ("app", "core", "plugins", "profilers", "widgets", "resources/exporter")
CPP_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Texts of CMake that become part of a program: apertune_describe_engine().
CMAKE_TEXT = re.compile(r'(?:REMEDY|NOT_BUILT|set\(not_built)\s+"([^"]*)"')


# Where plainError() itself is.
MAKE_PLAIN_ERRORS = ("core/base/error.h", "core/base/error.cpp")
# Text that holds messages, up to the bracket whose content is looked at.
WORDLESS_FOLDERS = ("core", "profilers", "app/worker")
MESSAGES = re.compile(r"""
    \{(?=\s*(?:[^{};"]*\?\s*)?(?:\w+::)*ErrorCode::) # an Error
  | \{(?=[^{};"]*(?:\{[^{}]*\})?[^{};"]*\bSeverity::) # a Loss
  | \bmessage<[\w:]+>\(                    # a message of a kind
  | \b(?:foreignText|plainError)\(
""", re.VERBOSE)
# The reason of a trial and the phase of a run: no literal in them has a letter and a blank.
NAMED = re.compile(r'\breason\(|\b\w*[pP]hase\(')
WORDS = re.compile(r'"(?=[^"]*[A-Za-z])(?=[^"]* )')
# What core outside of the modules that write texts returns, or appends to a list.
SPOKEN = re.compile(r'\breturn\b|\bpush_back\(')
REPORT_FOLDERS = ("core/text/", "core/comparison/", "core/claims/", "core/report/", "core/exports/", "profilers/")
# A file of core that appends a sentence to texts which are foreign anyway.
SPEAKS_AMONG_FOREIGN_TEXTS = ("core/probe/backend_probe.cpp",)  # notes of plugins
# The beginning of a sentence, or six plain words in a row, which neither SQL nor a name has.
SENTENCE = re.compile(r'"[A-Z][a-z\']* [a-z]|"(?:[^"\\\n]|\\.)*?(?:\b[A-Za-z][a-z]*[:;]? ){5}[a-z]')
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
ASSIGNED = re.compile(r'\b(?:error|failure)?\.?(?:message|hint|reason|remedy) = ("(?:[^"\\\n]|\\.)*")')
ENGLISH = re.compile(r'"(?:[^"\\\n]|\\.)*[A-Za-z,;:] [A-Za-z(](?:[^"\\\n]|\\.)*"')
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|[(){}\[\]]')


def without_comments(content):
    """The code with blanks in place of comments, so that offsets stay."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m.group(1) or " " * len(m.group(0)), content)


def bracket(code, begin):
    """The text behind the bracket that ends at `begin`, up to its partner."""
    depth = 1
    for token in TOKEN.finditer(code, begin):
        depth += (token.group() in "([{") - (token.group() in ")]}")
        if depth == 0:
            return code[begin:token.start()]
    return code[begin:]


def statement(code, begin):
    """The text from `begin` to the end of the statement."""
    for token in re.compile(r'"(?:[^"\\\n]|\\.)*"|;').finditer(code, begin):
        if token.group() == ";":
            return code[begin:token.start()]
    return code[begin:]


def english(path, speaks=False):
    """(line, text) of each English text that a file puts into a message. Files that do not speak neither return nor
    list sentences."""
    with open(path, encoding="utf-8") as file:
        code = without_comments(file.read())
    found = {}
    for opening, pattern in ((NAMED, WORDS), *(() if speaks else ((SPOKEN, SENTENCE),))):
        for start in opening.finditer(code):
            part = statement(code, start.end()) if start.group() == "return" else bracket(code, start.end())
            for text in LITERAL.finditer(part):
                if pattern.match(text.group()):
                    found[start.end() + text.start()] = text.group()
    for start in MESSAGES.finditer(code):
        if start.group().endswith("plainError("):
            found[start.start()] = "plainError()"
        for text in ENGLISH.finditer(bracket(code, start.end())):
            found[start.end() + text.start()] = text.group()
    for text in ASSIGNED.finditer(code):
        if ENGLISH.fullmatch(text.group(1)):
            found[text.start(1)] = text.group(1)
    return [(code.count("\n", 0, at) + 1, found[at]) for at in sorted(found)]


def targets(tree):
    with open(os.path.join(tree, "Makefile"), encoding="utf-8") as file:
        phony = re.search(r"^\.PHONY:(.*)$", file.read(), re.MULTILINE)
    return phony.group(1).split() if phony else []


def texts(path):
    """(line, text) of every text in a file."""
    with open(path, encoding="utf-8") as file:
        content = file.read()
    if path.endswith(".py"):
        tree = ast.parse(content)
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                yield node.lineno, node.value
        return
    if path.endswith("CMakeLists.txt"):
        for found in CMAKE_TEXT.finditer(content):
            yield content.count("\n", 0, found.start()) + 1, found.group(1)
        return
    for number, line in enumerate(content.splitlines(), 1):
        code = line.strip()
        if code.startswith(("//", "#", "/*", "*")):  # comments, includes
            continue
        for found in CPP_TEXT.finditer(line):
            yield number, found.group(1)


def sources(tree, folders=FOLDERS):
    for folder in folders:
        for path, _, files in os.walk(os.path.join(tree, folder)):
            for name in sorted(files):
                if name.endswith((".h", ".cpp", ".py", ".in", ".json")) or name == "CMakeLists.txt":
                    yield os.path.join(path, name)


def main(tree):
    target = re.compile(r"\bmake (%s)\b" % "|".join(map(re.escape, targets(tree))))
    folder = re.compile(r"\b(resources/(setup|exporter|cmake)|tests/\w+|build/(release|headless|dev))\b")
    wrong = 0
    for path in sources(tree):
        for line, text in texts(path):
            found = target.search(text) or folder.search(text)
            if found:
                wrong += 1
                print(f"{os.path.relpath(path, tree)}:{line} tells the user of \"{found.group(0)}\", which only the source tree has.")
    print(f"{wrong} texts name what is not installed.")
    worded = 0
    for path in sources(tree, WORDLESS_FOLDERS):
        name = os.path.relpath(path, tree)
        if not name.endswith((".h", ".cpp")) or name in MAKE_PLAIN_ERRORS or name.startswith("core/sentences/"):
            continue
        for line, text in english(path, name.startswith(REPORT_FOLDERS) or name in SPEAKS_AMONG_FOREIGN_TEXTS):
            worded += 1
            print(f"{name}:{line} puts English into a message: {text}")
    print(f"{worded} messages have words where they are made.")
    return 1 if wrong or worded else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
