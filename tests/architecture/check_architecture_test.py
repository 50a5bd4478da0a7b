#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_architecture.py fails where it should: each test plants one violation in a small tree."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_architecture.py")
SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
CLEAN = {
    "core/base/units.h": SPDX + "#pragma once\n#include <string>\n",
    "core/model/trial.h": SPDX + '#include "core/base/units.h"\n',
    "core/stats/median.h": SPDX + '#include "core/model/trial.h"\n',
    "core/store/store.h": SPDX + '#include "core/model/trial.h"\n',
    "core/store/sqlite_handle.h": SPDX + "#include <sqlite3.h>\n",
    "core/store/store.cpp": SPDX + '#include "core/store/store.h"\n#include "sqlite_handle.h"\n',
    "core/study/runner.cpp": SPDX + '#include "core/store/store.h"\n#include "core/stats/median.h"\n',
    "plugins/api/apertune_plugin.h": "/* SPDX-License-Identifier: GPL-3.0-or-later */\n#include <stdint.h>\n",
    "plugins/libtorch/plugin.cpp": SPDX + '#include "plugins/api/apertune_plugin.h"\n#include <torch/script.h>\n#include <cuda_runtime_api.h>\n',
    "plugins/someengine/CMakeLists.txt": "# SPDX-License-Identifier: GPL-3.0-or-later\n"
    'apertune_describe_engine(someengine SYSTEM TITLE "Some Engine" PACKAGE some)\n',
    "plugins/other/CMakeLists.txt": "# SPDX-License-Identifier: GPL-3.0-or-later\napertune_describe_engine(other\n  TITLE OpenVINO)\n",
    "plugins/someengine/session.cpp": SPDX + "// Some Engine\n#include <cuda.h>\n",
    "widgets/plots/plot.cpp": SPDX + '#include "core/stats/median.h"\n#include <QWidget>\n#include <qcustomplot.h>\n#include "plot.moc"\n',
    "widgets/trace_views/share_bar.h": SPDX + '#include "widgets/plots/plot.h"\n',
    "widgets/timeline/timeline_widget.h": SPDX + '#include "widgets/trace_views/share_bar.h"\n',
    "widgets/plots/plot.h": SPDX,
    "app/gui/workbench/workbench_gateway.cpp": SPDX + '#include "core/engine/runner.h"\n',
    "app/gui/shell/main_window.cpp": SPDX + '#include "app/gui/session/session.h"\n#include <QMainWindow>\n',
    "app/gui/session/session.h": SPDX + '#include "core/model/trial.h"\n',
    "app/gui/pages/study/page.cpp": SPDX + '#include "app/gui/session/session.h"\n',
    "app/gui/pages/trace/page.h": SPDX,
    "core/engine/runner.h": SPDX,
    "app/worker/main.cpp": SPDX + '#include "plugins/api/apertune_plugin.h"\n',
    "tests/core/store_test.cpp": SPDX + '#include "core/store/sqlite_handle.h"\n#include <gtest/gtest.h>\n',
    "resources/setup/setup": "#!/bin/bash\n# SPDX-License-Identifier: GPL-3.0-or-later\n",
    "resources/setup/packages": "no script, no licence line needed\n",
    "CMakeLists.txt": "# SPDX-License-Identifier: GPL-3.0-or-later\n",
}


