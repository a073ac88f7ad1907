// What people type, and what a shop stores, never throws while it is drawn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, load } from './bundle.mjs'

test('an address that is none is no image', async () => {
  browser()
  const { asset } = await load('api.ts')
  assert.equal(asset('/media/a.png'), 'https://staff.example/media/a.png')
  assert.equal(asset('https://images.example/a.png'), 'https://images.example/a.png')
  for (const typed of ['https://', 'http://', 'https://x:99999/a.png', 'https://[', 'http://%', '//']) {
    assert.equal(asset(typed), undefined, typed)
  }
  assert.doesNotThrow(() => asset('https:'))
})

test('a link to an e-mail address has an address alone', async () => {
  browser()
  const { mailTo } = await load('format.ts')
  assert.equal(mailTo('sara.k+shop@mail.example'), 'mailto:sara.k+shop@mail.example')
  assert.equal(mailTo('sara@مثال.ایران'), 'mailto:sara@مثال.ایران')
  for (const typed of ['a@b.c?bcc=all@shop.example', 'a@b.c&body=x', 'a@b.c,d@e.f', 'a@b.c;d@e.f', 'a%40b@c.d',
    'a b@c.d', 'a@b@c', 'a', '', '<a@b.c>', 'a@b.c#x']) {
    assert.equal(mailTo(typed), null, typed)
  }
})

test('numbers are read as people write them, and nothing ambiguous is', async () => {
  browser()
  const { numberIn } = await load('ui/number.tsx')
  for (const [typed, n] of [['1250', 1250], ['۱٬۲۵۰٫۵', 1250.5], ['1,250', 1250], ['٩٩', 99], ['−5', -5], ['', null]]) {
    assert.equal(numberIn(typed), n, typed)
  }
  for (const typed of ['12,50', '12/50', '1e3', 'x', '12.', '1.250.000']) assert.ok(Number.isNaN(numberIn(typed)), typed)
})
