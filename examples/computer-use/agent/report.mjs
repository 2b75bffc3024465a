// The report: what the runs of both arms came to.

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

function figures(runs) {
  return {
    errors: mean(runs.map(({ errors }) => errors)),
    steps: mean(runs.map(({ steps }) => steps)),
    success: mean(runs.map(({ success }) => Number(success))),
    violations: mean(runs.map(({ violations }) => violations)),
  };
}

// Means over seeds: of each phase, and of each run.
export function summary(runs) {
  const arms = (some) => ({ without: figures(some.filter(({ memory }) => !memory)), with: figures(some.filter(({ memory }) => memory)) });
  const by = (member) => [...new Set(runs.map((run) => run[member]))].map((value) => ({ [member]: value, ...arms(runs.filter((run) => run[member] === value)) }));
  return { seeds: new Set(runs.map(({ seed }) => seed)).size, phases: by('phase'), runs: by('run') };
}

export function table({ seeds, phases, runs }) {
  const number = (value) => value.toFixed(1).padStart(6);
  const share = (value) => `${Math.round(100 * value)} %`.padStart(6);
  const row = (name, one) => [name.padEnd(14), number(one.without.errors), number(one.with.errors), number(one.without.steps), number(one.with.steps),
    share(one.without.success), share(one.with.success)].join('  ');
  return [
    `failed steps, steps and success a run, means over ${seeds} seeds; each without and with memory`,
    `${''.padEnd(14)}  ${'errors'.padEnd(14)}  ${'steps'.padEnd(14)}  success`,
    ...phases.map((phase) => row(phase.phase, phase)),
    '',
    ...runs.map((run) => row(`run ${run.run}`, run)),
  ].join('\n');
}
