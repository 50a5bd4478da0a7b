#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports models that attack this machine, with the sandbox and without it, and says what each of them reached.

    attack_models.py BUILD [--python PYTHON] [--only NAME]

BUILD is a build folder (build/release). PYTHON has torch; without it the set-up's is taken. Everything happens in a
temporary home folder. The exit status is 1 when a model reached anything with the sandbox, or nothing without it.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

NETWORK = """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2
def make():
{body}
    return Net(), (torch.zeros(1, 3, 8, 8),)
"""

# Name -> body of make() in a python: source. HOME, PORT and SUPERVISOR are replaced.
SOURCES = {
    "writes-home": "    open('HOME/pwned', 'w').write('x')",
    "reads-key": "    open('/proc/self/cwd/found', 'w') if False else None\n"
    "    key = open('HOME/.ssh/id').read()\n    raise RuntimeError('the key is ' + key)",
    "opens-socket": "    import socket\n    s = socket.create_connection(('127.0.0.1', PORT), 5); s.send(b'key'); s.close()",
    "kills-parent": "    import os, signal\n    os.kill(SUPERVISOR, signal.SIGKILL)",
    "starts-shell": "    import os\n    os.system('echo x > HOME/pwned')",
    "leaves-daemon": "    import os, time\n"
    "    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
    "            os.execv('/bin/sleep', ['MARK', '1000'])\n        os._exit(0)\n    os.wait()",
    "poisons-kernels": "    open('HOME/.cache/apertune/inductor/kernel.so', 'w').write('x')",
    "poisons-package": "    open('HOME/.cache/apertune/packages/other.pt2', 'w').write('x')",
    "changes-trust": "    open('HOME/.local/share/apertune/trusted', 'a').write('x')",
}
# Models that do not end by themselves. They have to be stopped, with the sandbox or without.
ENDLESS = {
    "forks": "    import os, time\n"
    "    for i in range(200):\n        if os.fork() == 0:\n            os.execv('/bin/sleep', ['MARK', '1000'])\n",
    "sleeps": "    import time\n    time.sleep(10**6)",
    "allocates": "    x = []\n    while True: x.append(bytearray(1 << 26))",
}

TORCHSCRIPT = """
import sys, torch
class Overwrites(torch.nn.Module):
    def forward(self, x):
        mapped = torch.from_file(HOME_VICTIM, True, 4, dtype=torch.uint8)
        mapped.fill_(65)
        return x * 2 + mapped.sum().to(torch.float32) * 0
module = torch.jit.script(Overwrites())
module.save(sys.argv[1])
"""


class Victim:
    """A home folder with a key, and a server on this machine."""

    def __init__(self, name):
        self.root = tempfile.mkdtemp(prefix="apertune-victim-", dir=os.environ.get("VICTIMS"))
        self.home = os.path.join(self.root, "home")
        for folder in (".ssh", ".cache/apertune/inductor", ".cache/apertune/packages", ".local/share/apertune/models", "models"):
            os.makedirs(os.path.join(self.home, folder))
        self.write(".ssh/id", "secret-key")
        self.write("victim.txt", "precious")
        self.write(".local/share/apertune/trusted", "")
        self.mark = f"apertune-attack-{name}-{os.getpid()}"
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(0.2)
        self.visits = 0
        self.closed = False
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
            file.write(text)

    def _listen(self):
        while not self.closed:
            try:
                connection, _ = self.server.accept()
                self.visits += 1
                connection.close()
            except OSError:
                pass

    def filled(self, text, supervisor):
        return (
            text.replace("HOME", self.home).replace("PORT", str(self.server.getsockname()[1])).replace("MARK", self.mark)
            .replace("SUPERVISOR", str(supervisor))
        )

    def left_running(self):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self.mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def harm(self, output, status):
        """Resources that the model reached, in words."""
        reached = []
        if os.path.exists(os.path.join(self.home, "pwned")):
            reached.append("wrote the home folder")
        with open(os.path.join(self.home, "victim.txt"), encoding="utf-8") as file:
            if file.read() != "precious":
                reached.append("overwrote a file")
        if "secret-key" in output:
            reached.append("read a key")
        if self.visits:
            reached.append("reached a server")
        if status == -9:
            reached.append("killed its supervisor")
        if os.listdir(os.path.join(self.home, ".cache/apertune/inductor")):
            reached.append("wrote the kernels of others")
        if "other.pt2" in os.listdir(os.path.join(self.home, ".cache/apertune/packages")):
            reached.append("wrote a package")
        with open(os.path.join(self.home, ".local/share/apertune/trusted"), encoding="utf-8") as file:
            if file.read().startswith("x"):
                reached.append("wrote what is trusted")
        left = self.left_running()
        if left:
            reached.append(f"left {len(left)} processes")
        for pid in left:
            os.kill(pid, 9)
        return reached

    def close(self):
        self.closed = True
        self.thread.join()
        self.server.close()
        shutil.rmtree(self.root, ignore_errors=True)


