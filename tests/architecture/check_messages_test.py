#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_messages.py can fail: it names each text that an installed program must not print and each message
of core that has words, and no other."""
import contextlib
import io
import os
import tempfile

import check_messages

FILES = {
    "Makefile": ".PHONY: setup build gpu-bundle\n",
    "core/hint.cpp": 'const char* a = "Install it with: make setup, or else.";\nconst char* b = "Make setups easy.";\n',
    "core/right.h": '// Built by make setup.\n#include "tests/core/x.h"\nconst char* a = "Name it in APERTUNE_TORCH.";\n',
    "app/path.cpp": 'const char* a = "See resources/setup/engines.txt.";\n',
    "plugins/x/CMakeLists.txt": '# make build\napertune_describe_engine(x REMEDY "Name its folder, and run: make build")\n',
    "resources/exporter/cli.py": '"""Run by make build."""\nhint = f"Run `make gpu-bundle`."\n',
    "tests/skip.cpp": 'const char* a = "make setup";\n',
    "core/error.cpp": """return Error{ErrorCode::io,
             file.string() + " is gone.",
             {},
             message<errors::kCheckPath>()};
fail({there ? ErrorCode::io : base::ErrorCode::busy, message<kX>(), "a sentence of context"});
error.hint = "Name another one.";
losses.push_back({{}, EventKind::kernel, 0, Severity::notice, "Buffers were full."});
x = base::message<errors::kDamaged>("a track is missing");
y = base::foreignText("A sentence " + name);
z = plainError(code, text);
""",
    "core/sound.cpp": """// Error{ErrorCode::io, "A comment is no message."}
return Error{ErrorCode::notFound, message<errors::kNoFile>(file.string() + "-wal", ", "), file.string()};
losses.push_back({{first}, EventKind::kernel, 0, Severity::notice, message<kFull>()});
db.run("SELECT name FROM trace WHERE id = ?1", id); switch (code) { case ErrorCode::io: return "not_an_error"; }
""",
    "core/x/spoken.cpp": """return model::reason(ReasonKind::budget, message<kSpent>(budget), "Give more with --budget");
phase("pair", std::to_string(pair) + " of " + std::to_string(pairs));
reportPhase(sink, "Building " + dir + " …");
return found ? message(kX) : "It has " + what;
notes.push_back(id + " is left out: nothing knows such kind");
""",
    "core/x/silent.cpp": """return model::reason(ReasonKind::budget, message<kSpent>(budget), log);
phase("warm-up", foreignText(figure)); m_phase = Phase::of("x"); for (;;) return "Stream Wait";
return "SELECT id, name FROM trace WHERE id = ?1"; names.push_back("hardware samples"); throw Failed("It has no end.");
""",
    "core/report/x.cpp": 'return "The machine is " + how;\n',
    "app/cli/error.cpp": 'return plainError(ErrorCode::io, "The file is gone.");\n',
}
WRONG = ("core/hint.cpp:1", "app/path.cpp:1", "plugins/x/CMakeLists.txt:2", "resources/exporter/cli.py:2")
WORDED = [f"core/error.cpp:{line}" for line in (2, 5, 6, 7, 8, 9, 10)]
WORDED += [f"core/x/spoken.cpp:{line}" for line in range(1, 6)]

with tempfile.TemporaryDirectory() as tree:
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
            file.write(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = check_messages.main(tree)
    print(printed.getvalue(), end="")
    assert status == 1, status
    lines = printed.getvalue().splitlines()
    named = [line.split(" tells ")[0] for line in lines if " tells " in line]
    assert sorted(named) == sorted(WRONG), named
    worded = [line.split(" puts ")[0] for line in lines if " puts " in line]
    assert worded == WORDED, worded
