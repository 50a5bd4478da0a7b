#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the boundaries of the tree: which folder may include which, which may name an engine, and a few rules a reader
relies on.

    check_architecture.py ROOT [--partial]      prints one line a violation; exit status 1 when there is any

--partial: the tree lacks units, so that arrows without a use are no violation.

A unit is a folder with a boundary of its own: core/<module>, app/<program>, plugins/<backend>,
widgets/<family>, profilers/<source>, resources, tests. Only the standard library is used.
"""
import os
import pathlib
import re
import sys

# --- The arrows -----------------------------------------------------------------------------------
# Modules that pages of all sorts may show.
ALL_PAGES_WIDGETS = ["widgets/theme", "widgets/controls", "widgets/plots", "widgets/tables", "widgets/trace_views"]
# Unit -> what it may include besides itself. "core/*" stands for every unit in core.
ARROWS = {
    "core/base": [],
    "core/model": ["core/base"],
    "core/sentences": ["core/model", "core/base"],
    "core/stats": ["core/model", "core/base"],
    "core/metrics": ["core/stats", "core/model", "core/base"],
    "core/trace": ["core/model", "core/base"],
    "core/search": ["core/stats", "core/model", "core/base"],
    "core/sweeps": ["core/search", "core/model", "core/base"],
    "core/workload": ["core/stats", "core/model", "core/base"],
    "core/analysis": ["core/trace", "core/stats", "core/model", "core/base"],
    "core/timeline": ["core/analysis", "core/trace", "core/base"],
    "core/store": ["core/timeline", "core/sentences", "core/trace", "core/model", "core/base"],
    "core/interchange/files": ["core/base"],
    "core/interchange/chrome": ["core/interchange/files", "core/sentences", "core/trace", "core/base"],
    "core/interchange/csv": ["core/interchange/chrome", "core/interchange/files", "core/trace", "core/base"],
    "core/interchange/sqlite": ["core/store", "core/trace", "core/base"],
    "core/interchange/nsys": ["core/interchange/sqlite", "core/store", "core/analysis", "core/trace", "core/base"],
    "core/interchange/rocprof": ["core/interchange/sqlite", "core/interchange/files", "core/store", "core/trace", "core/base"],
    "core/interchange/perfetto": ["core/interchange/chrome", "core/interchange/files", "core/trace", "core/base"],
    "core/interchange/results": ["core/interchange/files", "core/stats", "core/model", "core/base"],
    "core/interchange": ["core/interchange/*", "core/trace", "core/base"],
    "core/query": ["core/interchange/nsys", "core/store", "core/sentences", "core/base"],
    "core/advice": ["core/sentences", "core/analysis", "core/trace", "core/stats", "core/model", "core/base"],
    "core/text": ["core/metrics", "core/stats", "core/sentences", "core/model", "core/base"],
    "core/comparison": ["core/text", "core/advice", "core/metrics", "core/sentences", "core/analysis", "core/trace", "core/stats", "core/model", "core/base"],
    "core/claims": ["core/comparison", "core/text", "core/workload", "core/sentences", "core/stats", "core/model", "core/base"],
    "core/report": ["core/claims", "core/comparison", "core/text", "core/advice", "core/metrics", "core/workload", "core/sentences", "core/analysis", "core/trace", "core/stats",
                    "core/model", "core/base"],
    "core/exports": ["core/sweeps", "core/report", "core/text", "core/store", "core/workload", "core/model", "core/base"],
    "core/sandbox": ["core/base"],
    "core/worker": ["core/sandbox", "core/sentences", "core/model", "core/base"],
    "core/probe": ["core/worker", "core/search", "core/model", "core/base"],
    "core/models": ["core/sandbox", "core/probe", "core/worker", "core/store", "core/sentences", "core/model", "core/base"],
    "core/study": ["core/models", "core/worker", "core/store", "core/search", "core/sentences", "core/stats", "core/model", "core/base"],
    "core/shards": ["core/study", "core/worker", "core/store", "core/search", "core/stats", "core/model", "core/base"],
    "core/runs": ["core/claims", "core/interchange/results", "core/study", "core/models", "core/worker", "core/store", "core/workload", "core/search", "core/sentences", "core/advice",
                  "core/analysis", "core/trace", "core/stats", "core/model", "core/base"],
    "core/engine": ["core/workload", "core/search", "core/runs", "core/study", "core/models", "core/probe", "core/worker", "core/store", "core/model", "core/base"],
    "profilers/*": ["core/trace", "core/model", "core/base"],
    "plugins/api": [],
    "plugins/support": ["plugins/api"],
    "plugins/*": ["plugins/api", "plugins/support"],
    # Widgets from below to above. Only what shows a timeline sees the timeline.
    "widgets/theme": ["core/base", "core/model", "core/sentences"],
    "widgets/controls": ["widgets/theme"],
    "widgets/plots": ["widgets/controls", "widgets/theme", "core/base", "core/model", "core/stats"],
    "widgets/tables": ["widgets/controls", "widgets/theme", "core/base", "core/metrics", "core/model"],
    "widgets/trace_views": ["widgets/tables", "widgets/plots", "widgets/controls", "widgets/theme", "core/base", "core/trace", "core/analysis", "core/timeline"],
    "widgets/timeline": ["widgets/trace_views", "widgets/controls", "widgets/theme", "core/timeline"],
    # The supervisor is the only writer of the store, so a worker has no business there.
    "app/worker": ["core/base", "core/model", "core/sentences", "core/stats", "core/trace", "core/worker", "core/workload", "profilers/*", "plugins/api"],
    # The window from below to above. The gateway holds values and interfaces; workbench implements them over the engine.
    "app/gui/gateway": ["core/advice", "core/base", "core/claims", "core/comparison", "core/exports", "core/model", "core/models", "core/runs", "core/store",
                        "core/study", "core/timeline", "core/trace", "core/worker", "core/workload"],
    "app/gui/presenters": ["app/gui/gateway", *ALL_PAGES_WIDGETS, "core/advice", "core/analysis", "core/base", "core/claims", "core/comparison", "core/metrics", "core/model", "core/models", "core/report",
                           "core/runs", "core/text",
                           "core/search", "core/stats", "core/store", "core/study", "core/sweeps", "core/timeline", "core/trace", "core/workload"],
    "app/gui/session": ["app/gui/presenters", "app/gui/gateway", "widgets/*", "core/base", "core/model", "core/timeline"],
    "app/gui/pages/study": ["app/gui/session", "app/gui/presenters", "app/gui/gateway", *ALL_PAGES_WIDGETS, "core/base", "core/model", "core/models",
                            "core/report", "core/search", "core/store", "core/workload"],
    "app/gui/pages/trace": ["app/gui/session", "app/gui/presenters", "widgets/*", "core/analysis", "core/timeline"],
    "app/gui/shell": ["app/gui/session", "app/gui/presenters", "widgets/*", "core/base", "core/models"],
    "app/gui/workbench": ["app/gui/gateway", "core/*", "profilers/nvml"],
    "app/gui": ["app/gui/*", "widgets/*", "core/base"],
    "app/*": ["core/*", "profilers/*"],
    "resources": [],
    "tests": ["*"],
}

# --- Foreign headers ------------------------------------------------------------------------------
# Name -> (what its headers look like, the units whose files may include them).
QT_UNITS = ["widgets/*", "app/gui", "app/gui/*", "tests"]
# The one wrapper of SQLite is the store's; what reads and writes other SQLite files, and what lets users ask, share it.
SQLITE_UNITS = ["core/store", "core/interchange/nsys", "core/query", "tests"]
FOREIGN = {
    "Qt": (r"(Q[A-Z]\w*|Qt\w*)(/.*)?$|qcustomplot\.h$", QT_UNITS),
    "LibTorch": (r"(torch|ATen|c10|caffe2)/", ["plugins/libtorch", "tests"]),
    "CUDA": (r"(cuda|cublas|cudnn|cusparse|cusolver|cupti|nvml|nvrtc|nvtx|nvToolsExt)\w*(\.h|/)",
             ["plugins/*", "profilers/*", "tests"]),
    "OpenVINO": (r"openvino/", ["plugins/openvino", "tests"]),
    "ONNX Runtime": (r"onnxruntime", ["plugins/onnxruntime", "tests"]),
    "TensorRT": (r"NvInfer", ["plugins/tensorrt", "tests"]),
    "libjpeg": (r"jpeglib\.h$", ["core/workload", "tests"]),
    "libyaml": (r"yaml\.h$", ["core/sweeps", "tests"]),
    "SQLite": (r"sqlite3(ext)?\.h$", SQLITE_UNITS),
}

# --- Headers that some units must not see, not even through others -----------------------------------
# Units -> headers. The window speaks to the engine through values; processes are the workbench's business.
UNSEEN = {
    ("app/gui/gateway", "app/gui/presenters", "app/gui/session", "app/gui/pages/*", "app/gui/shell"):
        ["core/base/child_process.h", "core/study/study_runner.h", "core/worker/worker_process.h", "core/engine/workbench.h"],
}

# --- Cycles ---------------------------------------------------------------------------------------
# A header and its source are one room. Rooms that include each other in a circle can only be read, tested and changed
# together. First room of a circle by name -> why it may stay.
MAY_BE_CIRCULAR = {}

# --- Names of engines -----------------------------------------------------------------------------
# All knowledge of an engine lies in its folder under plugins/, so that a new one takes an edit nowhere else. An engine is
# a folder whose CMakeLists.txt describes one; LibTorch, which is always there, is none of them.
ENGINE = re.compile(r'apertune_describe_engine\((\w+)[^)]*?\bTITLE\s+(?:"([^"]+)"|(\w+))')
NAMELESS_FOLDERS = ("core", "app", "widgets")
# Formats that models are imported from are core's business, and one bears an engine's name.
FORMAT_NAMES = re.compile(r"openvino_ir|OpenVINO IR", re.IGNORECASE)
# File -> why it may name engines.
MAY_NAME_ENGINES = {
    "core/model/config.h": "an example of how a trial is called",
    "core/interchange/results/foreign_results.cpp": "names the programs whose results it reads",
    "core/interchange/results/foreign_results.h": "names the programs whose results it reads",
    "core/interchange/results/log_results.cpp": "reads the log of a program that bears an engine's name",
}

SOURCE_ENDINGS = (".h", ".hpp", ".c", ".cpp", ".cu", ".inl")
HEADER_ENDINGS = (".h", ".hpp", ".inl")
SPDX_ENDINGS = SOURCE_ENDINGS + (".py", ".cmake", ".sh")
SPDX_NAMES = ("CMakeLists.txt", "Makefile")
SPDX_LINE = "SPDX-License-Identifier: GPL-3.0-or-later"
TOP_FOLDERS = ("app", "core", "plugins", "profilers", "resources", "tests", "widgets")
BANNED_IN_TESTS = re.compile(r"\b(QVERIFY\w*|QCOMPARE\w*|QFAIL|QTRY_\w+)\s*\(")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
MAIN_WINDOW_LINES = 400


def unit_of(path):
    """The unit that a path relative to the root belongs to, or None for what has no boundary."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] in ("tests", "resources"):
        return parts[0]
    if parts[0] in TOP_FOLDERS:
        # A folder inside a module is a unit of its own where the arrows name it.
        for depth in (4, 3):
            if len(parts) > depth and "/".join(parts[:depth]) in ARROWS:
                return "/".join(parts[:depth])
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return None


