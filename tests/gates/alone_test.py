#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that alone.py fails where it should: each test plants one fault in a small tree.

    alone_test.py CLANG
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("alone.py")
ROOT = pathlib.Path(__file__).resolve().parents[2]
CLANG = sys.argv.pop() if len(sys.argv) > 1 else "clang++"
CLEAN = {
    "core/a.h": "#pragma once\n#include <string>\nstd::string a();\n",
    "core/a.cpp": '#include "core/a.h"\nstd::string a() { return {}; }\n',
    "core/b.h": "#pragma once\nint b();\n",
    "core/c.cpp": '#include "core/b.h"\nint b() { return 1; }\n',
}
LOCKED = """#include "core/base/mutex.h"
class Counter
{
public:
    void count() { %s++m_count; }
private:
    apertune::base::Mutex m_mutex;
    int m_count APERTUNE_GUARDED_BY(m_mutex) = 0;
};
void count(Counter& c) { c.count(); }
"""


class EachFileAlone(unittest.TestCase):
    def check(self, *options, **changed):
        """Runs the checker on the clean tree with the files of `changed` (a_h for core/a.h) replaced or added."""
        files = {**CLEAN, **{"core/" + name.replace("_", "."): text for name, text in changed.items()}}
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "-C", self.root, "add", "."], check=True)
        commands = [{"directory": str(self.root), "file": str(self.root / name),
                     "command": f"{CLANG} -I{self.root} -I{ROOT} -std=c++20 -Werror -Wthread-safety -o {name}.o -c "
                                f"{self.root / name}"} for name in files if name.endswith(".cpp")]
        (self.root / "build").mkdir(exist_ok=True)
        (self.root / "build/compile_commands.json").write_text(json.dumps(commands))
        return subprocess.run([sys.executable, CHECKER, self.root, self.root / "build", *options],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.root / "cache")})

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@example.org", *words], check=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        subprocess.run(["git", "init", "-q", folder.name], check=True)

    def test_a_clean_tree_passes_and_is_known_the_second_time(self):
        first = self.check()
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertIn("0 were known", first.stdout)
        self.assertIn("2 were known", self.check().stdout)

    def test_a_source_that_lacks_an_include_fails(self):
        run = self.check(c_cpp='#include "core/b.h"\nint b() { return std::string().size(); }\n')
        self.assertEqual(run.returncode, 1)
        self.assertIn("---- core/c.cpp", run.stdout)

    def test_a_header_that_lacks_an_include_fails_though_its_users_have_it(self):
        run = self.check(b_h="#pragma once\nstd::string b();\n",
                         c_cpp='#include "core/a.h"\n#include "core/b.h"\nstd::string b() { return a(); }\n')
        self.assertEqual(run.returncode, 1)
        self.assertIn("---- core/b.h", run.stdout)
        self.assertNotIn("---- core/c.cpp", run.stdout)

    def test_without_time_only_changed_files_are_compiled_and_the_rest_is_told(self):
        self.check()
        self.git("commit", "-qm", "a")
        (self.root / "cache").rename(self.root / "old-cache")
        run = self.check("--minutes", "0", c_cpp='#include "core/b.h"\nint b() { return std::string().size(); }\n')
        self.assertEqual(run.returncode, 1)
        self.assertIn("---- core/c.cpp", run.stdout)
        self.assertEqual(run.stdout.splitlines()[-1], "UNFINISHED: 1 of 2 files were left for the next run.")

    def test_without_time_users_of_a_changed_header_are_compiled(self):
        self.check(b_h="#pragma once\n#include <string>\nint b();\n",
                   c_cpp='#include "core/b.h"\nint b() { return std::string().size(); }\n',
                   d_cpp='#include "core/b.h"\nstd::size_t d() { return std::string().size(); }\n')
        self.git("commit", "-qm", "a")
        run = self.check("--minutes", "0", c_cpp='#include "core/b.h"\nint b() { return 1; }\n',
                         d_cpp='#include "core/b.h"\nstd::size_t d() { return std::string().size(); }\n')
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("---- core/d.cpp", run.stdout)
        self.assertNotIn("UNFINISHED", run.stdout)

    def test_a_file_that_includes_a_library_s_large_headers_is_compiled_too(self):
        (self.root / "torch").mkdir()
        (self.root / "torch/torch.h").write_text("#pragma once\n")
        run = self.check(d_cpp="#include <torch/torch.h>\nstd::string d();\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("---- core/d.cpp", run.stdout)

    def test_a_change_of_a_header_is_seen(self):
        self.check()
        run = self.check(a_h="#pragma once\n#include <string>\nint a();\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("---- core/a.cpp", run.stdout)

    def test_a_guarded_member_without_its_lock_fails(self):
        self.assertEqual(self.check(d_cpp=LOCKED % "const apertune::base::Lock lock(m_mutex); ").returncode, 0)
        run = self.check(d_cpp=LOCKED % "")
        self.assertEqual(run.returncode, 1)
        self.assertIn("requires holding mutex", run.stdout)


if __name__ == "__main__":
    unittest.main()
