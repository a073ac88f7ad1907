// Every request of the page ends: after 15 s, and one that refreshes the session after 8 s.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, load } from './bundle.mjs'

const tokenOf = (sid) => `head.${btoa(JSON.stringify({ sid, sub: 'sara' }))}.sum`
const session = { accessToken: tokenOf('s'), refreshToken: 'r1' }
const answer = (of) => Response.json(of)
const over = { errors: [{ message: 'it is over', extensions: { code: 'UNAUTHENTICATED' } }] }

/** ends replaces AbortSignal.timeout by a clock of the test, and returns the requested times. */
function ends(t) {
  const asked = []
  const real = AbortSignal.timeout
  AbortSignal.timeout = (time) => {
    const controller = new AbortController()
    asked.push({ time, pass: () => controller.abort(new DOMException('too late', 'TimeoutError')) })
    return controller.signal
  }
  t.after(() => (AbortSignal.timeout = real))
  return asked
}

/** hanging is a request that is never answered. */
const hanging = (signal) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

/** settled waits until all pending promises have run. */
const settled = () => new Promise((done) => setTimeout(done, 20))

test('a request without an answer ends after 15 s', async (t) => {
  const asked = ends(t)
  browser({ fetch: (_, { signal }) => hanging(signal) })
  const { ask } = await load('api.ts')
  const asking = ask('query { x }', {})
  await settled()
  assert.deepEqual(asked.map(({ time }) => time), [15_000])
  asked[0].pass()
  await assert.rejects(asking, { code: 'OFFLINE' })
})

test('so does one whose answer comes only in part', async (t) => {
  const asked = ends(t)
  browser({ fetch: async (_, { signal }) => ({ json: () => hanging(signal) }) })
  const { ask } = await load('api.ts')
  const asking = ask('query { x }', {})
  await settled()
  asked[0].pass()
  await assert.rejects(asking, { code: 'OFFLINE' })
})

test('a refresh ends after 8 s, and holds the lock of all tabs no longer', async (t) => {
  const asked = ends(t)
  let held = 0
  const locks = {
    request: async (name, { signal }, work) => {
      assert.ok(signal)
      held++
      return work().finally(() => held--)
    },
  }
  const fetch = async (_, { body, signal }) =>
    body.includes('Refresh') ? hanging(signal) : answer(over)
  const { localStorage } = browser({ fetch, navigator: { language: 'en', languages: ['en'], locks } })
  localStorage['storefront.staff.session'] = JSON.stringify(session)
  const { ask } = await load('api.ts')
  const asking = Promise.allSettled([ask('query { x }', {}), ask('query { y }', {})])
  await settled()
  assert.equal(held, 1)
  assert.deepEqual(asked.map(({ time }) => time), [15_000, 15_000, 15_000, 8000]) // two requests, the lock, the refresh
  asked[3].pass()
  for (const { status, reason } of await asking) {
    assert.equal(status, 'rejected')
    assert.equal(reason.code, 'OFFLINE')
  }
  assert.equal(held, 0)
  assert.equal(JSON.parse(localStorage['storefront.staff.session']).refreshToken, 'r1') // nobody is signed out
})

test('a tab that waits for the lock of another one stops after 15 s', async (t) => {
  const asked = ends(t)
  const locks = { request: (name, { signal }) => hanging(signal) }
  const { localStorage } = browser({ fetch: async () => answer(over), navigator: { language: 'en', languages: ['en'], locks } })
  localStorage['storefront.staff.session'] = JSON.stringify(session)
  const { ask } = await load('api.ts')
  const asking = ask('query { x }', {})
  await settled()
  assert.equal(asked[1].time, 15_000)
  asked[1].pass()
  await assert.rejects(asking, { code: 'OFFLINE' })
})
