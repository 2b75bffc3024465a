"""An agent with a memory, in a page: it tries commands, each is judged in the sandbox and observed by the memory. What one
agent learned by trial and error, the next one is told when the same thing fails.

    pip install twiceshy && python agent_loop.py
"""

import twiceshy


def attempt(run: twiceshy.Run, *command: str) -> twiceshy.CommandResult:
    """Runs a command and says what the memory makes of it."""
    result = run.command(command)
    failure = result.reaction.failure
    print(f"{' '.join(command)}: {'worked' if failure is None else f'failed: {failure.template}'}")
    return result


def agent(memory: twiceshy.Memory, directory: str) -> str:
    """An agent that does not know the tool, and finds its way. Gives what it was told."""
    # Nothing is withheld, so that the story is the same each time.
    with memory.run("list the files", hold_out=0.0) as run:
        told = attempt(run, "ls", "-l", "--no-such-flag", directory).reaction
        # A real agent would give `told.text` to its model; this one does as the first hint says.
        if told.hints:
            print(f"hint: {told.hints[0].text} (score {told.hints[0].score:.2f})")
        attempt(run, "ls", "-l", directory)
    return told.text


def main() -> None:
    # `twiceshy.open()` instead shares the memory of the program in this directory.
    memory = twiceshy.in_memory()

    # Any function can be a step, too: an exception is a failure, and what is known about it is a note of the exception.
    @memory.watch
    def convert(text: str, base: int = 10) -> int:
        return int(text, base)

    assert agent(memory, ".") == "", "nothing is known yet"
    assert "CORRECT: ls -l /" in agent(memory, "/"), "the second agent is told"

    for text in ("0x1f", "0x2f"):
        with memory.run("read numbers", "python", hold_out=0.0):
            try:
                convert(text)
            except ValueError as error:
                print(f"convert: {error}", *getattr(error, "__notes__", []), sep="\n")
                convert(text, base=16)
    print(f"{len(memory.lessons.find())} lessons, {memory.upkeep.status().episodes} episodes")


if __name__ == "__main__":
    main()
