import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MissionFetch } from './mission_fetch';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function make() {
  const asked: string[] = [];
  const ready: string[] = [];
  let there = true;
  const missions = new MissionFetch({
    fetch: (number) => {
      asked.push(number);
      return there ? Promise.resolve(new ArrayBuffer(1)) : Promise.reject(new Error('404'));
    },
    ready: (robot, number) => void ready.push(`${robot} ${number}`),
  });
  return { missions, asked, ready, set_there: (is: boolean) => void (there = is) };
}

test('each mission is fetched once, however many reports name it', async () => {
  const { missions, asked, ready } = make();
  for (const ms of [0, 10, 20]) missions.look(1, 'a', ms);
  missions.look(2, 'a', 20);
  await settle();
  missions.look(1, 'a', 9000);
  assert.deepEqual(asked, ['a', 'a']);
  assert.deepEqual(ready, ['1 a', '2 a']);
});

test('one that is not there yet is asked for again, but not with every report', async () => {
  const { missions, asked, ready, set_there } = make();
  set_there(false);
  missions.look(1, 'a', 0);
  await settle();
  missions.look(1, 'a', 500);
  missions.look(1, 'a', 2500);
  await settle();
  set_there(true);
  missions.look(1, 'a', 5000);
  missions.look(1, 'a', 7000);
  await settle();
  assert.deepEqual(asked, ['a', 'a', 'a']);
  assert.deepEqual(ready, ['1 a']);
});

test('a mission that was replaced meanwhile is not handed on', async () => {
  const { missions, ready } = make();
  missions.look(1, 'a', 0);
  missions.look(1, 'b', 0);
  await settle();
  assert.deepEqual(ready, ['1 b']);
});
