// The run: one agent, one task, one page. Every step goes through the adapter; with a memory, it is also remembered.

import { Agent } from './agent.mjs';
import { Hands } from './hands.mjs';
import { Screen } from './screen.mjs';
import { GUARDS } from './tasks.mjs';

const MOST_STEPS = 60;
const DOMAIN = 'computer-use';

export class Run {
  #service;
  #remembers;
  #task;
  #id;
  #holdOut;
  // What an adapter is given as the recent past, where no memory has it.
  #recent = [];

  // `service` is a twiceshy process; without `remembers` only its adapter is asked, and nothing is kept. The id is what
  // the lot of each lesson is drawn from, to be withheld or not; the share of lots is the memory's own if it is not given.
  constructor(service, remembers, task, id, holdOut) {
    this.#service = service;
    this.#remembers = remembers;
    this.#task = task;
    this.#id = id;
    this.#holdOut = holdOut;
  }

  async perform(browser, address, chance) {
    const agent = new Agent(this.#task.targets, chance);
    const briefing = await this.#start();
    agent.hear(briefing);
    await browser.open(address);
    const trace = briefing.map(({ lesson }) => `BRIEFED ${lesson['rule-text']}`);
    const told = { steps: 0, errors: 0, success: false, violations: 0, shown: briefing.length, withheld: 0, trace };
    let before = await Screen.read(browser);
    for (let move = agent.next(before); move && told.steps < MOST_STEPS; move = agent.next(before)) {
      const done = await new Hands(browser, before).do(move.action);
      const after = await Screen.read(browser);
      const { feedback, hints } = await this.#observe(move, before, { ...after.observation(), ...done });
      const failed = isFailed(feedback);
      agent.see({ failed, hints, before, after });
      note(told, feedback, failed);
      trace.push(...hints.map(({ lesson }) => `HINT ${lesson['rule-text']}`));
      before = after;
    }
    const { feedback } = await this.#observe({ action: { kind: 'done' }, now: [] }, before, before.observation());
    note(told, feedback, isFailed(feedback));
    const met = this.#task.targets.filter(({ want }) => before.holds(want)).length;
    told.success = met === this.#task.targets.length && told.violations === 0;
    await this.#finish(told, told.violations === 0 ? met / this.#task.targets.length : 0);
    const withheld = await this.#withheld();
    told.withheld = withheld.length;
    trace.push(...withheld.map((text) => `WITHHELD ${text}`));
    return told;
  }

  async #start() {
    if (!this.#remembers) return [];
    const run = { id: this.#id, task: this.#task.text, domain: DOMAIN, tags: [], 'hold-out': this.#holdOut };
    await this.#service.call('runs.start', { run });
    const briefing = await this.#service.call('runs.brief', { run: this.#id, request: { limit: 16 } });
    return briefing.hints;
  }

  async #observe({ action, now }, before, observation) {
    const expectations = JSON.stringify({ targets: this.#task.targets.map(({ want }) => want), now, guards: GUARDS });
    const step = { before: JSON.stringify(before.observation()), action: JSON.stringify(action), observation: JSON.stringify(observation) };
    if (this.#remembers) {
      const { feedback, reaction } = await this.#service.call('adapters.observe', { adapter: DOMAIN, run: this.#id, expectations, step });
      return { feedback, hints: reaction.hints };
    }
    const goal = { task: this.#task.text, domain: DOMAIN, expectations };
    const feedback = await this.#service.call('adapters.assess', { adapter: DOMAIN, goal, recent: this.#recent, step });
    this.#recent = [...this.#recent, { step, feedback }].slice(-16);
    return { feedback, hints: [] };
  }

  async #finish({ success }, score) {
    if (!this.#remembers) return;
    await this.#service.call('runs.finish', { run: this.#id, ending: { outcome: success ? 'success' : 'failure', score } });
  }

  // The lessons that the memory kept to itself in this run, to see how it goes without them.
  async #withheld() {
    if (!this.#remembers) return [];
    const activations = await this.#service.call('lessons.activations', { filter: { run: this.#id } });
    const lessons = activations.filter(({ withheld }) => withheld).map(({ lesson }) => this.#service.call('lessons.get', { lesson }));
    return (await Promise.all(lessons)).map((lesson) => lesson['rule-text']);
  }
}

// As the memory sees it: outright, by a condition, or by a step back.
function isFailed(feedback) {
  const progress = feedback['progress-signal'];
  return Boolean(feedback['hard-failure']) || feedback['constraint-failure'].length > 0 || (progress !== null && progress !== undefined && progress <= 0);
}

function note(told, feedback, failed) {
  const hard = feedback['hard-failure'];
  const why = hard?.evidence ?? feedback['constraint-failure'].map(({ condition, evidence }) => `${condition}: ${evidence}`).join('; ');
  told.steps += 1;
  told.errors += Number(failed);
  told.violations += Number(hard?.reason === 'guard');
  told.trace.push(failed ? `FAILED ${feedback['action-text']} (${why})` : feedback['action-text']);
}