def run(build, python, victim, arguments, sandbox, fill):
    """Runs the command line; `fill` gets the number of its process before the model is read."""
    environment = dict(os.environ, HOME=victim.home, APERTUNE_PYTHON=python)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "APERTUNE_SANDBOX", "APERTUNE_SANDBOX_READ", "APERTUNE_SANDBOX_WRITE"):
        environment.pop(name, None)
    words = [os.path.join(build, "bin", "apertune"), *arguments, "--store", os.path.join(victim.root, "w.apertune")]
    if not sandbox:
        words.append("--no-sandbox")
    # The shell tells its number, waits until the model is written, and becomes the program.
    shell = subprocess.Popen(
        ["/bin/sh", "-c", 'echo $$; read go; exec "$@" </dev/null', "sh", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=victim.root,
    )
    fill(int(shell.stdout.readline()))
    started = time.monotonic()
    output, _ = shell.communicate("go\n", timeout=600)
    return shell.returncode, output, time.monotonic() - started


def attack(name, body, build, python, sandbox, further=()):
    victim = Victim(name)
    try:
        if body is None:
            file = os.path.join(victim.home, "models", "overwrites.pt")
            script = TORCHSCRIPT.replace("HOME_VICTIM", repr(os.path.join(victim.home, "victim.txt")))
            maker = os.path.join(victim.root, "maker.py")
            with open(maker, "w", encoding="utf-8") as made:
                made.write(script)
            subprocess.run([python, maker, file], check=True, stderr=subprocess.DEVNULL)
            source, fill = file, lambda _: None
            further = ["--input-shape", "x:float32:1x3x8x8", *further]
        else:
            file = os.path.join(victim.home, "models", "net.py")
            source = f"python:{file}:make"

            def fill(pid):
                victim.write("models/net.py", victim.filled(NETWORK.format(body=body), pid))

        status, output, seconds = run(build, python, victim, ["model", "import", source, *further], sandbox, fill)
        return status, victim.harm(output, status), seconds, output
    finally:
        victim.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--python", default=os.path.expanduser("~/.cache/apertune/env/current/bin/python3"))
    parser.add_argument("--only")
    options = parser.parse_args()
    cases = [("overwrites-file", None, ()), *((name, body, ()) for name, body in SOURCES.items())]
    cases += [(name, body, ("--import-timeout", "20s", "--import-memory", "2GiB")) for name, body in ENDLESS.items()]
    wrong = 0
    rows = []
    for name, body, further in cases:
        if options.only and options.only != name:
            continue
        row = {"model": name}
        for sandbox in (False, True):
            status, harm, seconds, output = attack(name, body, options.build, options.python, sandbox, further)
            key = "with" if sandbox else "without"
            row[key] = {"exit": status, "reached": harm, "seconds": round(seconds, 1)}
            if sandbox and harm or not sandbox and not harm and name not in ENDLESS:
                wrong += 1
                row[key]["output"] = output[-400:]
        print(f"{name:16} without: {', '.join(row['without']['reached']) or 'nothing'} (exit {row['without']['exit']}); "
              f"with: {', '.join(row['with']['reached']) or 'nothing'} (exit {row['with']['exit']}, {row['with']['seconds']} s)", flush=True)
        rows.append(row)
    print(json.dumps({"schema": "apertune.attacks/1", "rows": rows, "wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
