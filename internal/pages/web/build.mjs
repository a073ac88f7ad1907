// Writes ../built: the playground's script, style and notices, each by gzip. What is already there with the same
// content stays as it is, so that another version of zlib makes no difference.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { writeBuilt } from './built.mjs';
import { notices } from './notices.mjs';

// The fonts in GraphiQL's style sheet would be three quarters of it, and have no Persian letters: the page uses the
// system's.
const withoutFonts = {
  name: 'without-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /graphiql.*\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/@font-face\s*{[^}]*}/g, ''),
      loader: 'css',
    }));
  },
};

const { outputFiles, metafile } = await build({
  entryPoints: { playground: 'main.jsx', style: 'style.css' },
  outdir: 'built',
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  target: ['es2022'],
  plugins: [withoutFonts],
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none', // the notices below hold every licence whole
  metafile: true,
  write: false,
  logLevel: 'warning',
});

const files = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1).replace('style.css', 'playground.css'), contents]));
files.delete('style.js');
files.set('notices.txt', Buffer.from(notices(metafile, 'The playground')));

writeBuilt(new URL('../built/', import.meta.url), files);
