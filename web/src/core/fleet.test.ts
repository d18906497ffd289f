import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Core } from './core';
import { Fleet } from './fleet';

// Which core holds what is all that matters here: these count, and predict nothing.
function make() {
  const models: string[] = []; // one for each core that got one
  const freed: number[] = [];
  const told: string[] = []; // of missions
  let n_predictors = 0;
  const make_core = () => ({
    create_model: (bytes: Uint8Array) => (bytes[0] === 0 ? 0 : models.push(new TextDecoder().decode(bytes))),
    create_predictor: () => ++n_predictors,
    free_predictor: (predictor: number) => freed.push(predictor),
    has_room: () => true,
    text: () => 'refused',
    world: () => ({}),
    look_ahead: (predictor: number) => Float64Array.of(predictor),
    mission: (predictor: number, number: bigint) => {
      told.push(`${predictor} ${number}`);
      return { path: new Float64Array(), name: '' };
    },
  });
  const fleet = new Fleet(make_core as unknown as () => Core);
  const add = (id: number, hash: string) => fleet.add(id, hash, new TextEncoder().encode(hash));
  const predictor_of = (id: number): number | undefined => fleet.look_ahead(id, 1, 1)?.[0];
  return { fleet, models, freed, told, add, predictor_of };
}

test('robots of one model share an instance', () => {
  const { models, add } = make();
  add(1, 'a');
  add(2, 'a');
  add(3, 'b');
  assert.deepEqual(models, ['a', 'b']);
});

test('a model goes with the last robot that has it', () => {
  const { fleet, models, freed, add, predictor_of } = make();
  add(1, 'a');
  add(2, 'a');
  add(3, 'b');
  fleet.keep(new Map([[2, 'a']]));
  assert.deepEqual(freed, [1, 3]);
  assert.deepEqual([1, 2, 3].map(predictor_of), [undefined, 2, undefined]);
  add(4, 'a');
  assert.deepEqual(models, ['a', 'b'], 'the one that is used is still there');
  add(5, 'b');
  assert.deepEqual(models, ['a', 'b', 'b'], 'the other one was held on to');
});

test('a robot that gets another model leaves nothing of the old one behind', () => {
  const { fleet, models, freed, add } = make();
  add(1, 'a');
  add(1, 'b');
  assert.deepEqual(freed, [1]);
  add(2, 'a');
  assert.deepEqual(models, ['a', 'b', 'a']);
  fleet.keep(new Map([[1, 'c']])); // which is still to come
  assert.deepEqual(freed, [1, 2, 3]);
});

test('a predictor that is new to its robot is told of the mission that the robot has', () => {
  const { fleet, told, add } = make();
  add(1, 'a');
  add(2, 'a');
  fleet.mission(1, '00000000000000ff', new Uint8Array(1));
  fleet.forget(1);
  fleet.forget(2);
  add(1, 'b');
  assert.deepEqual(told, ['1 255', '3 255', '5 255']);
  fleet.keep(new Map([[2, 'a']]));
  add(1, 'b');
  assert.equal(told.length, 3, 'one that was away has another mission, or none');
});

test('a robot whose new model is refused does not go on with the one that was freed', () => {
  const { fleet, add, predictor_of } = make();
  add(1, 'a');
  assert.equal(fleet.add(1, 'b', new Uint8Array(1)), 'refused');
  assert.equal(predictor_of(1), undefined);
});
