// Puts the packages of package-lock.json into node_modules, each checked against its hash: what `npm ci --ignore-scripts`
// does for a flat list like ours. Debian's npm consists of 360 packages, which a newcomer need not install for that.
//   node tools/install.mjs [FOLDER]      the registry: $npm_config_registry, or npm's own
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..');
const registry = (process.env.npm_config_registry ?? 'https://registry.npmjs.org').replace(/\/+$/, '');
const kAtOnce = 8;
const kTries = 3;
const kMostRedirects = 5;
const kSilence_ms = 30_000;

const fits = ({ os, cpu, libc }) =>
  (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && (!libc || libc.includes('glibc'));

function fetch_once(url, redirects = 0) {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).get(url, (response) => {
      const { statusCode, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location && redirects < kMostRedirects) {
        response.resume();
        resolve(fetch_once(new URL(headers.location, url).href, redirects + 1));
        return;
      }
      if (statusCode !== 200) reject(new Error(`${url} answers ${statusCode}`));
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
      response.on('error', reject);
    });
    request.setTimeout(kSilence_ms, () => request.destroy(new Error(`${url} does not answer`)));
    request.on('error', reject);
  });
}

async function fetch_checked(url, integrity) {
  for (let tried = 1; ; ++tried) {
    try {
      const bytes = await fetch_once(url);
      const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      if (hash !== integrity) throw new Error(`${url} is not what package-lock.json names`);
      return bytes;
    } catch (error) {
      if (tried === kTries) throw error;
    }
  }
}

function unpack(bytes, into) {
  mkdirSync(into, { recursive: true });
  return new Promise((resolve, reject) => {
    const tar = spawn('tar', ['-xz', '--strip-components=1', '--no-same-owner', '-C', into], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    tar.on('error', reject);
    tar.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${into} cannot be unpacked`))));
    tar.stdin.on('error', () => {}); // tar's exit code says it
    tar.stdin.end(bytes);
  });
}

async function install(path, { version, integrity }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const url = `${registry}/${name}/-/${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`;
  await unpack(await fetch_checked(url, integrity), join(folder, path.replace('node_modules', 'node_modules.new')));
}

const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
const wanted = Object.entries(lock.packages).filter(([path, about]) => path !== '' && fits(about));
rmSync(join(folder, 'node_modules.new'), { recursive: true, force: true });
try {
  const next = async () => {
    for (let one = wanted.pop(); one; one = wanted.pop()) await install(...one);
  };
  await Promise.all(Array.from({ length: kAtOnce }, next));
  writeFileSync(join(folder, 'node_modules.new', '.package-lock.json'), JSON.stringify(lock));
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  renameSync(join(folder, 'node_modules.new'), join(folder, 'node_modules'));
} catch (error) {
  console.error(`the page's packages cannot be installed: ${error.message}`);
  process.exitCode = 1;
}
