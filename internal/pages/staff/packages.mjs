// What esbuild makes of the packages that the page is built of, so that a first visit loads and runs less of them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// The names that React's own modules export, as they are in production.
process.env.NODE_ENV = 'production'
const require = createRequire(import.meta.url)

// react makes modules of React's files, which are CommonJS: without it each of two hundred modules of React Aria would
// copy all that React exports when it begins, and read what it uses through the copy.
export const react = {
  name: 'react',
  setup({ onResolve, onLoad }) {
    const shim = 'use-sync-external-store/shim/index.js' // of React's own hook, for versions that lack it
    const own = /^(react|react-dom|react-dom\/client|react\/jsx-runtime|use-sync-external-store\/.*)$/
    onResolve({ filter: own }, ({ path, kind }) =>
      kind === 'import-statement' ? { path: path === shim ? 'react' : path, namespace: 'react' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'react' }, ({ path }) => ({
      contents: `const all = require('${path}')
        export default all
        ${Object.keys(require(path))
          .map((name) => `export const ${name} = all.${name}`)
          .join('\n')}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    }))
  },
}

// ariaLocale leaves out how React Aria finds the browser's language: the page always says which one it is in. To ask
// whether the browser has a locale takes a phone 200 ms.
export const ariaLocale = {
  name: 'aria-locale',
  setup({ onLoad }) {
    onLoad({ filter: /react-aria\/.*\/i18n\/useDefaultLocale\.mjs$/ }, () => ({
      contents: `const usual = { locale: 'en-US', direction: 'ltr' }
        export const getDefaultLocale = () => usual
        export const useDefaultLocale = getDefaultLocale`,
    }))
  },
}

// ariaAnnouncer clears React Aria's announcements by replaceChildren: the page's policy forbids to set innerHTML.
export const ariaAnnouncer = {
  name: 'aria-announcer',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/private\/live-announcer\/LiveAnnouncer\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replaceAll(".innerHTML = ''", '.replaceChildren()')
      if (!contents.includes('.replaceChildren()')) throw new Error(`${path}: nothing is replaced`)
      return { contents }
    })
  },
}

// documents gives each module the documents of GraphQL that it uses, as text: the generated module has those of all
// screens.
export const documents = {
  name: 'documents',
  setup({ onResolve, onLoad }) {
    const generated = new URL('src/graphql/graphql.ts', import.meta.url)
    const texts = new Map(
      [...readFileSync(generated, 'utf8').matchAll(/^export const (\w+) = new TypedDocumentString\(`([^`]*)`/gm)].map(
        ([, name, text]) => [name, text.replace(/\s+/g, ' ').trim()],
      ),
    )
    // The path is in the hash of a part, and so must not depend on the folder of the checkout.
    onResolve({ filter: /\/graphql\/graphql$/ }, ({ importer }) => ({
      path: relative(fileURLToPath(new URL('.', import.meta.url)), importer),
      namespace: 'documents',
    }))
    onLoad({ filter: /.*/, namespace: 'documents' }, ({ path }) => {
      const used = new Set(readFileSync(new URL(path, import.meta.url), 'utf8').match(/\b\w+Document\b/g))
      return {
        contents: [...used]
          .filter((name) => texts.has(name))
          .map((name) => `export const ${name} = ${JSON.stringify(texts.get(name))}`)
          .join('\n'),
      }
    })
  },
}
