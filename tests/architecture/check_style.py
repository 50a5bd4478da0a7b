#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails for what the style asks and clang-format does not write, and names the lines.

    check_style.py TREE

1. The body of an if, else, for or while that is one line has no braces. They may stay where the head takes several lines,
   and where another branch of the same if needs them.
2. The name of a test is a sentence in UpperCamel: TEST(Goal, RefusesANegativeBound).
3. A paragraph of the contracts in a public header has at most six lines. An empty comment line divides paragraphs, and
   each item of a list ("* ", "- ", "1. " or "1) ") begins a paragraph of its own.
4. REQUIRES: begins a line of its own in a header.
5. A comment stands by itself, in the tests and in Python, too: it does not begin with of, that, what, by, in which, from,
   as, which, whose or than.
6. A lock of the product is a base::Mutex and its holder a base::Lock (core/base/mutex.h), whose use clang checks. Plugins
   use those of the standard library, because they include nothing of core.

REQUIRES: the files are formatted by clang-format (check_format.py), for this check reads lines.
"""
import os
import re
import sys
import tokenize

from check_format import FOLDERS, sources

HEAD = re.compile(r"^(\s*)(?:\} )?(if|else if|else|for|while)\b(.*)$")
OPEN = re.compile(r"(\)|\belse) (\[\[\w+\]\] )?\{( //.*)?$")
TEST_NAME = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*\w+,\s*(\w+)\)", re.MULTILINE)
SENTENCE = re.compile(r"^[A-Z][A-Za-z0-9]*$")
# GoogleTest's checks are an if with an else, which GCC does not want below a bare if.
GTEST = re.compile(r"^(EXPECT|ASSERT)_\w+\(")
MOST_LINES = 6
# Headers of tests are read beside the test, so rules 3 and 4 leave them out.
PRODUCT_FOLDERS = ("app", "core", "plugins", "profilers", "widgets")
CONTRACT = re.compile(r"^\s*///(?![/<])(.*)$")
C_CONTRACT = re.compile(r"^\s*(?:/\*| \*)(?!/)(.*?)(\*/)?$")
ITEM = re.compile(r"\s*([*-]|\d+[.)]) ")
REQUIRES = re.compile(r"\bREQUIRES:")
OWN_LINE = re.compile(r"^\s*(?:///<?|//|/\*| \*) REQUIRES:")
COMMENT = re.compile(r'^((?:"(?:[^"\\]|\\.)*"|[^"/]|/(?!/))*)(///?<?) ?(.*)$')
FRAGMENT = re.compile(r"(of|that|what|by|in which|from|as|which|whose|than)\b")
STD_LOCK = re.compile(r"\bstd::(?:(?:recursive_|timed_|shared_)*mutex|lock_guard|unique_lock|scoped_lock|shared_lock)\b")
LOCKED_FOLDERS = ("app", "core", "profilers", "widgets")
LOCK_HEADER = os.path.join("core", "base", "mutex.h")
DECLARATION = re.compile(r"^(?!(return|throw|delete|goto|co_return) )(const |auto |[\w:]+(<.*>)?[&*]? \w+[({=;])")


def bodies(lines):
    """Each braced body: (line of the head, line of the opening brace, line of the closing one, indentation)."""
    for at, line in enumerate(lines):
        head = HEAD.match(line)
        if not head:
            continue
        end = at
        while end < len(lines) and not OPEN.search(lines[end]) and not lines[end].endswith((";", "}")):
            end += 1
        if end >= len(lines) or not OPEN.search(lines[end]):
            continue
        indent = head.group(1)
        close = end + 1
        while close < len(lines) and not lines[close].startswith(indent + "}"):
            close += 1
        yield at, end, close, indent


def needless_braces(lines):
    """The line numbers, from 1, of heads whose braces hold one line."""
    found = []
    blocks = {at: (end, close) for at, end, close, _ in bodies(lines)}

    def holds_one_line(at):
        if at not in blocks:
            return True  # bare: its body is one statement
        end, close = blocks[at]
        if end != at or close != end + 2:
            return False
        body = lines[end + 1].strip()
        return not (body.startswith(("//", "if ", "for ", "while ")) or DECLARATION.match(body) or GTEST.match(body))

    for at in blocks:
        if lines[at].lstrip().startswith(("}", "else")):
            continue  # judged with the if that it belongs to
        indent, chain, position = lines[at][: len(lines[at]) - len(lines[at].lstrip())], [at], at
        while position in blocks and blocks[position][1] < len(lines):
            close = blocks[position][1]
            if not lines[close].startswith(indent + "} else"):
                break
            position = close
            chain.append(position)
        if all(holds_one_line(part) for part in chain):
            found.append(at + 1)
    return found


def ill_named(text):
    return [(text.count("\n", 0, m.start()) + 1, m.group(1)) for m in TEST_NAME.finditer(text)
            if not SENTENCE.match(m.group(1))]


def long_paragraphs(lines):
    """The line numbers, from 1, where paragraphs of more than MOST_LINES lines begin."""
    found = []
    begin = length = 0

    def end_paragraph():
        if length > MOST_LINES:
            found.append(begin)

    in_block = False  # a block comment of C, as in the header that plugins see
    for at, line in enumerate(lines + [""], 1):
        contract = CONTRACT.match(line)
        if not contract and (in_block or line.lstrip().startswith("/*")):
            contract = C_CONTRACT.match(line)
            in_block = bool(contract) and "*/" not in line
            if contract and "SPDX" in line:
                continue
        text = contract.group(1) if contract else ""
        if text.strip() and length and not ITEM.match(text):
            length += 1
            continue
        end_paragraph()
        begin, length = at, 1 if text.strip() else 0
    return found


def hidden_requirements(lines):
    """The line numbers, from 1, of REQUIRES: behind other words."""
    return [at for at, line in enumerate(lines, 1)
            if REQUIRES.search(line) and not OWN_LINE.match(line)]


def comments_of_cpp(lines):
    """Each line of a comment: (line number from 1, column, whether code stands before it, words)."""
    for at, line in enumerate(lines, 1):
        comment = COMMENT.match(line)
        if comment:
            yield at, comment.start(2), comment.group(1).strip() != "", comment.group(3)


def comments_of_python(path):
    """The same for a script."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                at, column = token.start
                yield at, column, token.line[:column].strip() != "", token.string.lstrip("#").strip()


