// Builds the page into dist/: one script, one worker, one stylesheet, all addressed relative to the page.
import { defineConfig } from 'vite';

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
      '/ws': { target: 'ws://127.0.0.1:8080', ws: true },
      '/model': 'http://127.0.0.1:8080',
      '/core.wasm': 'http://127.0.0.1:8080',
    },
  },
});