def matches(unit, patterns):
    return any(p in ("*", unit) or (p.endswith("/*") and unit.startswith(p[:-1])) for p in patterns)


def arrows_of(unit):
    """The arrows of a unit, or None when the architecture does not know it."""
    if unit in ARROWS:
        return ARROWS[unit]
    return ARROWS.get(unit.split("/")[0] + "/*") if "/" in unit else None


def files_of(root):
    for top in TOP_FOLDERS:
        for folder, subfolders, names in os.walk(root / top):
            subfolders[:] = sorted(s for s in subfolders if s not in ("build", "__pycache__"))
            for name in sorted(names):
                yield (pathlib.Path(folder) / name).relative_to(root).as_posix()
    for name in sorted(os.listdir(root)):
        if name in SPDX_NAMES:
            yield name


def needs_spdx(root, path):
    name = os.path.basename(path)
    if name in SPDX_NAMES or name.endswith(SPDX_ENDINGS):
        return True
    if "." in name:
        return False
    with open(root / path, "rb") as file:
        return file.read(2) == b"#!"


def without_comments(text):
    """Blanks block comments and leaves the line count as it is; an #include inside one is no include."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)


def circles(graph):
    """The strongly connected components of more than one node (Tarjan), each sorted, in order."""
    numbers, lowest, stack, found = {}, {}, [], []

    def visit(start):
        # The path from `start`, each node with the neighbours that are still to be visited: no recursion, however deep.
        path = [(start, iter(graph.get(start, ())))]
        numbers[start] = lowest[start] = len(numbers)
        stack.append(start)
        while path:
            node, neighbours = path[-1]
            for other in neighbours:
                if other not in numbers:
                    numbers[other] = lowest[other] = len(numbers)
                    stack.append(other)
                    path.append((other, iter(graph.get(other, ()))))
                    break
                if other in stack:
                    lowest[node] = min(lowest[node], numbers[other])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                if lowest[node] == numbers[node]:
                    members = stack[stack.index(node):]
                    del stack[-len(members):]
                    if len(members) > 1:
                        found.append(sorted(members))

    for node in sorted(graph):
        if node not in numbers:
            visit(node)
    return sorted(found)


class Checker:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.violations = []
        self.includes = {}  # project file -> project files it includes
        self.sqlite_headers = set()
        self.used_arrows = set()  # (key of ARROWS, entry of its list) that an include needs

    def report(self, path, line, message):
        self.violations.append(f"{path}:{line}: {message}" if line else f"{path}: {message}")

    def run(self, partial):
        for path in files_of(self.root):
            if needs_spdx(self.root, path):
                self.check_spdx(path)
            if path.endswith(SOURCE_ENDINGS):
                self.check_source(path)
        self.check_private_headers()
        self.check_unseen_headers()
        self.check_cycles()
        self.check_engine_names()
        if not partial:
            self.check_unused_arrows()
        return self.violations

    def check_spdx(self, path):
        with open(self.root / path, encoding="utf-8", errors="replace") as file:
            head = [file.readline() for _ in range(2)]
        if not any(SPDX_LINE in line for line in head):
            self.report(path, 1, f"the first line (the second after #!) must hold '{SPDX_LINE}'")

    def check_source(self, path):
        text = (self.root / path).read_text(encoding="utf-8", errors="replace")
        code = without_comments(text)
        unit = unit_of(path)
        if arrows_of(unit) is None:
            self.report(path, 0, f"'{unit}' is no unit of the architecture: name it in tests/architecture/check_architecture.py")
            return
        for include in INCLUDE.finditer(code):
            line = code.count("\n", 0, include.start()) + 1
            self.check_include(path, unit, line, quoted=include.group(1) == '"', name=include.group(2))
        if unit == "tests":
            for banned in BANNED_IN_TESTS.finditer(code):
                line = code.count("\n", 0, banned.start()) + 1
                self.report(path, line, f"{banned.group(1)} returns from the function it is in instead of failing the test: use GoogleTest")
        if os.path.basename(path).startswith("main_window.") and text.count("\n") > MAIN_WINDOW_LINES:
            self.report(path, 0, f"a main window above {MAIN_WINDOW_LINES} lines is a defect: move logic to presenters and pages")

    def check_include(self, path, unit, line, quoted, name):
        target = self.resolve(path, name, quoted)
        if target is None:
            if quoted and not name.endswith(".moc"):
                self.report(path, line, f'"{name}" is no file of the tree (write foreign headers in angle brackets)')
            self.check_foreign(path, unit, line, name)
            return
        self.includes.setdefault(path, []).append((target, line))
        other = unit_of(target)
        key = unit if unit in ARROWS else unit.split("/")[0] + "/*"
        self.used_arrows |= {(key, entry) for entry in arrows_of(unit) if other != unit and matches(other, [entry])}
        if other != unit and not matches(other, arrows_of(unit)):
            allowed = ", ".join(arrows_of(unit)) or "nothing"
            self.report(path, line, f"{unit} must not include {other} (\"{name}\"); allowed: {allowed}")

    def check_unused_arrows(self):
        for unit, entries in ARROWS.items():
            for entry in entries:
                if (unit, entry) not in self.used_arrows:
                    self.report("tests/architecture/check_architecture.py", 0, f"{unit} may include {entry}, but no file does: remove the arrow")

    def check_foreign(self, path, unit, line, name):
        for vendor, (pattern, units) in FOREIGN.items():
            if not re.match(pattern, name):
                continue
            if not matches(unit, units):
                self.report(path, line, f"{unit} must not include {vendor} (<{name}>); allowed in: {', '.join(units)}")
            elif vendor == "SQLite" and path.endswith(HEADER_ENDINGS):
                self.sqlite_headers.add(path)

    def check_engine_names(self):
        names = set()
        for path in self.root.glob("plugins/*/CMakeLists.txt"):
            for name, quoted, bare in ENGINE.findall(path.read_text(encoding="utf-8")):
                names |= {name, quoted or bare}
        if not names:
            return
        pattern = re.compile("|".join(map(re.escape, sorted(names))), re.IGNORECASE)
        for path in files_of(self.root):
            if path.split("/")[0] not in NAMELESS_FOLDERS or path in MAY_NAME_ENGINES:
                continue
            for line, text in enumerate((self.root / path).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if found := pattern.search(FORMAT_NAMES.sub("", text)):
                    self.report(path, line, f"names the engine {found.group()}: what is known of it belongs into its folder under plugins/")

    def check_private_headers(self):
        """SQLite may appear in headers inside the store only as long as nobody outside sees them."""
        tainted = set(self.sqlite_headers)
        grown = True
        while grown:
            new = {path for path, targets in self.includes.items() if path.endswith(HEADER_ENDINGS)
                   and path not in tainted and any(target in tainted for target, _ in targets)}
            tainted |= new
            grown = bool(new)
        for path, targets in sorted(self.includes.items()):
            for target, line in targets:
                if target in tainted and unit_of(path) not in SQLITE_UNITS:
                    self.report(path, line, f"\"{target}\" brings in SQLite: it may be seen in {', '.join(SQLITE_UNITS)} only")

    def check_unseen_headers(self):
        for units, headers in UNSEEN.items():
            for header in headers:
                # Who sees the header, by way of which of its includes.
                sees = {header}
                grown = True
                while grown:
                    new = {path for path, targets in self.includes.items() if path not in sees and any(target in sees for target, _ in targets)}
                    sees |= new
                    grown = bool(new)
                for path in sorted(sees & self.includes.keys()):
                    if matches(unit_of(path), units):
                        line, target = next((line, target) for target, line in self.includes[path] if target in sees)
                        self.report(path, line, f"\"{target}\" brings in {header}, which {unit_of(path)} must not see")

    def check_cycles(self):
        rooms = {}  # room -> room that it includes -> the first include
        for path, targets in sorted(self.includes.items()):
            room = os.path.splitext(path)[0]
            for target, line in targets:
                other = os.path.splitext(target)[0]
                if other != room and unit_of(path) != "tests":
                    rooms.setdefault(room, {}).setdefault(other, (path, line))
        for circle in circles(rooms):
            if circle[0] in MAY_BE_CIRCULAR:
                continue
            path, line = next(place for other, place in sorted(rooms[circle[0]].items()) if other in circle)
            self.report(path, line, f"{', '.join(circle)} include each other in a circle: move what they share into a file of its own")

    def resolve(self, path, name, quoted):
        beside = pathlib.PurePosixPath(os.path.normpath(os.path.join(os.path.dirname(path), name))).as_posix()
        for candidate in ([beside] if quoted else []) + [name]:
            if not candidate.startswith("..") and candidate.split("/")[0] in TOP_FOLDERS and (self.root / candidate).is_file():
                return candidate
        return None


def main():
    roots = [argument for argument in sys.argv[1:] if argument != "--partial"]
    if len(roots) != 1 or not (pathlib.Path(roots[0]) / "core").is_dir():
        print("usage: check_architecture.py ROOT [--partial]   (ROOT: the folder that holds core/)", file=sys.stderr)
        return 2
    checker = Checker(roots[0])
    violations = checker.run(partial="--partial" in sys.argv)
    for violation in violations:
        print(violation)
    print(f"{len(checker.includes)} files with project includes, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
