// The versions of texts that staff edit together come back with the text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, load } from './bundle.mjs'

test('a text that is saved as it was before has that version', async () => {
  browser()
  const { remember, lastSaved, forget } = await load('query.ts')
  remember('answer', 'none', 'A')
  assert.equal(lastSaved('answer', 'none'), 'A')
  remember('answer', 'A', 'none')
  assert.equal(lastSaved('answer', 'none'), 'none')
  assert.equal(lastSaved('answer', 'A'), 'none')
  remember('answer', 'none', 'A')
  remember('answer', 'A', 'A')
  assert.equal(lastSaved('answer', 'none'), 'A')
  assert.equal(lastSaved('answer', 'A'), 'A')
  assert.equal(lastSaved('other', 'none'), 'none')
  // A colleague sets it back, and it is read again.
  forget('answer', 'none')
  assert.equal(lastSaved('answer', 'none'), 'none')
})
