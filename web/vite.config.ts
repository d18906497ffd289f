// Builds the page into dist/: one script, two workers, one stylesheet, all addressed relative to the page.
import process from 'node:process';
import { defineConfig } from 'vite';

// where the program serves its own page, for `npx vite`
const program = `127.0.0.1:${process.env.FORERUN_PORT ?? 8080}`;

export default defineConfig({
  base: './',
  build: {
    target: 'es2021',
    // three.js is most of it; the limit of the whole page is 1 MB compressed
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/ws': { target: `ws://${program}`, ws: true },
      '/model': `http://${program}`,
      '/core.wasm': `http://${program}`,
    },
  },
});
