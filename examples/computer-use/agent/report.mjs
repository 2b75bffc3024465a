// The report: what the runs of both arms came to.

import { Chance } from './chance.mjs';

const RESAMPLES = 2000;
const FIGURES = ['errors', 'steps', 'success', 'violations'];

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

// The 95 % interval of the mean of what each seed came to, by bootstrap over seeds.
function interval(values) {
  const chance = new Chance('bootstrap');
  const draw = (resample) => mean(values.map((_, at) => values[Math.floor(chance.share(`${resample} ${at}`) * values.length)]));
  const means = Array.from({ length: RESAMPLES }, (_, resample) => draw(resample)).sort((one, other) => one - other);
  return [means[Math.floor(RESAMPLES * 0.025)], means[Math.ceil(RESAMPLES * 0.975) - 1]];
}

function figures(runs) {
  const seeds = [...new Set(runs.map(({ seed }) => seed))];
  const each = (figure) => seeds.map((seed) => mean(runs.filter((run) => run.seed === seed).map((run) => Number(run[figure]))));
  const of = (how) => Object.fromEntries(FIGURES.map((figure) => [figure, how(each(figure))]));
  return { ...of(mean), intervals: of(interval) };
}

// Means over seeds: of each phase, and of each run.
export function summary(runs) {
  const arms = (some) => ({ without: figures(some.filter(({ memory }) => !memory)), with: figures(some.filter(({ memory }) => memory)) });
  const by = (member) => [...new Set(runs.map((run) => run[member]))].map((value) => ({ [member]: value, ...arms(runs.filter((run) => run[member] === value)) }));
  return { seeds: new Set(runs.map(({ seed }) => seed)).size, phases: by('phase'), runs: by('run') };
}

export function table({ seeds, phases, runs }) {
  const number = (value) => value.toFixed(1);
  const share = (value) => `${Math.round(100 * value)}`;
  const cell = (figures, member, told, unit = '') => {
    const [least, most] = figures.intervals[member].map(told);
    return `${told(figures[member])}${unit} (${least}–${most})`.padEnd(17);
  };
  const arm = (name, told, figures) => [name.padEnd(14), told.padEnd(8), cell(figures, 'errors', number), cell(figures, 'steps', number), cell(figures, 'success', share, ' %')].join('  ').trimEnd();
  const rows = (name, one) => [arm(name, 'without', one.without), arm('', 'with', one.with)];
  return [
    `a run without memory and with it: means over ${seeds} seeds, with 95 % intervals`,
    ['', 'memory', 'failed steps', 'steps', 'success'].map((title, at) => title.padEnd([14, 8, 17, 17, 0][at])).join('  '),
    ...phases.flatMap((phase) => rows(phase.phase, phase)),
    '',
    ...runs.flatMap((run) => rows(`run ${run.run}`, run)),
  ].join('\n');
}
