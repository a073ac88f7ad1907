// Writes built: the page's scripts, style and notices, each by gzip. What is already there with the same content stays as it
// is, so that another version of zlib makes no difference.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { notices } from '../web/notices.mjs'
import { writeBuilt } from '../web/built.mjs'
import { ariaWords } from './aria.mjs'

const { outputFiles, metafile } = await build({
  entryPoints: { staff: 'src/main.tsx', style: 'src/style.css' },
  outdir: 'built',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  target: ['es2022'],
  plugins: [ariaWords],
  chunkNames: 'part-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none', // the notices below hold every licence whole
  metafile: true,
  write: false,
  logLevel: 'warning',
})

const files = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1).replace('style.css', 'staff.css'), contents]))
files.delete('style.js')
files.set('notices.txt', Buffer.from(notices(metafile, 'The page of staff')))
writeBuilt(new URL('built/', import.meta.url), files)

// What a first visit loads: the script, and the parts that it names from the start.
const first = new Set()
const visit = (path) => {
  if (first.has(path)) return
  first.add(path)
  for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') visit(next)
}
visit('built/staff.js')
const size = (path) => readFileSync(new URL(`built/${path.split('/').at(-1)}.gz`, import.meta.url)).length
console.log(`first load: ${[...first].reduce((sum, path) => sum + size(path), 0)} bytes by gzip`)
