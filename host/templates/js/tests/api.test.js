// What requests say on the four channels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '../src/api.js';
import { component, payload } from '../src/twiceshy-adapter.js';

const goal = {
  task: 'fetch the orders',
  domain: api.domain,
  expectations: JSON.stringify({ members: ['items'], items: 40, requests: 4 }),
};

const assess = (step, recent = []) => component(api).assess(goal, recent, step);

const get = (observation, before) => ({
  before: before ? JSON.stringify(before) : '',
  action: JSON.stringify({ method: 'GET', path: '/orders?page=2' }),
  observation: JSON.stringify(observation),
});

test('a page of items is progress', () => {
  const answer = { status: 200, body: { items: [] }, items: 20, requests: 2 };
  const feedback = assess(get(answer, { items: 10, requests: 1 }));
  assert.equal(feedback.actionText, 'GET /orders?page=2');
  assert.equal(feedback.progressSignal, 0.25);
  assert.equal(feedback.efficiencySignal, 1);
  assert.deepEqual(feedback.constraintFailure, []);
});

test('a status of an error fails in the words of the API', () => {
  const { hardFailure } = assess(get({ status: 422, body: { error: 'page must be a number' } }));
  assert.deepEqual(hardFailure, { reason: 'status 422', evidence: 'page must be a number' });
});

test('no answer fails too', () => {
  const { hardFailure } = assess(get({ error: 'connection refused' }));
  assert.deepEqual(hardFailure, { reason: 'no answer', evidence: 'connection refused' });
});

test('a member that is missing is named with what is there', () => {
  const { constraintFailure } = assess(get({ status: 200, body: { data: [] } }));
  assert.deepEqual(constraintFailure, [{ condition: 'the answer has the member items', evidence: 'it has data' }]);
});

test('what was answered is not fetched again', () => {
  const step = get({ status: 200, body: { items: [] } });
  const again = assess(step, [{ step, feedback: assess(step) }]);
  assert.equal(again.constraintFailure[0].condition, 'nothing is fetched twice');
});

test('what does not fit is refused by its name', () => {
  for (const [observation, cause] of [[{ status: 42 }, 'observation.status'], [{ statsu: 200 }, 'statsu'], [200, 'observation']]) {
    assert.throws(() => assess(get(observation)), ({ tag, val }) => tag === 'invalid-input' && val.includes(cause));
  }
});

test('a mistake leaves its words', () => {
  const words = [];
  const mistaken = { ...api, assess: () => undefined.member };
  const { assess } = component(mistaken, (text) => words.push(text));
  assert.throws(() => assess(goal, [], get({ status: 200 })), TypeError);
  assert.match(words[0], /TypeError: .*member/);
});

test('a member of two types may have either', () => {
  const schema = { type: 'object', properties: { note: { type: ['string', 'null'] } } };
  for (const note of ['text', null]) payload('action', schema, JSON.stringify({ note }));
  assert.throws(() => payload('action', schema, '{"note": 7}'), /string or null/);
});