def fragments(comments):
    """(line number from 1, first words) of the comments that only make sense behind other words. A comment begins
    behind code, or where no comment begins in the same column of the line before."""
    found = []
    before = None
    for at, column, trails, words in comments:
        if (trails or before != (at - 1, column)) and FRAGMENT.match(words):
            found.append((at, words))
        before = (at, column)
    return found


def locks_of_std(lines):
    """The line numbers, from 1, of locks of the standard library outside of comments."""
    return [at for at, line in enumerate(lines, 1) if STD_LOCK.search(line.split("//")[0])]


def scripts(tree):
    for folder in FOLDERS:
        for path, _, files in os.walk(os.path.join(tree, folder)):
            yield from (os.path.join(path, name) for name in files if name.endswith(".py"))


def main(tree):
    count = faults = 0
    for path in sorted([*sources(tree), *scripts(tree)]):
        count += 1
        name = os.path.relpath(path, tree)
        if name.endswith(".py"):
            for line, words in fragments(comments_of_python(path)):
                print(f"{name}:{line}: the comment is a fragment: {words}")
                faults += 1
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line in needless_braces(text.split("\n")):
            print(f"{name}:{line}: the braces hold one line; leave them out")
            faults += 1
        for line, words in fragments(comments_of_cpp(text.split("\n"))):
            print(f"{name}:{line}: the comment is a fragment: {words}")
            faults += 1
        if name.endswith(".h") and name.split(os.sep)[0] in PRODUCT_FOLDERS:
            for line in long_paragraphs(text.split("\n")):
                print(f"{name}:{line}: the paragraph has more than {MOST_LINES} lines; divide it")
                faults += 1
            for line in hidden_requirements(text.split("\n")):
                print(f"{name}:{line}: REQUIRES: begins a line of its own")
                faults += 1
        if name.split(os.sep)[0] in LOCKED_FOLDERS and name != LOCK_HEADER:
            for line in locks_of_std(text.split("\n")):
                print(f"{name}:{line}: use base::Mutex and base::Lock, which clang checks")
                faults += 1
        for line, test in ill_named(text):
            print(f"{name}:{line}: {test} is no name in UpperCamel")
            faults += 1
    if not count:
        print(f"There are no sources below {tree}.")
        return 1
    print(f"{count} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
