# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers of small exports, and clients of them."""

import http.client
import importlib
import io
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

WRITER = os.environ["APERTUNE_EXPORT_WRITER"]
PATIENCE = 120  # seconds after which something that should come is given up
SKIPPED = 77  # the exit code that ctest shows as skipped


def require(*modules):
    """Ends the process as skipped when a package is missing."""
    missing = []
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError as failure:
            missing.append(str(failure))
    if missing:
        print(f"skipped: {'; '.join(missing)}; make setup installs it")
        sys.exit(SKIPPED)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def eventually(condition, what):
    """The first value of `condition` that is true."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"did not come: {what}")


class Exports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "export"

    def write(self, engine="onnxruntime", target="server", batch=4, wait_ms=5):
        subprocess.run([WRITER, engine, target, str(batch), str(wait_ms), str(self.folder)], check=True, timeout=PATIENCE)
        return self.folder

    def start(self, *options, ready=True):
        server = Server(self.folder, options)
        self.addCleanup(server.kill)
        if ready:
            eventually(lambda: server.ended() or server.status("/readyz") == 200, "a server that is ready")
            self.assertFalse(server.ended(), server.said())
        return server


class Server:
    def __init__(self, folder, options=()):
        self.port = free_port()
        self._log = tempfile.TemporaryFile()
        command = [sys.executable, str(folder / "server.py"), "--port", str(self.port), *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def ended(self):
        return self.process.poll() is not None

    def kill(self):
        if not self.ended():
            self.process.kill()
        self.process.wait()
        self._log.close()

    def stop(self):
        """Asks it to stop; wait() gives its exit code."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self):
        return self.process.wait(PATIENCE)

    def said(self):
        self._log.seek(0)
        return self._log.read().decode()

    def request(self, method, path, body=None, media_type=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Content-Type": media_type} if media_type else {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def status(self, path):
        try:
            return self.request("GET", path)[0]
        except OSError:
            return None

    def infer(self, body, media_type="application/octet-stream"):
        return self.request("POST", "/infer", body, media_type)

    def metrics(self):
        """The values of /metrics by name and labels."""
        text = self.request("GET", "/metrics")[2].decode()
        lines = [line.rpartition(" ") for line in text.splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}


def npy(values):
    import numpy

    stream = io.BytesIO()
    numpy.save(stream, values)
    return stream.getvalue()


def array(body):
    import numpy

    return numpy.load(io.BytesIO(body), allow_pickle=False)


def metric_names(text):
    return set(re.findall(r"\bapertune_\w+", text))
