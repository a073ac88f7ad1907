// Writes ../built: the playground's script, style and notices, each by gzip. What is already there with the same content
// stays as it is, so that another version of zlib makes no difference.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { notices } from './notices.mjs';

const built = new URL('../built/', import.meta.url);

// The fonts in GraphiQL's style sheet would be three quarters of it, and have no Persian letters: the page uses the system's.
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
files.set('notices.txt', Buffer.from(notices(metafile)));

mkdirSync(built, { recursive: true });
for (const name of readdirSync(built)) {
  if (!files.has(name.replace(/\.gz$/, ''))) {
    rmSync(new URL(name, built));
  }
}
for (const [name, contents] of files) {
  const file = new URL(`${name}.gz`, built);
  if (!sameContent(file, contents)) {
    writeFileSync(file, gzipSync(contents, { level: 9 }));
  }
  console.log(`${name}: ${contents.length} bytes, ${readFileSync(file).length} by gzip`);
}

function sameContent(file, contents) {
  try {
    return gunzipSync(readFileSync(file)).equals(contents);
  } catch {
    return false; // it is missing or broken
  }
}
