// Writes built: the page's scripts, style and notices, each by gzip. What is already there with the same content
// stays as it is, so that another version of zlib makes no difference.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { notices } from '../web/notices.mjs'
import { writeBuilt } from '../web/built.mjs'
import { ariaWords } from './aria.mjs'
import { ariaAnnouncer, ariaLocale, documents, react } from './packages.mjs'

// Imported as a whole, all of React Aria would be in the first load.
const byPath = {
  name: 'by-path',
  setup({ onResolve }) {
    onResolve({ filter: /^react-aria-components$/ }, () => ({
      errors: [{ text: 'import each component by its own path, as in react-aria-components/Button' }],
    }))
  },
}

const here = fileURLToPath(new URL('.', import.meta.url))

// What is loaded later imports the whole page first, which is there by then, and most screens what lists need. esbuild makes a
// part of the modules that the same entry points need: so what a first visit needs is in few parts, and not in one for each
// combination of screens.
const ofLists = ['list', 'walk', 'sheets', 'bits']
const isScreenWithList = (path) => /^src\/screens\/(?!today|account)/.test(path)
const afterPage = {
  name: 'after-page',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, importer, namespace }) => {
      if (kind !== 'dynamic-import' || namespace === 'later') return undefined
      const found = await resolve(path, { kind: 'import-statement', resolveDir, importer })
      return { path: relative(here, found.path), namespace: 'later' }
    })
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => {
      const hasDefault = /^export default /m.test(readFileSync(new URL(path, import.meta.url), 'utf8'))
      return {
        contents: `import './src/app'
          ${isScreenWithList(path) ? ofLists.map((name) => `import './src/ui/${name}'`).join('\n') : ''}
          export * from './${path}'
          ${hasDefault ? `export { default } from './${path}'` : ''}`,
        resolveDir: here,
      }
    })
  },
}

const { outputFiles, metafile } = await build({
  entryPoints: { start: 'src/start.ts', staff: 'src/main.tsx', style: 'src/style.css' },
  outdir: 'built',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  target: ['es2022'],
  plugins: [ariaWords, ariaLocale, ariaAnnouncer, react, documents, byPath, afterPage],
  chunkNames: 'part-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none', // the notices below hold every licence whole
  metafile: true,
  write: false,
  logLevel: 'warning',
})

// What a first visit loads: the scripts, and the parts that they name from the start. The document names those too,
// so that they are asked for at once, and those of what starts first come first.
const closure = (path, found = new Set()) => {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') closure(next, found)
  return found
}
const first = closure('built/staff.js', closure('built/start.js'))
const nameOf = (path) => path.split('/').at(-1)

const files = new Map(
  outputFiles.map(({ path, contents }) => [
    nameOf(path).replace('style.css', 'staff.css'),
    contents.length > 0 ? contents : Buffer.from('\n'), // a part of which nothing is left
  ]),
)
files.delete('style.js')
files.set('first.txt', Buffer.from([...first].map(nameOf).join('\n')))
// What each screen loads beside that.
const parts = {}
for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
  const [, screen] = entryPoint?.match(/^later:src\/screens\/(\w+)\.tsx$/) ?? []
  if (screen) parts[screen] = [...closure(path)].filter((part) => !first.has(part)).map(nameOf)
}
files.set('parts.json', Buffer.from(JSON.stringify(parts)))
files.set('notices.txt', Buffer.from(notices(metafile, 'The page of staff')))
writeBuilt(new URL('built/', import.meta.url), files)

const size = (path) => readFileSync(new URL(`built/${nameOf(path)}.gz`, import.meta.url)).length
console.log(`first load: ${[...first].reduce((sum, path) => sum + size(path), 0)} bytes by gzip`)
