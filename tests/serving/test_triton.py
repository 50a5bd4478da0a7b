# SPDX-License-Identifier: GPL-3.0-or-later
"""The repository for Triton that an export holds, read as protobuf text and beside the model's own inputs and outputs."""

import json
import re
import unittest

import support

support.require("numpy", "onnxruntime")

TOKEN = re.compile(r'\s+|#[^\n]*|(?P<word>[A-Za-z_][A-Za-z_0-9]*|-?\d+)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[{}\[\]:,])')
REPEATED = {"input", "output", "instance_group", "parameters"}
# Types of ONNX and of Triton's configuration.
TYPES = {"tensor(float)": "TYPE_FP32", "tensor(int64)": "TYPE_INT64"}


def tokens(text):
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"no token at {text[at : at + 20]!r}")
        at = match.end()
        if match.lastgroup:
            yield match.group(match.lastgroup)


def parsed(text):
    """A message of protobuf's text format as a dictionary. A field that may come once is refused when it comes twice."""
    words = [*tokens(text), None]

    def value():
        if words[0] == "{":
            words.pop(0)
            return message("}")
        word = words.pop(0)
        return json.loads(word) if word[0] == '"' else int(word) if re.fullmatch(r"-?\d+", word) else word

    def values():
        listed = []
        words.pop(0)
        while words[0] != "]":
            listed.append(value())
            if words[0] == ",":
                words.pop(0)
        words.pop(0)
        return listed

    def message(end):
        fields = {}
        while words[0] != end:
            name = words.pop(0)
            if not re.fullmatch(r"[a-z_]+", name):
                raise ValueError(f"no field: {name}")
            if words[0] == ":":
                words.pop(0)
            elif words[0] != "{":
                raise ValueError(f"no value of {name}")
            given = values() if words[0] == "[" else value()
            if name in REPEATED:
                fields.setdefault(name, []).append(given)
            elif name in fields:
                raise ValueError(f"{name} comes twice")
            else:
                fields[name] = given
        words.pop(0)
        return fields

    return message(None)


class TritonTest(support.Exports):
    def config(self):
        return parsed((self.folder / "model_repository/small_model/config.pbtxt").read_text())

    def parameters(self):
        return {entry["key"]: entry["value"]["string_value"] for entry in self.config()["parameters"]}

    def test_the_parser_refuses_what_is_no_text_of_protobuf(self):
        self.assertEqual(parsed('a: 1 input { b: "x" c: [ 1, 2 ] } input {}'), {"a": 1, "input": [{"b": "x", "c": [1, 2]}, {}]})
        for text in ("a: 1 a: 2", "a 1", "a: ?"):
            with self.assertRaises(ValueError):
                parsed(text)

    def test_its_tensors_are_those_of_the_model(self):
        import onnxruntime

        self.write(target="triton", batch=4, wait_ms=3)
        config = self.config()
        file = self.folder / "model_repository" / config["name"] / "1" / config["default_model_filename"]
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        for field, tensors in (("input", session.get_inputs()), ("output", session.get_outputs())):
            self.assertEqual([entry["name"] for entry in config[field]], [tensor.name for tensor in tensors])
            for entry, tensor in zip(config[field], tensors):
                self.assertEqual(entry["data_type"], TYPES[tensor.type])
                self.assertEqual(len(entry["dims"]) + 1, len(tensor.shape), "Triton adds the batch")
                for ours, own in zip(entry["dims"], tensor.shape[1:]):
                    self.assertTrue(not isinstance(own, int) or ours == own, (ours, own))

    def test_it_batches_as_the_trial_was_measured(self):
        self.write(target="triton", batch=4, wait_ms=3)
        config = self.config()
        self.assertEqual((config["backend"], config["platform"]), ("onnxruntime", "onnxruntime_onnx"))
        self.assertEqual(config["max_batch_size"], 4)
        self.assertEqual(config["dynamic_batching"], {"preferred_batch_size": [4], "max_queue_delay_microseconds": 3000})
        self.assertEqual(config["instance_group"], [{"count": 1, "kind": "KIND_CPU"}])

    def test_a_batch_of_one_joins_nothing(self):
        self.write(target="triton", batch=1)
        config = self.config()
        self.assertEqual(config["max_batch_size"], 1)
        self.assertNotIn("dynamic_batching", config)

    def test_its_parameters_are_the_switches_and_threads_of_the_trial(self):
        self.write(target="triton")
        self.assertEqual(self.parameters(), {"intra_op_thread_count": "1"})
        self.assertEqual(self.config()["optimization"], {"graph": {"level": 1}})
        page = (self.folder / "README.md").read_text()
        self.assertIn("Not carried over", page)
        self.assertIn("* `no_spinning`: Triton's backend has no parameter for it", page)
        self.assertNotIn("`io_binding`:", page)
        self.assertIn("No Triton server ran it here", page)

    def test_openvino_has_parameters_of_its_own(self):
        self.write(engine="openvino", target="triton")
        config = self.config()
        self.assertEqual(config["backend"], "openvino")
        self.assertNotIn("platform", config)
        self.assertEqual(
            self.parameters(),
            {"INFERENCE_NUM_THREADS": "1", "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": "1", "ENABLE_BATCH_PADDING": "YES"},
        )
        self.assertIn("`precision fp32`: OpenVINO computes in bf16", (self.folder / "README.md").read_text())

    def test_run_py_runs_the_model_of_the_repository(self):
        import subprocess
        import sys

        self.write(target="triton")
        self.assertFalse((self.folder / "model").exists(), "the model is there once")
        ran = subprocess.run([sys.executable, str(self.folder / "run.py"), "--check"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
