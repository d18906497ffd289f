// Runs the tests beside the sources: esbuild turns each *.test.ts into plain JavaScript, Node runs them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const find_tests = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return find_tests(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });

const tests = find_tests(join(web, 'src'));
const folder = mkdtempSync(join(tmpdir(), 'forerun-page-'));
try {
  const out = await build({
    entryPoints: tests,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    define: { 'process.env.FORERUN_ROOT': JSON.stringify(join(web, '..')) },
    metafile: true,
  });
  const files = Object.keys(out.metafile.outputs).map((name) => join(process.cwd(), name));
  const run = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
