"""The memory of a project and one of the process: where it is, whose it is, and what may call it."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import shutil
import threading
from pathlib import Path

import pytest

import twiceshy
from twiceshy.contract import Feedback, LessonCandidate, NewRun, Observed, PatternContent, Step, StrategyContent


SEEN = {"exit": 0, "stdout": "", "stderr": "", "duration-ms": 1}


def observed(text: str) -> Observed:
    return Observed(step=Step(action={"text": text}), feedback=Feedback(action_text=text))


def test_nothing_is_made_before_the_first_write(project: Path) -> None:
    memory = twiceshy.open()
    assert memory.upkeep.status().events == 0
    assert memory.directory == project / ".twiceshy"
    assert not memory.directory.exists()
    memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
    assert (memory.directory / "memory.db").exists()


def test_the_memory_is_found_as_the_program_finds_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".git").mkdir()
    below = project / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert twiceshy.open().directory == project / ".twiceshy"
    assert twiceshy.open(start=project / "src").directory == project / ".twiceshy"
    assert twiceshy.open(project / "elsewhere").directory == project / "elsewhere"


def test_what_one_handle_wrote_another_reads(project: Path) -> None:
    with twiceshy.open() as memory, memory.run("a task") as run:
        run.worked("something")
    again = twiceshy.open()
    assert again.upkeep.status().episodes == 1
    assert again.episodes.get(run.id).task == "a task"


def test_a_memory_that_came_with_a_clone_is_refused(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with twiceshy.open() as memory:
        memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: do as I say"))
    clone = project.parent / "clone"
    shutil.copytree(project, clone)
    with pytest.raises(twiceshy.DeniedError, match="twiceshy trust"):
        twiceshy.open(start=clone).lessons.find()
    monkeypatch.setenv("TWICESHY_TRUST", "1")
    assert len(twiceshy.open(start=clone).lessons.find()) == 1


def test_switched_off_everything_works_and_nothing_is_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_OFF", "1")
    memory = twiceshy.open()
    assert memory.switched_off
    with memory.run("a task") as run:
        assert not run.failed("x", "error: no such gadget").hints
    assert not (project / ".twiceshy").exists()


def test_a_setting_that_does_not_fit_is_refused_with_its_file(project: Path) -> None:
    (project / ".twiceshy").mkdir()
    (project / ".twiceshy" / "config.toml").write_text("hints = 99\n")
    with pytest.raises(twiceshy.InvalidArgumentError, match="config.toml"):
        twiceshy.open()


def test_secrets_are_masked(memory: twiceshy.Memory) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    with memory.run("deploy") as run:
        run.failed(f"push --token {secret}", f"error: bad token {secret}")
    trace = memory.episodes.trace(run.id, 0)
    assert secret not in repr(trace) and "bad token" in repr(trace)


def test_a_closed_memory_refuses_calls(memory: twiceshy.Memory) -> None:
    memory.close()
    with pytest.raises(twiceshy.ConflictError, match="closed"):
        memory.upkeep.status()


def test_each_case_of_an_error_is_a_class_of_its_own(memory: twiceshy.Memory) -> None:
    with pytest.raises(twiceshy.NotFoundError) as caught:
        memory.runs.get("nowhere")
    assert caught.value.kind == "not-found" and "`nowhere`" in str(caught.value)
    with pytest.raises(twiceshy.InvalidArgumentError):
        memory.runs.start(NewRun(task="", domain="NOT A DOMAIN"))
    memory.runs.start(NewRun(id="taken", task="", domain="cli"))
    with pytest.raises(twiceshy.ConflictError):
        memory.runs.start(NewRun(id="taken", task="", domain="cli"))
    with pytest.raises(twiceshy.UnavailableError):
        memory.experience.re_embed(1)
    kinds = twiceshy.errors.BY_KIND
    assert len(set(kinds.values())) == len(kinds) == 8
    assert all(issubclass(one, twiceshy.TwiceshyError) for one in kinds.values())


def test_bytes_variants_and_odd_texts_cross_unharmed(project: Path) -> None:
    memory = twiceshy.open()
    content = bytes(range(256))
    kept = memory.episodes.keep_artifact("all.bin", "application/octet-stream", content)
    assert memory.episodes.artifact_content(kept.hash) == content
    assert PatternContent  # A union of its payloads; which one it is, its class says.
    assert StrategyContent.CASE == "strategy"
    lesson = memory.lessons.propose(LessonCandidate(rule_text="WRONG: naïve „quotes“ \\ 日本 → CORRECT: 100 % ☃"))
    assert lesson.rule_text.endswith("100 % ☃")
    # As Python keeps a file name that is no text.
    memory.events.fingerprint_of("cat: caf\udce9: No such file or directory")


def test_threads_run_while_a_call_waits(memory: twiceshy.Memory) -> None:
    run = memory.runs.start(NewRun(task="", domain="cli"))

    def work() -> None:
        for _ in range(10):
            memory.runs.observe(run.id, observed("x"))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.runs.get(run.id).steps == 80


def test_a_forked_process_opens_the_memory_anew(project: Path) -> None:
    memory = twiceshy.open()
    run = memory.runs.start(NewRun(task="", domain="cli"))

    def work() -> None:
        for _ in range(5):
            memory.runs.observe(run.id, observed("x"))
        memory.adapters.observe(run.id, Step(action={"command": ["true"]}, observation=SEEN))

    context = multiprocessing.get_context("fork")
    children = [context.Process(target=work) for _ in range(3)]
    for child in children:
        child.start()
    work()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0]
    assert memory.runs.get(run.id).steps == 24
    assert memory.upkeep.verify() == ()


def test_asyncio_awaits_and_the_loop_goes_on(memory: twiceshy.Memory) -> None:
    async def main() -> int:
        async with memory.aio.run("a task") as run:
            await asyncio.gather(*(run.worked(f"step {number}") for number in range(8)))
            await run.command(["true"])
        episode = await memory.aio.episodes.get(run.id)
        return episode.steps

    assert asyncio.run(main()) == 9


def test_a_cancelled_task_ends_its_run(memory: twiceshy.Memory) -> None:
    async def work() -> None:
        async with memory.aio.run("a task") as run:
            await run.worked("something")
            await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(work())
        while not memory.runs.open(1) or memory.runs.open(1)[0].steps == 0:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert [one.outcome for one in memory.episodes.find()] == ["abandoned"]


def test_the_clock_and_the_log_may_be_pythons(caplog: pytest.LogCaptureFixture) -> None:
    memory = twiceshy.in_memory(clock=lambda: 1_704_110_400_000)
    lesson = memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
    assert lesson.created_at == 1_704_110_400_000

    def broken() -> int:
        raise ValueError("no time")

    with caplog.at_level(logging.WARNING, "twiceshy"):
        twiceshy.in_memory(clock=broken).lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
    assert "the clock failed: ValueError: no time" in caplog.text
