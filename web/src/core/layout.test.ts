// The numbers of core.wasm stand where the C header says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as layouts_of_page from './layout';

function read_enumerators(): Map<string, number> {
  const found = new Map<string, number>();
  const header = readFileSync(`${process.env.FORERUN_ROOT}/forerun/wasm/core_api.h`, 'utf8').replace(/\/\/.*$/gm, '');
  for (const [, body] of header.matchAll(/enum\s*\{([^}]*)\}/g)) {
    let next = 0;
    for (const entry of body!
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean)) {
      const [name, value] = entry.split('=').map((text) => text.trim());
      if (value !== undefined) {
        next = value.split('+').reduce((sum, term) => sum + (found.get(term.trim()) ?? Number(term)), 0);
      }
      found.set(name!, next++);
    }
  }
  return found;
}

test('every layout is that of the header', () => {
  const header = read_enumerators();
  const { kApiVersion, kStatus, ...layouts } = layouts_of_page;
  assert.equal(header.get('FORERUN_API_VERSION'), kApiVersion);
  for (const [ours_name, layout] of Object.entries(layouts)) {
    const prefix = ours_name.slice(1).toUpperCase();
    const names = [...header.keys()].filter((name) => name.startsWith(`FORERUN_${prefix}_`));
    const ours = Object.entries(layout).map(([name, value]) => [`FORERUN_${prefix}_${name.toUpperCase()}`, value]);
    assert.deepEqual(Object.fromEntries(ours), Object.fromEntries(names.map((name) => [name, header.get(name)])));
  }
  for (const [name, value] of Object.entries(kStatus)) assert.equal(header.get(`FORERUN_${name.toUpperCase()}`), value);
});
