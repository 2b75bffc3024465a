// Any agent, no commands: tell the memory what was done and what went wrong, and show the model what it says.

import { NotFoundError, open } from 'twiceshy';

const memory = await open();

// The first run finds out by itself.
const first = await memory.run('list the orders', { domain: 'shop', holdOut: 0 });
await first.observe({ action: 'api.get orders --page-size 500', error: 'TypeError: unexpected keyword argument page-size' });
await first.observe({ action: 'api.get orders --limit 500', progress: 1 });
await first.finish({ outcome: 'success' });

// The second one is told when it makes the same mistake with other words.
const second = await memory.run('list the customers', { domain: 'shop', holdOut: 0 });
const { failure, text, hints } = await second.observe({
  action: 'api.get customers --page-size 200',
  error: 'TypeError: unexpected keyword argument page-size',
});
console.log(`the same failure: ${failure.fingerprint}`);
console.log(`for the model: ${text}`);
console.log(`lessons: ${hints.map((hint) => `${hint.lesson.id}, score ${hint.score.toFixed(2)}`).join('; ')}`);
await second.observe({ action: 'api.get customers --limit 200', progress: 1 });
await second.finish({ outcome: 'success' });

const { lessons, events } = await memory.upkeep.status();
console.log(`lessons: ${lessons}, failures: ${events}`);
await memory.lessons.get('les_unknown').catch((error) => {
  if (!(error instanceof NotFoundError)) throw error;
  console.log(`as expected: ${error.message}`);
});
await memory.close();
