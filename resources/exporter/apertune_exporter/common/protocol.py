# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol with the program that started the exporter: one JSON object in each line of stdout, nothing else.

`open_channel` keeps the real stdout for the protocol and points file descriptor 1 at stderr. So the output of a
library, a compiler or a user's model never breaks a line. Call it before importing torch.
"""

import json
import os
import select
import signal
import sys
import threading
import time

ERROR_CODES = (
    "bad_source",
    "not_a_model",
    "truncated",
    "unknown_architecture",
    "foreign_package",
    "unsupported",
    "compile_failed",
    "throws",
    "io",
    "missing_module",
    "toolchain",
)

# Codes for faults of the machine or of the compiler. Every other code is a fault of the input.
_NOT_THE_INPUT = ("compile_failed", "io", "toolchain")

EXIT_DONE = 0
EXIT_OTHER = 1
EXIT_BAD_INPUT = 2
EXIT_CANCELLED = 130


class ExportError(Exception):
    """A failure: one sentence for the user, and a hint that says what to do."""

    def __init__(self, code, message, hint):
        assert code in ERROR_CODES, code
        super().__init__(message)
        self.code = code
        self.message = " ".join(str(message).split())
        self.hint = " ".join(str(hint).split())

    @property
    def exit_code(self):
        return EXIT_OTHER if self.code in _NOT_THE_INPUT else EXIT_BAD_INPUT


class Cancelled(BaseException):
    """Raised in the main thread by SIGINT, SIGTERM, or when the reader of stdout is gone."""


class Channel:
    """Writes protocol lines; safe to use from any thread."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._step = 0
        self._steps = 0
        self._name = ""
        self._text = ""

    def _send(self, record):
        data = (json.dumps(record, ensure_ascii=True) + "\n").encode("ascii")
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                # The reader has gone, and watch_reader ends the process.
                pass

    def expect_steps(self, count):
        self._steps = count
        self._step = 0

    def progress(self, step, text):
        self._step += 1
        self._name = step
        self._text = text
        self._steps = max(self._steps, self._step)
        self._send({"t": "progress", "step": step, "i": self._step, "n": self._steps, "text": text})

    def update(self, text):
        """Change the text of the current step."""
        self._send({"t": "progress", "step": self._name, "i": self._step, "n": self._steps, "text": text})

    def detail(self, text):
        """Add what happens within the current step to its text, in place of an earlier detail."""
        self.update(f"{self._text}: {text}")

    def log(self, text):
        self._send({"t": "log", "text": text})

    def done(self, **fields):
        self._send({"t": "done", **fields})

    def error(self, failure):
        self._send({"t": "error", "code": failure.code, "message": failure.message, "hint": failure.hint})

    def cancelled(self):
        self._send({"t": "cancelled"})

    def text(self, text):
        """Plain output of `list` and `version`, which are not part of the line protocol."""
        data = (text + "\n").encode("utf-8")
        while data:
            data = data[os.write(self._descriptor, data) :]


def open_channel():
    """Take stdout for the protocol; everything else that is printed goes to stderr."""
    sys.stdout.flush()
    descriptor = os.dup(1)
    os.dup2(2, 1)
    os.set_inheritable(descriptor, False)
    sys.stdout = sys.stderr
    return Channel(descriptor)


_unwinding = threading.Event()

_INSISTENCE_S = 0.5


def begin_unwinding():
    """Note that cleaning up after a failure or a cancellation has begun. From now on signals are ignored."""
    _unwinding.set()


def install_cancellation(channel):
    """Turn SIGINT, SIGTERM and a vanished reader into `Cancelled` in the main thread."""
    raised_at = -_INSISTENCE_S

    def on_signal(_number, _frame):
        nonlocal raised_at
        # A second signal must not interrupt the handling of the first.
        if _unwinding.is_set() or time.monotonic() - raised_at < _INSISTENCE_S / 2:
            return
        raised_at = time.monotonic()
        raise Cancelled()

    main = threading.main_thread().ident
    arrivals, arrival = os.pipe()
    os.set_blocking(arrival, False)

    def insist():
        # One signal is not enough. The interpreter runs its handler only between two steps of Python, so a call that
        # began just after the signal keeps waiting. An exception inside a destructor or a callback from C++ is lost.
        os.read(arrivals, 1)
        while not _unwinding.wait(_INSISTENCE_S):
            signal.pthread_kill(main, signal.SIGTERM)

    def watch_reader():
        poller = select.poll()
        poller.register(channel._descriptor, 0)
        while True:
            for _descriptor, events in poller.poll():
                if events & (select.POLLERR | select.POLLHUP):
                    signal.pthread_kill(main, signal.SIGTERM)
                    return

    for task in (insist, watch_reader):
        threading.Thread(target=task, name=task.__name__, daemon=True).start()
    signal.set_wakeup_fd(arrival, warn_on_full_buffer=False)
    # A signal for a forked worker of a compiler must not end this process.
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
