// A demo in a database file of its own, and a browser in which the owner of its shops is signed in.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve as absolute } from 'node:path'
import puppeteer from 'puppeteer-core'

const storefront = absolute(process.argv[2])
export const owner = '+989120009001'

const freePort = async () => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  listener.close()
  return port
}

// withDemo serves the demo while use runs. It is given the address, the browser, the session of the owner, and run,
// which runs a command of the service on the same database.
export async function withDemo(use) {
  const folder = mkdtempSync(join(tmpdir(), 'measure-'))
  const port = await freePort()
  const env = { ...process.env, DATABASE_URL: `sqlite://${folder}/shop.db`, LISTEN_ADDR: `127.0.0.1:${port}` }
  const server = spawn(storefront, ['serve', '--demo'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--headless=new'],
  })
  try {
    const base = `http://127.0.0.1:${port}`
    const session = await signIn(base, await passwordOf(server))
    const run = (...args) => {
      const { status, stderr } = spawnSync(storefront, args, { env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`storefront ${args[0]}: ${stderr}`)
    }
    await use({ base, browser, session, folder, run })
  } finally {
    await browser.close()
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
}

// passwordOf returns the password of the demo, once the server listens.
const passwordOf = (server) =>
  new Promise((resolve, reject) => {
    let said = ''
    const heard = (part) => {
      said += part
      if (/msg"?[:=]"?listening/.test(said)) resolve(said.match(/with the password (\w+)/)[1])
    }
    server.stdout.on('data', heard)
    server.stderr.on('data', heard)
    server.on('exit', () => reject(new Error(`the demo did not start: ${said}`)))
    server.on('error', reject)
  })

async function signIn(base, password) {
  const response = await fetch(new URL('/graphql', base), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation($input: LoginInput!) { login(input: $input) { accessToken refreshToken } }',
      variables: { input: { cellNumber: owner, password } },
    }),
  })
  return (await response.json()).data.login
}

// open returns a tab that has a language and a session, or nobody's, and is at no page yet.
export async function open({ base, browser }, language, session) {
  const tab = await browser.newPage()
  await tab.goto(`${base}/staff`)
  await tab.evaluate(
    (language, session) => {
      localStorage.setItem('storefront.staff.language', JSON.stringify(language))
      if (session) localStorage.setItem('storefront.staff.session', JSON.stringify(session))
      else localStorage.removeItem('storefront.staff.session')
    },
    language,
    session,
  )
  await tab.goto('about:blank')
  return tab
}