class ArchitectureCheck(unittest.TestCase):
    def check(self, files=None, partial=True):
        """Runs the checker on the clean tree with `files` (path -> text) added or replaced. The tree is a part of the
        product, so that most arrows have no use in it."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**CLEAN, **(files or {})}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            run = subprocess.run([sys.executable, CHECKER, root, *(["--partial"] if partial else [])], capture_output=True, text=True)
            return run.returncode, run.stdout

    def expect_violation(self, path, text, *words):
        status, output = self.check(files={path: text})
        self.assertEqual(status, 1, output)
        lines = output.splitlines()
        self.assertEqual(len(lines), 2, output)  # exactly the planted one, and the summary
        self.assertTrue(lines[0].startswith(path + ":"), output)
        for word in words:
            self.assertIn(word, lines[0])

    def test_a_clean_tree_passes(self):
        status, output = self.check()
        self.assertEqual(status, 0, output)

    def test_an_arrow_that_the_list_does_not_name_fails_with_its_line(self):
        self.expect_violation("core/base/bad.h", SPDX + '\n#include "core/model/trial.h"\n', "bad.h:3:", "core/base must not include core/model")
        self.expect_violation("core/store/bad.cpp", SPDX + '#include "core/stats/median.h"\n', "core/store must not include core/stats")
        self.expect_violation("core/engine/bad.cpp", SPDX + '#include "plugins/api/apertune_plugin.h"\n', "plugins/api")
        self.expect_violation("widgets/plots/bad.cpp", SPDX + '#include "core/store/store.h"\n', "core/store")
        self.expect_violation("plugins/libtorch/bad.cpp", SPDX + '#include "core/base/units.h"\n', "core/base")
        self.expect_violation("plugins/fake/bad.cpp", SPDX + '#include "plugins/libtorch/plugin.cpp"\n', "plugins/libtorch")

    def test_an_arrow_that_no_include_needs_fails(self):
        status, output = self.check(partial=False)
        self.assertEqual(status, 1, output)
        for unused in ("core/stats may include core/base,", "app/* may include core/*,"):
            self.assertIn(f"check_architecture.py: {unused} but no file does", output)
        for used in ("core/stats may include core/model,", "plugins/* may include plugins/api,", "app/gui/workbench may include core/*,"):
            self.assertNotIn(used, output)

    def test_nobody_includes_a_program(self):
        self.expect_violation("core/engine/bad.cpp", SPDX + '#include "app/worker/main.cpp"\n', "app/worker")
        self.expect_violation("app/cli/bad.cpp", SPDX + '#include "app/gui/shell/main_window.cpp"\n', "app/gui")

    def test_the_parts_of_the_window_have_arrows_of_their_own(self):
        self.expect_violation("app/gui/session/bad.cpp", SPDX + '#include "app/gui/shell/main_window.cpp"\n', "app/gui/session must not include app/gui/shell")
        self.expect_violation("app/gui/pages/study/bad.cpp", SPDX + '#include "app/gui/pages/trace/page.h"\n', "app/gui/pages/trace")
        self.expect_violation("app/gui/pages/study/bad.cpp", SPDX + '#include "core/engine/runner.h"\n', "core/engine")

    def test_the_views_of_a_trace_do_without_its_timeline(self):
        self.expect_violation("widgets/trace_views/bad.cpp", SPDX + '#include "widgets/timeline/timeline_widget.h"\n', "widgets/timeline")
        self.expect_violation("widgets/plots/bad.cpp", SPDX + '#include "widgets/trace_views/share_bar.h"\n', "widgets/trace_views")
        self.expect_violation("app/gui/pages/study/bad.cpp", SPDX + '#include "widgets/timeline/timeline_widget.h"\n', "widgets/timeline")
        status, output = self.check(files={
            "app/gui/pages/study/good.cpp": SPDX + '#include "widgets/trace_views/share_bar.h"\n',
            "app/gui/pages/trace/good.cpp": SPDX + '#include "widgets/timeline/timeline_widget.h"\n'})
        self.assertEqual(status, 0, output)

    def test_a_page_does_not_see_processes_even_through_another_header(self):
        status, output = self.check(files={
            "core/base/child_process.h": SPDX,
            "core/model/middle.h": SPDX + '#include "core/base/child_process.h"\n',
            "app/gui/pages/study/bad.cpp": SPDX + '#include "core/model/middle.h"\n'})
        self.assertEqual(status, 1, output)
        self.assertIn("app/gui/pages/study/bad.cpp:2:", output)
        self.assertIn("brings in core/base/child_process.h", output)
        self.assertEqual(len(output.splitlines()), 2, output)

    def test_the_worker_does_not_reach_the_store(self):
        self.expect_violation("app/worker/bad.cpp", SPDX + '#include "core/store/store.h"\n', "app/worker must not include core/store")

    def test_a_relative_or_angle_bracket_spelling_does_not_get_round_the_arrows(self):
        self.expect_violation("core/base/bad.h", SPDX + '#include "../model/trial.h"\n', "core/model")
        self.expect_violation("core/base/bad.h", SPDX + "  #  include <core/model/trial.h>\n", "core/model")

    def test_foreign_headers_stay_in_their_folders(self):
        self.expect_violation("core/model/bad.h", SPDX + "#include <QString>\n", "Qt")
        self.expect_violation("app/cli/bad.cpp", SPDX + "#include <QtCore/QString>\n", "Qt")
        self.expect_violation("app/worker/bad.cpp", SPDX + "#include <ATen/ATen.h>\n", "LibTorch")
        self.expect_violation("plugins/fake/bad.cpp", SPDX + "#include <c10/core/Device.h>\n", "LibTorch")
        self.expect_violation("core/engine/bad.cpp", SPDX + "#include <cuda_runtime_api.h>\n", "CUDA")
        self.expect_violation("core/engine/bad.cpp", SPDX + "#include <sqlite3.h>\n", "SQLite")
        self.expect_violation("app/gui/bad.cpp", SPDX + "#include <sqlite3.h>\n", "SQLite")

    def test_a_store_header_that_brings_in_sqlite_is_private_even_through_another_header(self):
        self.expect_violation("core/engine/bad.cpp", SPDX + '#include "core/store/sqlite_handle.h"\n', "brings in SQLite")
        status, output = self.check(files={
            "core/store/middle.h": SPDX + '#include "core/store/sqlite_handle.h"\n',
            "core/engine/bad.cpp": SPDX + '#include "core/store/middle.h"\n'})
        self.assertEqual(status, 1, output)
        self.assertIn("core/engine/bad.cpp:2:", output)

    def test_core_app_and_widgets_name_no_engine_by_folder_or_title(self):
        self.expect_violation("core/engine/bad.cpp", SPDX + '\nif (backend == "someengine")\n', "bad.cpp:3:", "names the engine someengine")
        self.expect_violation("core/report/CMakeLists.txt", "# SPDX-License-Identifier: GPL-3.0-or-later\nset(a kLoadSomeEnginePy)\n", "SomeEngine")
        self.expect_violation("app/gui/bad.cpp", SPDX + "// as Some Engine has it\n", "Some Engine")
        self.expect_violation("widgets/plots/bad.h", SPDX + "// OpenVINO\n", "OpenVINO")
        self.expect_violation("core/engine/notes.md", "SOME ENGINE\n", "SOME ENGINE")

    def test_an_import_format_may_bear_an_engines_name_and_tests_may_name_any(self):
        status, output = self.check(files={
            "core/model/formats.h": SPDX + '// "openvino_ir": a model as OpenVINO IR\n',
            "core/model/config.h": SPDX + '// "someengine O1"\n',
            "profilers/host/notes.md": "Some Engine\n",
            "tests/core/engine_test.cpp": SPDX + '// someengine\n'})
        self.assertEqual(status, 0, output)

    def test_files_of_a_module_that_include_each_other_fail(self):
        # The circle goes through a source, so that every file compiles; each source belongs to the header of its name.
        status, output = self.check(files={
            "core/stats/median.h": SPDX + '#include "core/stats/blocks.h"\n',
            "core/stats/blocks.h": SPDX,
            "core/stats/blocks.cpp": SPDX + '#include "core/stats/blocks.h"\n#include "core/stats/bounds.h"\n',
            "core/stats/bounds.h": SPDX + '#include "core/stats/median.h"\n'})
        self.assertEqual(status, 1, output)
        self.assertIn("core/stats/blocks.cpp:3: core/stats/blocks, core/stats/bounds, core/stats/median include each other", output)
        self.assertEqual(len(output.splitlines()), 2, output)

    def test_two_circles_of_files_are_two_violations(self):
        pair = {"core/stats/{0}1.h": '#include "core/stats/{0}2.h"\n', "core/stats/{0}2.h": '#include "core/stats/{0}1.h"\n'}
        status, output = self.check(files={path.format(name): SPDX + text.format(name) for name in "ab" for path, text in pair.items()})
        self.assertEqual(status, 1, output)
        self.assertEqual(output.count("include each other in a circle"), 2, output)

    def test_files_that_include_a_common_one_are_no_circle(self):
        status, output = self.check(files={
            "core/stats/a.h": SPDX + '#include "core/stats/common.h"\n',
            "core/stats/b.h": SPDX + '#include "core/stats/common.h"\n#include "core/stats/a.h"\n',
            "core/stats/common.h": SPDX, "core/stats/common.cpp": SPDX + '#include "core/stats/common.h"\n'})
        self.assertEqual(status, 0, output)

    def test_an_include_in_a_block_comment_is_no_include(self):
        status, output = self.check(files={"core/base/good.h": SPDX + '/*\n#include "core/model/trial.h"\n*/\n'})
        self.assertEqual(status, 0, output)

    def test_a_quoted_name_that_is_no_file_fails(self):
        self.expect_violation("core/base/bad.cpp", SPDX + '#include "core/base/gone.h"\n', "no file of the tree")

    def test_an_unknown_unit_fails(self):
        self.expect_violation("core/extras/bad.h", SPDX, "core/extras")

    def test_qtest_macros_fail_in_tests(self):
        for macro in ("QVERIFY(true)", "QCOMPARE(1, 1)", 'QFAIL("x")', "QTRY_VERIFY(true)", "QVERIFY2(true, \"\")"):
            self.expect_violation("tests/widgets/bad_test.cpp", SPDX + f"void f() {{ {macro}; }}\n", macro.split("(")[0])

    def test_a_file_without_the_licence_line_fails(self):
        self.expect_violation("core/base/bad.h", "#pragma once\n", "SPDX")
        self.expect_violation("resources/exporter/bad.py", "import os\n", "SPDX")
        self.expect_violation("resources/setup/bad", "#!/bin/bash\necho\n", "SPDX")
        self.expect_violation("tests/CMakeLists.txt", "add_test()\n", "SPDX")

    def test_a_main_window_above_400_lines_fails(self):
        self.expect_violation("app/gui/shell/main_window.cpp", SPDX + "\n" * 400, "main window")

    def test_a_folder_without_core_is_a_usage_error(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(subprocess.run([sys.executable, CHECKER, folder], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
