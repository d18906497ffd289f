// End-to-end tests: node run.mjs PROGRAM FOLDER runs the program, opens its page in Chromium, uses it as people do, and
// leaves pictures of what was seen in FOLDER.
import { resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { configure, finish } from './harness.mjs';

const [program, pictures] = process.argv.slice(2);
if (program === undefined || pictures === undefined) {
  console.error('usage: node run.mjs PROGRAM FOLDER');
  process.exit(2);
}
configure(resolve(program), resolve(pictures));
const themes = process.env.FORERUN_E2E?.split(',') ?? ['driving', 'hand', 'guard', 'camera', 'layout', 'mission', 'trouble', 'link', 'seen'];
for (const theme of themes) await import(`./${theme}.test.mjs`);
// the last of all: hooks of the whole run come first in Node 18
test('puts everything away', finish);
