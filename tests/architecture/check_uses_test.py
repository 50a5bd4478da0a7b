#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_uses.py can fail: it names what only a test uses, and nothing that is used."""
import contextlib
import io
import pathlib
import tempfile

import check_uses

FILES = {
    "core/store/store.h": "class Store\n{\npublic:\n    void keepsAll();\n    int onlyForTests(int x) const;\n};\n"
                          "int usedInACallback(int x);\n"
                          "inline constexpr int kLimit = 3;\ninline constexpr int kForgotten = 4;\n"
                          "inline constexpr MessageKind kSent{};\ninline constexpr MessageKind kNeverSent{};\n"
                          "inline constexpr std::array kAll{kSent, kNeverSent};\n"
                          "class Dead\n{\npublic:\n    explicit Dead(int x);\n    ~Dead();\n};\n"
                          "struct Options\n{\n    int limit = kLimit;\n};\nusing Names = int;\n"
                          "enum class State { open };\nenum Column { kFirst };\n",
    "core/store/store.cpp": "void Store::keepsAll()\n{\n}\nint Store::onlyForTests(int x) const\n{\n    return x;\n}\n"
                            "int usedInACallback(int x)\n{\n    return x; // onlyForTests(2)\n}\n"
                            "Dead::Dead(int x)\n{\n}\nDead::~Dead()\n{\n}\n",
    "app/cli/main.cpp": "int main()\n{\n    Store().keepsAll();\n    Options options;\n    send(kSent, kFirst, State::open);\n    return call(usedInACallback);\n}\n",
    "tests/core/store_test.cpp": "TEST(Store, Works)\n{\n    Store().onlyForTests(1);\n    Dead dead(kForgotten);\n    Names names;\n}\n",
}

with tempfile.TemporaryDirectory() as tree:
    for name, text in FILES.items():
        path = pathlib.Path(tree, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = check_uses.main(tree)
    print(printed.getvalue(), end="")
    assert status == 1
    assert "core/store/store.h: onlyForTests is used by no product source" in printed.getvalue()
    for name in ("kForgotten", "kNeverSent", "Dead", "Names"):
        assert f"core/store/store.h: {name} is used by no product source" in printed.getvalue(), name
    for name in ("kLimit", "kSent", "kFirst", "Options", "State", "Column", "Store is"):
        assert f" {name}" not in printed.getvalue(), name
    assert "keepsAll" not in printed.getvalue() and "usedInACallback" not in printed.getvalue()
