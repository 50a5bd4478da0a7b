# SPDX-License-Identifier: GPL-3.0-or-later
"""The HTTP server of an export: a small model is exported, served and asked by many clients."""

import io
import json
import os
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import support
from support import array, eventually, npy

support.require("numpy", "onnxruntime", "fastapi", "uvicorn", "prometheus_client", "PIL")

import numpy  # noqa: E402
from PIL import Image  # noqa: E402

CLIENTS = 8
REQUESTS = 200


def samples(number):
    generator = numpy.random.default_rng(number)
    return generator.standard_normal((1, 3, 16, 16), dtype=numpy.float32)


class ServerTest(support.Exports):
    def expected(self, sample):
        """What the model itself answers."""
        import onnxruntime

        session = onnxruntime.InferenceSession(str(self.folder / "model/model.onnx"), providers=["CPUExecutionProvider"])
        return session.run(None, {session.get_inputs()[0].name: sample})[0]

    def test_many_clients_get_the_answers_of_the_model_and_the_figures_add_up(self):
        self.write()
        server = self.start()
        with ThreadPoolExecutor(CLIENTS) as clients:
            answers = list(clients.map(lambda number: server.infer(npy(samples(number))), range(REQUESTS)))
        self.assertEqual({status for status, _, _ in answers}, {200})
        for number in range(REQUESTS):
            answer = array(answers[number][2])
            self.assertEqual(answer.shape, (1, 10))
            numpy.testing.assert_allclose(answer, self.expected(samples(number)), rtol=1e-4, atol=1e-5)
        metrics = server.metrics()
        self.assertEqual(metrics["apertune_requests_total"], REQUESTS)
        self.assertEqual(metrics["apertune_request_seconds_count"], REQUESTS)
        self.assertEqual(metrics['apertune_request_seconds_bucket{le="+Inf"}'], REQUESTS)
        self.assertEqual(metrics["apertune_batch_size_sum"], REQUESTS, "each request was in one pass")
        passes = metrics["apertune_batch_size_count"]
        self.assertEqual(metrics["apertune_pass_seconds_count"], passes)
        self.assertTrue(REQUESTS / 4 <= passes <= REQUESTS, passes)
        for name in ("apertune_requests_in_flight", "apertune_queue_length"):
            self.assertEqual(metrics[name], 0)
        self.assertEqual(metrics["apertune_ready"], 1)
        self.assertFalse([name for name in metrics if name.startswith("apertune_errors_total")])
        for family in ("apertune_request_recent_seconds", "apertune_pass_recent_seconds"):
            shares = [metrics[f'{family}{{quantile="{share}"}}'] for share in ("0.5", "0.95", "0.99")]
            self.assertEqual(shares, sorted(shares))
            self.assertGreater(shares[0], 0)
        for family in ("apertune_request_seconds", "apertune_pass_seconds", "apertune_batch_size"):
            buckets = [value for name, value in metrics.items() if name.startswith(family + "_bucket")]
            self.assertEqual(buckets, sorted(buckets), "a histogram counts up")

    def test_openvino_answers_inputs_that_differ_from_pass_to_pass(self):
        try:
            import openvino  # noqa: F401
        except ImportError as failure:
            self.skipTest(str(failure))
        self.write(engine="openvino", batch=2, wait_ms=0)
        server = self.start()
        for number in range(5):
            status, _, answer = server.infer(npy(samples(number)))
            self.assertEqual(status, 200, answer)
            numpy.testing.assert_allclose(array(answer), self.expected(samples(number)), rtol=1e-3, atol=1e-4)

    def test_requests_that_come_together_share_a_pass(self):
        self.write(batch=4, wait_ms=60_000)
        server = self.start()
        with ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(lambda number: server.infer(npy(samples(number))), range(8)))
        self.assertEqual({status for status, _, _ in answers}, {200})
        self.assertEqual(server.metrics()["apertune_batch_size_count"], 2, "two full passes")

    def test_every_metric_of_an_alert_is_one_of_the_server(self):
        self.write()
        server = self.start()
        server.infer(npy(samples(0)))
        server.infer(b"no array")
        known = support.metric_names(server.request("GET", "/metrics")[2].decode())
        rules = [line for line in (self.folder / "prometheus-rules.yml").read_text().splitlines() if "expr:" in line]
        self.assertGreaterEqual(len(rules), 4)
        for rule in rules:
            names = support.metric_names(rule)
            self.assertTrue(names and names <= known, (rule, names - known))

    def test_a_body_that_does_not_fit_is_refused_with_the_reason(self):
        self.write()
        server = self.start("--max-body", "100000")
        sample = samples(0)
        truncated = npy(sample)[:-4]
        with_objects = io.BytesIO()
        numpy.save(with_objects, numpy.array([{}], dtype=object), allow_pickle=True)
        for body, media_type, status, kind, words in (
            (npy(sample[0]), "application/octet-stream", 400, "shape", "[1, 3, 16, 16], not [3, 16, 16]"),
            (npy(sample.astype(numpy.float64)), "application/octet-stream", 400, "dtype", "float32, not float64"),
            (b"no array", "application/octet-stream", 400, "body", "numpy.save()"),
            (truncated, "application/octet-stream", 400, "body", "3072 bytes"),
            (with_objects.getvalue(), "application/octet-stream", 400, "shape", "[1, 3, 16, 16]"),
            (npy(sample), "text/plain", 415, "media_type", "application/octet-stream or image/jpeg or image/png"),
            (npy(sample), None, 415, "media_type", "missing"),
            (npy(numpy.zeros(100_000)), "application/octet-stream", 413, "too_large", "100000 bytes"),
            (b"no image", "image/png", 400, "image", "PNG"),
        ):
            got, headers, answer = server.infer(body, media_type)
            document = json.loads(answer)
            self.assertEqual((got, document["error"]), (status, kind), document)
            self.assertIn(words, document["message"])
            self.assertEqual(headers["Content-Type"], "application/json")
        metrics = server.metrics()
        self.assertEqual(metrics["apertune_requests_total"], 9)
        self.assertEqual(sum(value for name, value in metrics.items() if name.startswith("apertune_errors_total")), 9)
        self.assertEqual(metrics["apertune_request_seconds_count"], 0)
        self.assertEqual(server.infer(npy(sample))[0], 200, "it serves on")

    def test_images_are_prepared_as_the_exporter_does(self):
        self.write()
        server = self.start()
        generator = numpy.random.default_rng(1)
        image = Image.fromarray(generator.integers(0, 256, (37, 53, 3), dtype=numpy.uint8))
        for kind, media_type in (("PNG", "image/png"), ("JPEG", "image/jpeg")):
            stream = io.BytesIO()
            image.save(stream, kind)
            status, _, answer = server.infer(stream.getvalue(), media_type)
            self.assertEqual(status, 200, answer)
            prepared = self.prepared_by_the_exporter(stream)
            numpy.testing.assert_allclose(array(answer), self.expected(prepared), rtol=1e-3, atol=1e-4)

    def prepared_by_the_exporter(self, stream):
        """The steps of apertune_exporter/quantize/calibration.py, which needs torch, for this recipe."""
        with Image.open(stream) as image:
            image = image.convert("RGB")
            scale = 20 / min(image.size)
            image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.BILINEAR)
            left, top = (image.width - 16) // 2, (image.height - 16) // 2
            values = numpy.asarray(image.crop((left, top, left + 16, top + 16)), dtype=numpy.float32) / 255
        values = (values - numpy.float32([0.4, 0.5, 0.6])) / numpy.float32([0.2, 0.25, 0.3])
        return numpy.ascontiguousarray(values.transpose(2, 0, 1)[None])

    def test_a_full_queue_answers_503_and_loses_nothing(self):
        self.write(batch=64, wait_ms=60_000)
        server = self.start("--queue", "10")
        results = []
        clients = [
            threading.Thread(target=lambda number=number: results.append(server.infer(npy(samples(number)))))
            for number in range(10)
        ]
        for client in clients:
            client.start()
        eventually(lambda: server.metrics()["apertune_queue_length"] == 10, "ten requests that wait")
        for _ in range(3):
            status, headers, answer = server.infer(npy(samples(0)))
            self.assertEqual((status, json.loads(answer)["error"]), (503, "queue_full"))
            self.assertGreaterEqual(int(headers["Retry-After"]), 1)
        metrics = server.metrics()
        self.assertEqual(metrics['apertune_errors_total{kind="queue_full"}'], 3)
        self.assertEqual(metrics["apertune_requests_in_flight"], 10)
        self.assertEqual(metrics["apertune_queue_limit"], 10)
        server.stop()
        for client in clients:
            client.join()
        self.assertEqual([status for status, _, _ in results], [200] * 10)
        self.assertEqual(server.wait(), 0, server.said())

    def test_sigterm_during_requests_answers_what_was_accepted(self):
        self.write(batch=64, wait_ms=1000)
        server = self.start()
        with ThreadPoolExecutor(20) as clients:
            answers = [clients.submit(server.infer, npy(samples(number))) for number in range(20)]
            eventually(lambda: server.metrics()["apertune_queue_length"] == 20, "twenty requests that wait")
            server.stop()
            for number, answer in enumerate(answers):
                status, _, body = answer.result()
                self.assertEqual(status, 200)
                numpy.testing.assert_allclose(array(body), self.expected(samples(number)), rtol=1e-4, atol=1e-5)
        self.assertEqual(server.wait(), 0, server.said())

    def refused(self):
        server = self.start(ready=False)
        self.assertEqual(server.wait(), 2, server.said())
        self.assertIsNone(server.status("/healthz"))
        return server.said()

    def test_a_changed_weight_file_is_refused_at_the_start(self):
        self.write()
        model = self.folder / "model/model.onnx"
        data = bytearray(model.read_bytes())
        data[len(data) // 2] ^= 1
        model.write_bytes(data)
        self.assertIn("These files were changed after the export: model/model.onnx.", self.refused())

    def test_missing_files_are_refused_at_the_start(self):
        self.write()
        (self.folder / "Dockerfile").unlink()
        (self.folder / "inputs/0.bin").unlink()
        said = self.refused()
        self.assertIn("Files of the export are missing: ", said)
        self.assertIn("Dockerfile", said)
        self.assertIn("inputs/0.bin", said)

    def test_a_folder_without_its_list_of_files_is_refused(self):
        self.write()
        (self.folder / "apertune-manifest.json").unlink()
        self.assertIn("apertune-manifest.json", self.refused())

    def test_a_model_with_other_outputs_than_measured_never_becomes_ready(self):
        self.write()
        config = self.folder / "apertune-config.json"
        settings = json.loads(config.read_text())
        settings["expected"]["min_cosine"] = 1.5
        config.write_text(json.dumps(settings))
        self.list_again("apertune-config.json")
        server = self.start(ready=False)
        self.assertEqual(server.wait(), 2, server.said())
        self.assertIn("with other outputs than were measured", server.said())
        self.assertEqual(self.start("--check", "0").status("/readyz"), 200, "unless that is left out")

    def list_again(self, name):
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        self.addCleanup(sys.modules.pop, "check_files", None)
        import check_files

        manifest = self.folder / "apertune-manifest.json"
        document = json.loads(manifest.read_text())
        for entry in document["files"]:
            if entry["path"] == name:
                entry["sha256"] = check_files.hash_of(self.folder / name)
        manifest.write_text(json.dumps(document))

    def test_uvicorn_serves_it_with_the_settings_of_the_environment(self):
        import subprocess

        self.write()
        port = support.free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "server:app", "--port", str(port), "--log-level", "warning"],
            cwd=self.folder, env={**os.environ, "APERTUNE_QUEUE": "7"},
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        server = support.Server.__new__(support.Server)
        server.port, server.process = port, process
        eventually(lambda: server.ended() or server.status("/readyz") == 200, "a server that is ready")
        self.assertEqual(server.metrics()["apertune_queue_limit"], 7)
        self.assertEqual(server.infer(npy(samples(0)))[0], 200)

    def test_percentiles_cover_the_last_minutes(self):
        self.write()
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        import server

        self.addCleanup(sys.modules.pop, "server")
        self.addCleanup(sys.modules.pop, "check_files")
        recent = server.Recent(window=100)
        self.assertEqual(recent.percentiles(now=0), [])
        for second in range(1, 101):
            recent.add(second, now=second)
        self.assertEqual(recent.percentiles(now=100), [(0.5, 50), (0.95, 95), (0.99, 99)])
        self.assertEqual(recent.percentiles(now=190), [(0.5, 95), (0.95, 100), (0.99, 100)])
        bounds = server.buckets_around(0.01)
        self.assertTrue(bounds == sorted(set(bounds)) and bounds[0] < 0.01 < bounds[-1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
