// Modules of the page in Node: bundled as they are, beside as much of a browser as they need.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** browser sets the globals of a page, anew for each test; what is given replaces some. */
export function browser(more = {}) {
  const stored = {}
  const storage = new Proxy(stored, {
    get: (of, name) => (name === 'getItem' ? (key) => of[key] ?? null : of[name]),
  })
  const body = { dataset: { root: '../' }, hidden: false }
  const globals = {
    document: { body, documentElement: { lang: 'en' }, addEventListener: () => {} },
    location: new URL('https://staff.example/staff/'),
    localStorage: storage,
    sessionStorage: {},
    addEventListener: () => {},
    isSecureContext: true,
    navigator: { language: 'en', languages: ['en'], locks: { request: (name, options, work) => work() } },
    ...more,
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  return globals
}

// What is generated of schema.graphql: here a document is its own name.
const documents = {
  name: 'documents',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /graphql\/graphql$/ }, () => ({ path: 'documents', namespace: 'documents' }))
    onLoad({ filter: /.*/, namespace: 'documents' }, () => ({
      contents: `export const RefreshDocument = 'mutation Refresh', SignOutDocument = 'mutation SignOut'`,
    }))
  },
}

const folder = mkdtempSync(join(tmpdir(), 'staff-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
let turn = 0

/** load returns what a module below src exports. Each call gets one of its own. */
export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    plugins: [documents],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const file = join(folder, `${turn++}.mjs`)
  writeFileSync(file, outputFiles[0].text)
  return import(file)
}
