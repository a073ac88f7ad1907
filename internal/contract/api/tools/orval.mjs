// node orval.mjs URL FOLDER DOMAIN CELL PASSWORD has orval make a client of URL/openapi.json in a folder, holds it and
// shop.ts, which uses it, against the strict rules of TypeScript's compiler, and runs shop.ts. It prints what that saw.
import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , url, folder, domain, cell, password] = process.argv
const run = (program, ...args) =>
  execFileSync(process.execPath, [`node_modules/${program}`, ...args], { stdio: ['ignore', 2, 2] })

const config = join(folder, 'orval.config.mjs')
const output = { target: join(folder, 'client.ts'), client: 'fetch', baseUrl: `${url}/api/v1` }
writeFileSync(config, `export default ${JSON.stringify({ shop: { input: `${url}/openapi.json`, output } })}`)
run('orval/dist/bin/orval.js', '--config', config)

const shop = join(folder, 'shop.ts')
copyFileSync('shop.ts', shop)
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
const modern = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable']
run('typescript/bin/tsc', '--strict', '--skipLibCheck', ...modern, shop)

const { visit } = await import(pathToFileURL(join(folder, 'shop.js')))
console.log(JSON.stringify(await visit(domain, cell, password)))
