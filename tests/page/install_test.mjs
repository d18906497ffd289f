// web/tools/install.mjs against a registry of our own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../web/tools/install.mjs');
let folder, archive, server, registry;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forerun-install-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/index.js'), 'export default 42;\n');
  archive = spawnSync('tar', ['-cz', '-C', folder, 'package']).stdout;
  server = http.createServer((request, response) => {
    if (request.url === '/@us/thing/-/thing-1.2.3.tgz') {
      response.writeHead(302, { location: '/elsewhere' }).end();
    } else if (request.url === '/elsewhere' || request.url === '/plain/-/plain-2.0.0.tgz') {
      response.end(archive);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${server.address().port}/`;
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const hash = () => `sha512-${createHash('sha512').update(archive).digest('base64')}`;
function install(name, packages) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  return new Promise((resolve) => {
    const env = { ...process.env, npm_config_registry: registry };
    const child = spawn(process.execPath, [script, project], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (part) => (complaint += part));
    child.on('close', (code) => resolve({ code, complaint, modules: join(project, 'node_modules') }));
  });
}

test('packages for this machine are installed, those for others are not', async () => {
  const { code, complaint, modules } = await install('good', {
    'node_modules/@us/thing': { version: '1.2.3', integrity: hash() },
    'node_modules/plain': { version: '2.0.0', integrity: hash(), os: [process.platform], cpu: [process.arch] },
    'node_modules/other': { version: '1.0.0', integrity: hash(), os: ['nowhere'] },
  });
  assert.equal(code, 0, complaint);
  for (const name of ['@us/thing', 'plain']) assert.match(readFileSync(join(modules, name, 'index.js'), 'utf8'), /42/);
  assert.ok(!existsSync(join(modules, 'other')));
  assert.ok(existsSync(join(modules, '.package-lock.json')));
});

test('what is not as the lock file says, or not there, is refused', async () => {
  const changed = await install('changed', { 'node_modules/plain': { version: '2.0.0', integrity: 'sha512-AAAA' } });
  assert.equal(changed.code, 1);
  assert.match(changed.complaint, /plain-2\.0\.0\.tgz is not what package-lock\.json names/);
  assert.ok(!existsSync(changed.modules));
  const missing = await install('missing', { 'node_modules/gone': { version: '1.0.0', integrity: hash() } });
  assert.equal(missing.code, 1);
  assert.match(missing.complaint, /gone-1\.0\.0\.tgz answers 404/);
});
