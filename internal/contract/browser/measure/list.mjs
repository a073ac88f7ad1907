// Measures how long who works with 10,000 products waits for the list of the page of staff, on the database in a
// file: until it shows the first rows, until rows follow where it is scrolled on, and until it shows what was
// looked for.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open, owner, withDemo } from './demo.mjs'

const count = 10_000
const kinds = ['lamp', 'table', 'chair', 'shelf', 'mirror', 'carpet', 'vase', 'clock']
const kindsFa = ['چراغ', 'میز', 'صندلی', 'قفسه', 'آینه', 'فرش', 'گلدان', 'ساعت']

const shop = {
  format: 'storefront-bundle/1',
  tenant: { domain: 'large.example', slug: 'large', name: 'Large', nameFa: 'بزرگ', defaultLocale: 'fa' },
  products: Array.from({ length: count }, (_, i) => ({
    slug: `product-${i}`,
    titleFa: `${kindsFa[i % kinds.length]} شماره ${i}`,
    titleEn: `${kinds[i % kinds.length]} number ${i}`,
    status: i % 50 === 0 ? 'draft' : 'published',
    variants: [{ sku: `SKU-${i}`, priceCurrency: 'IRR', price: 100_000 + i, stock: i % 20 }],
  })),
}

await withDemo(async (demo) => {
  const file = join(demo.folder, 'large.json')
  writeFileSync(file, JSON.stringify(shop))
  demo.run('import', file)
  demo.run('staff', 'add', 'large.example', owner, 'owner')
  const tab = await open(demo, 'en', demo.session)
  await tab.setViewport({ width: 1280, height: 900 })
  const waited = {}
  const told = (name, milliseconds) => (waited[name] ??= []).push(milliseconds)

  await tab.goto(`${demo.base}/staff#/large.example/products`)
  await tab.waitForSelector('[role=row] [role=rowheader]')
  await tab.evaluate(() => {
    // waits measures until what is asked for is on the screen: the frame in which it is painted has ended.
    window.waits = async (done) => {
      const began = performance.now()
      while (!done()) await new Promise(requestAnimationFrame)
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
      return performance.now() - began
    }
    window.list = document.querySelector('.list')
    // The page's longest tasks hold up scrolling and typing.
    window.longest = 0
    new PerformanceObserver((seen) => {
      for (const { duration } of seen.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask' })
  })
  // So many rows are there; the last part need not fill a screen.
  const rows = () => tab.evaluate(() => (window.list.scrollHeight - 36) / 44)
  for (let at = await rows(); at < count - 200; at = await rows()) {
    told(
      `rows after scrolling to the end of what is there, among the ${at < 2000 ? 'first 2,000' : 'next 8,000'}`,
      await tab.evaluate(() => {
        const { scrollHeight: before, clientHeight } = window.list
        window.list.scrollTop = before
        return window.waits(
          () =>
            window.list.scrollHeight > before + clientHeight &&
            [...window.list.querySelectorAll('[role=row]')].some(
              (row) => row.getBoundingClientRect().bottom > window.list.getBoundingClientRect().bottom - 44,
            ),
        )
      }),
    )
  }
  for (const words of ['number 77', 'clock', 'lamp number 1', 'number 9999', 'میز', 'no such thing', '']) {
    await tab.evaluate(() => document.querySelector('input[type=search]').select())
    await tab.keyboard.press('Backspace')
    if (words) await tab.keyboard.type(words)
    const before = await tab.evaluate(() => document.querySelector('h1').textContent)
    await tab.keyboard.press('Enter')
    told(
      'rows after looking for words',
      await tab.evaluate((before) => window.waits(() => document.querySelector('h1').textContent !== before), before),
    )
  }
  for (const [name, times] of Object.entries(waited)) {
    times.sort((a, b) => a - b)
    const at = (part) => Math.round(times[Math.floor(part * (times.length - 1))])
    console.log(`${name}: half within ${at(0.5)} ms, all within ${at(1)} ms`)
  }
  console.log(`longest task: ${Math.round(await tab.evaluate(() => window.longest))} ms`)
})
