// An agent that makes a mistake once: run it twice, and see what the second run is told.
//
//   npm install twiceshy && npx tsc agent.ts --module nodenext --target es2022 && node agent.js

import { spawnSync } from 'node:child_process';

import { open, type Memory, type Reaction } from 'twiceshy';

/** Runs a command, and tells the memory what came of it. */
async function attempt(memory: Memory, task: string, commands: string[][]): Promise<Reaction[]> {
  return memory.run(task, { holdOut: 0 }, async (run) => {
    const briefing = await run.brief();
    for (const hint of briefing.hints) console.log(`before: ${hint.text}`);
    const reactions: Reaction[] = [];
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), { encoding: 'utf8' });
      const reaction = await run.command({ command, exit: status ?? 127, stdout, stderr });
      console.log(`${command.join(' ')}: ${reaction.failure ? `failed (${reaction.failure.reason})` : 'worked'}`);
      for (const hint of reaction.hints) console.log(`  hint: ${hint.text} [${hint.lesson.id}]`);
      reactions.push(reaction);
    }
    return reactions;
  });
}

const memory = await open({ directory: process.argv[2] ?? '.memory' });
try {
  const [first] = await attempt(memory, 'sort the numbers', [
    ['sort', '--numerical', '/etc/hostname'],
    ['sort', '--numeric-sort', '/etc/hostname'],
  ]);
  const lessons = await memory.lessons.find({ fingerprint: first.failure?.fingerprint });
  console.log(`known by now: ${lessons.map((lesson) => lesson.ruleText).join('; ')}`);
} finally {
  await memory.close();
}
