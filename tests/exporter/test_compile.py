# SPDX-License-Identifier: GPL-3.0-or-later
"""`compile`: packages that run, and failures that say why."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
import zipfile

import torch
from apertune_exporter.artifact.manifest import reference_inputs
from apertune_exporter.common.engines import add_engine_folders
from apertune_exporter.common.failures import compiler_line
from apertune_exporter.compile.attention import attention_kernel, attention_of
from apertune_exporter.compile.package import allow_tf32
from apertune_exporter.compile.toolchain import lacks_a_tool, lead_to_cuda
from support import Case, run, run_child, source


add_engine_folders()
try:
    import torchao
except ImportError:
    torchao = None


def tf32_flags():
    return torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32


class Compile(Case):
    packages = {}  # batch -> what the compiler said of the package of tiny that tests share

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.mkdtemp(prefix="apertune-exporter-")
        cls.addClassCleanup(shutil.rmtree, cls.kept, ignore_errors=True)

    def tiny_package(self, out, batch):
        """(manifest, what the compiler said) of tiny, with its package at `out`. It is imported once, and each batch is
        compiled once."""
        model = os.path.join(self.kept, "model")
        if not os.path.exists(model):
            self.export(source("tiny"), out=model)
        shutil.copytree(model, self.path("model"), dirs_exist_ok=True)
        with open(os.path.join(model, "manifest.json"), encoding="utf-8") as stream:
            manifest = json.load(stream)
        kept = os.path.join(self.kept, f"b{batch}.pt2")
        if batch not in self.packages:
            status, last = run(*self.arguments(kept, batch=batch, threads=1))
            self.assertEqual((status, last["t"]), (0, "done"), last)
            self.assertEqual(tf32_flags(), (False, False), "convolutions of the verification, too")
            self.packages[batch] = last
        for end in ("", ".json"):
            shutil.copy(kept + end, self.path(out) + end)
        return manifest, self.packages[batch]

    def arguments(self, out="p.pt2", batch=1, **options):
        fixed = ["compile", "--artifact", self.path("model"), "--batch", str(batch), "--out", self.path(out)]
        return fixed + [part for name, value in options.items() for part in (f"--{name}", str(value))]

    def test_a_package_runs_at_its_batch_and_agrees_with_the_model(self):
        manifest, last = self.tiny_package("p.pt2", 3)
        self.assertEqual(last["bytes"], os.path.getsize(self.path("p.pt2")))
        self.assertGreater(last["seconds"], 0)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        self.assertEqual((sidecar["batch"], sidecar["precision"], sidecar["device"]), (3, "fp32", "cpu"))
        self.assertEqual(sidecar["content_hash"], manifest["content_hash"])
        self.assertEqual(sidecar["inputs"][0]["shape"], [3, 3, 32, 32])
        self.assertTrue(sidecar["isa"])
        self.assertGreater(sidecar["agreement"]["cosine"], 0.9999)
        self.assertEqual(sidecar["attention"], {"chosen": None, "calls": 0, "kernels": {}})
        inputs = reference_inputs(self.path("model"), manifest, 3)
        script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        package = torch._inductor.aoti_load_package(self.path("p.pt2"))
        with torch.no_grad():
            torch.testing.assert_close(package(*inputs), script(*inputs), rtol=1e-4, atol=1e-5)
        # A package is no source, and the refusal names what it is for.
        self.assert_import_refused("foreign_package", self.path("p.pt2"), contains=sidecar["isa"])

    def test_tf32_is_off_unless_it_is_asked_for(self):
        before = tf32_flags()
        try:
            for allowed in (True, False):
                allow_tf32(allowed)
                self.assertEqual(tf32_flags(), (allowed, allowed))
            self.tiny_package("p.pt2", 1)
            with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
                self.assertIs(json.load(stream)["tf32"], False)
        finally:
            torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = before

    def test_packages_of_two_batches_go_into_one_file(self):
        for batch in (3, 1):
            manifest, _ = self.tiny_package(f"b{batch}.pt2", batch)
        parts = ["--package", self.path("b3.pt2"), "--package", self.path("b1.pt2")]
        status, last = run("join", *parts, "--out", self.path("both.pt2"))
        self.assertEqual((status, last["models"]), (0, ["batch_3", "batch_1"]), last)
        self.assertEqual(last["bytes"], os.path.getsize(self.path("both.pt2")))
        script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        for batch in (3, 1):
            inputs = reference_inputs(self.path("model"), manifest, batch)
            package = torch._inductor.package.load_package(self.path("both.pt2"), f"batch_{batch}")
            with torch.no_grad():
                torch.testing.assert_close(package(*inputs), script(*inputs), rtol=1e-4, atol=1e-5)
        self.assert_refused("bad_source", "join", *parts, *parts[:2], "--out", self.path("x.pt2"), contains="both for batch 3")
        with open(self.path("b1.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        with open(self.path("b1.pt2.json"), "w", encoding="utf-8") as stream:
            json.dump({**sidecar, "precision": "bf16"}, stream)
        self.assert_refused("bad_source", "join", *parts, "--out", self.path("x.pt2"), contains="of the same precision")
        self.assertFalse(os.path.exists(self.path("x.pt2")))

    def test_one_package_can_serve_every_batch(self):
        manifest = self.export(source("tiny"))
        arguments = ["compile", "--artifact", self.path("model"), "--dynamic-batch", "--out", self.path("p.pt2")]
        status, last = run(*arguments, "--threads", 1)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        self.assertEqual((sidecar["batch"], sidecar["dynamic_batch"]), (None, True))
        self.assertEqual(sidecar["inputs"][0]["shape"], [-1, 3, 32, 32])
        self.assertGreater(sidecar["agreement"]["cosine"], 0.9999)
        script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))
        package = torch._inductor.aoti_load_package(self.path("p.pt2"))
        for batch in (1, 5):
            inputs = reference_inputs(self.path("model"), manifest, batch)
            with torch.no_grad():
                torch.testing.assert_close(package(*inputs), script(*inputs), rtol=1e-4, atol=1e-5)
        self.export(source("one_only"), out="one")
        arguments[2] = self.path("one")
        self.assert_refused("unsupported", *arguments, contains="cannot be compiled for every batch")
        self.assert_refused("unsupported", *arguments, "--batch", 2, contains="not allowed with")

    def test_a_model_that_makes_float32_tensors_compiles_in_bf16(self):
        manifest = self.export(source("two_in"))
        status, last = run(*self.arguments(batch=2, precision="bf16"))
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        self.assertEqual([i["dtype"] for i in sidecar["inputs"]], ["bfloat16", "bfloat16"])
        self.assertEqual(sidecar["model"], manifest["name"])
        self.assertGreater(sidecar["agreement"]["cosine"], 0.99)

    def test_shifted_windows_compile_and_agree_with_the_model(self):
        self.export(source("windows"))
        status, last = run(*self.arguments(threads=1))
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            self.assertGreater(json.load(stream)["agreement"]["cosine"], 0.9999)

    @unittest.skipUnless(torchao, "torchao is not installed: make setup")
    def test_int8_calls_int8_kernels_and_says_how_it_was_calibrated(self):
        self.export(source("summed"))
        status, last = run(*self.arguments(batch=2, precision="int8", **{"calibration-samples": 5}))
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        made = sidecar["quantization"]
        self.assertEqual((made["calibration"], made["samples"], made["weight_bits"]), ("5 generated samples", 5, 8))
        self.assertIn("torchao", made["method"])
        self.assertEqual(len(made["layers"]), 3)
        # Two convolutions, one with the sum behind it, and the linear layer; none is left in float.
        self.assertEqual(sum(n for kernel, n in made["kernels"].items() if kernel.startswith("qconv")), 2, made)
        self.assertEqual(sum(n for kernel, n in made["kernels"].items() if kernel.startswith("qlinear")), 1, made)
        self.assertEqual(made["float_kernels"], {})
        self.assertGreater(sidecar["agreement"]["cosine"], 0.98)
        self.assertLess(sidecar["agreement"]["cosine"], 1)

    @unittest.skipUnless(torchao, "torchao is not installed: make setup")
    def test_int8_that_the_compiler_leaves_in_float_is_told(self):
        self.export(source("summed"))
        status, last = run(*self.arguments(precision="int8", **{"calibration-samples": 2}), "--no-freezing")
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(self.path("p.pt2.json"), encoding="utf-8") as stream:
            sidecar = json.load(stream)
        self.assertFalse(sidecar["freezing"])
        self.assertEqual(sidecar["quantization"]["kernels"], {})
        self.assertTrue(sidecar["quantization"]["float_kernels"])

    @unittest.skipUnless(torchao, "torchao is not installed: make setup")
    def test_what_has_nothing_to_quantize_is_refused(self):
        self.export(source("tokens"))
        self.assert_refused("unsupported", *self.arguments(precision="int8"), contains="no convolution or linear layer")
        self.assert_refused("unsupported", *self.arguments(precision="int8", device="cuda"), contains="on a GPU")
        self.export(source("tiny"))
        options = {"precision": "int8", "calibration": self.path("nowhere")}
        self.assert_refused("bad_source", *self.arguments(**options), contains="not a folder")

    def test_the_kernel_of_attention_is_chosen_while_compiling_and_read_from_the_code(self):
        class Attention(torch.nn.Module):
            def forward(self, x):
                return torch.nn.functional.scaled_dot_product_attention(x, x, x)

        inputs = (torch.randn(1, 4, 32, 16),)
        exported = torch.export.export(Attention().eval(), inputs)
        for chosen, kernels in ((None, {"flash_attention_for_cpu": 1}), ("math", {})):
            with torch.no_grad(), attention_kernel(chosen):
                code = torch._inductor.aoti_compile_and_package(
                    exported, package_path=self.path("p.pt2"), inductor_configs={"aot_inductor.package_cpp_only": True}
                )
            self.assertEqual(attention_of(exported, code, chosen), {"chosen": chosen, "calls": 1, "kernels": kernels})

    def test_a_package_that_computes_something_else_is_refused(self):
        self.export(source("tiny"))
        script = torch.jit.load(os.path.join(self.path("model"), "model.ts.pt"))

        def wrong(*inputs):
            return -script(*inputs)

        with unittest.mock.patch("torch._inductor.aoti_load_package", return_value=wrong):
            self.assert_refused("compile_failed", *self.arguments(batch=3), contains=("is wrong", "before compiling it is 1"), status=1)
        self.assertFalse(os.path.exists(self.path("p.pt2")))

    def test_a_failing_compiler_is_reported_by_its_own_words(self):
        self.export(source("tiny"))
        with open(self.path("cxx"), "w", encoding="utf-8") as stream:
            # Versions are asked for before anything is compiled.
            stream.write(
                '#!/bin/sh\ncase "$*" in *-c*|*-o*) echo "model.cpp:7:3: error: this compiler is on strike" >&2; exit 1;; esac\nexec g++ "$@"\n'
            )
        os.chmod(self.path("cxx"), 0o755)
        cache = self.path("cache")
        done = run_child(*self.arguments(), CXX=self.path("cxx"), TORCHINDUCTOR_CACHE_DIR=cache)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((done.returncode, last["t"], last.get("code")), (1, "error", "compile_failed"), last)
        self.assertIn("on strike", last["message"])
        self.assertFalse(os.path.exists(self.path("p.pt2")))
        self.assertFalse(os.path.exists(self.path("p.pt2.json")))

    def test_what_the_machine_lacks_is_told_from_what_the_model_does(self):
        for text in (
            "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
            "CppCompileError: C++ compile error\nOutput:\n/tmp/c.cpp:1:10: fatal error: cuda.h: No such file or directory",
            "/usr/bin/ld: cannot find -lcuda: No such file or directory\ncollect2: error: ld returned 1 exit status",
            "AssertionError: libcuda.so cannot found!\nPossible files are located at []",
            "RuntimeError: Failed to find C compiler. Please specify via CC environment variable.",
            "FileNotFoundError: [Errno 2] No such file or directory: '/usr/local/cuda/bin/ptxas'",
        ):
            self.assertTrue(lacks_a_tool(text), text)
        for text in (
            "c7.cpp:12:9: error: no match for 'operator*'",
            "LoweringException: NotImplementedError: cannot find a kernel",
            "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/x/labels.txt'",
            "",
        ):
            self.assertFalse(lacks_a_tool(text), text)

    def test_a_header_that_is_not_installed_is_no_failure_of_the_model(self):
        self.export(source("tiny"))
        with open(self.path("cxx"), "w", encoding="utf-8") as stream:
            stream.write(
                '#!/bin/sh\ncase "$*" in *-c*|*-o*) echo "m.cpp:1:10: fatal error: cuda.h: No such file or directory" >&2; exit 1;; esac\nexec g++ "$@"\n'
            )
        os.chmod(self.path("cxx"), 0o755)
        done = run_child(*self.arguments(), CXX=self.path("cxx"), TORCHINDUCTOR_CACHE_DIR=self.path("cache"))
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((done.returncode, last["t"], last.get("code")), (1, "error", "toolchain"), last)
        self.assertIn("cuda.h", last["message"])
        self.assertIn("CUDA_HOME", last["hint"])

    @unittest.skipUnless(torch.version.cuda, "the wheels without CUDA bring no headers")
    def test_without_a_cuda_toolkit_the_headers_of_the_wheels_serve(self):
        from torch.utils import cpp_extension

        with unittest.mock.patch.object(cpp_extension, "CUDA_HOME", None), unittest.mock.patch.dict(os.environ):
            os.environ.pop("TRITON_LIBCUDA_PATH", None)
            lead_to_cuda(self.path(""))
            folders = cpp_extension.include_paths("cuda")
            self.assertTrue(any(os.path.exists(os.path.join(folder, "cuda_runtime_api.h")) for folder in folders))
            # Without a driver there is nothing to link, and Triton has to look for it itself.
            self.assertEqual("TRITON_LIBCUDA_PATH" in os.environ, torch.cuda.is_available())

    def test_a_compiler_that_was_copied_elsewhere_makes_packages_that_run(self):
        # It finds its static libstdc++ alone, and a package with a copy of libstdc++ crashes.
        compiler = self.copied_compiler()
        made = self.path("copied.so")
        subprocess.run([compiler, "-x", "c++", "-", "-shared", "-fPIC", "-o", made], check=True, text=True,
                       input="#include <locale>\nstd::string name() { return std::locale().name(); }\n")
        with open(made, "rb") as stream:
            self.assertNotIn(b"libstdc++.so.6", stream.read())
        self.export(source("tiny"))
        done = run_child(*self.arguments(), CXX=compiler, TORCHINDUCTOR_CACHE_DIR=self.path("cache"))
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((done.returncode, last["t"]), (0, "done"), last)
        with zipfile.ZipFile(self.path("p.pt2")) as archive:
            libraries = [archive.read(name) for name in archive.namelist() if name.endswith(".so")]
        self.assertTrue(libraries)
        self.assertTrue(all(b"libstdc++.so.6" in library for library in libraries))

    def copied_compiler(self):
        """A g++ in a folder of its own, with everything but the shared libstdc++."""
        tell = lambda *question: subprocess.run(["g++", *question], check=True, capture_output=True, text=True).stdout
        own = os.path.dirname(tell("-print-libgcc-file-name").strip())
        if not os.path.isfile(os.path.join(own, "libstdc++.a")):
            self.skipTest("this g++ has no static libstdc++")
        root = self.path("copied")
        folder = os.path.join(root, "lib", *own.split(os.sep)[-3:])
        os.makedirs(folder)
        for name in os.listdir(own):
            if name != "libstdc++.so":
                os.symlink(os.path.join(own, name), os.path.join(folder, name))
        machine = tell("-dumpmachine").strip()
        for headers in ("c++", os.path.join(machine, "c++")):
            link = os.path.join(root, "include", headers)
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(os.path.join("/usr/include", headers), link)
        os.mkdir(os.path.join(root, "bin"))
        return shutil.copy(os.path.realpath(shutil.which("g++")), os.path.join(root, "bin", "g++"))

    def test_the_telling_line_of_a_long_failure_is_found(self):
        text = "CppCompileError: C++ compile error\n\nCommand:\ng++ x\n\nOutput:\nIn file included\n/tmp/q/c7.cpp:12:9: error: no match for 'operator*'\n   12 | a\ncompilation terminated."
        self.assertEqual(compiler_line(text), "c7.cpp:12:9: error: no match for 'operator*'")
        self.assertEqual(compiler_line("RuntimeError: out of luck\n"), "RuntimeError: out of luck")
        self.assertEqual(compiler_line(""), "no message")

    def test_what_cannot_be_compiled_is_refused_before_the_compiler_starts(self):
        self.assert_refused("bad_source", *self.arguments(), contains="manifest.json")
        self.export(source("one_only"))
        self.assert_refused("unsupported", *self.arguments(batch=2), contains="batch 1 only")
        self.assert_refused("unsupported", *self.arguments(out="p.so"), contains=".pt2")
        if not torch.cuda.is_available():
            self.assert_refused("unsupported", *self.arguments(device="cuda"), contains="CUDA")
        with open(os.path.join(self.path("model"), "model.ep.pt2"), "ab") as stream:
            stream.write(b"more")
        self.assert_refused("truncated", *self.arguments(), contains="model.ep.pt2")
        os.unlink(os.path.join(self.path("model"), "model.ep.pt2"))
        self.assert_refused("truncated", *self.arguments(), contains="missing")
        self.change_manifest(lambda m: m["files"].update(exported=None))
        self.assert_refused("unsupported", *self.arguments(), contains="no exported program")
        self.change_manifest(lambda m: m.update(schema="apertune.model/9"))
        self.assert_refused("unsupported", *self.arguments(), contains="apertune.model/1")
        with open(os.path.join(self.path("model"), "manifest.json"), "w", encoding="utf-8") as stream:
            stream.write("{")
        self.assert_refused("truncated", *self.arguments(), contains="JSON")

    def change_manifest(self, change):
        path = os.path.join(self.path("model"), "manifest.json")
        with open(path, encoding="utf-8") as stream:
            manifest = json.load(stream)
        change(manifest)
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(manifest, stream)

    def test_reference_inputs_of_the_wrong_size_are_noticed(self):
        self.export(source("tiny"))
        with open(os.path.join(self.path("model"), "inputs", "0.bin"), "ab") as stream:
            stream.write(b"\0\0\0\0")
        self.assert_refused("truncated", *self.arguments(), contains="0.bin")
