// Has Lighthouse look at screens of the page of staff as a phone on a slow line sees them, in both languages, and fails
// where one is below what the page must reach.
import lighthouse from 'lighthouse'
import { open, withDemo } from './demo.mjs'

const least = { accessibility: 95, 'best-practices': 95, performance: 90 }
const screens = ['', 'today', 'products', 'orders']

const speedOf = (lhr) => lhr.categories.performance.score

await withDemo(async (demo) => {
  for (const language of ['en', 'fa']) {
    for (const screen of screens) {
      const tab = await open(demo, language, screen ? demo.session : null)
      const address = `${demo.base}/staff${screen ? `#/sanat-mashin.example/${screen}` : ''}`
      const look = async () =>
        (await lighthouse(address, { onlyCategories: Object.keys(least), logLevel: 'error' }, undefined, tab)).lhr
      let lhr = await look()
      if (speedOf(lhr) * 100 < least.performance) {
        // Whatever else runs on the machine makes the page slower: the middle one of three counts.
        lhr = [lhr, await look(), await look()].sort((a, b) => speedOf(a) - speedOf(b))[1]
      }
      const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
      const scores = Object.keys(least).map((id) => `${id} ${Math.round(lhr.categories[id].score * 100)}`)
      console.log(
        `${language} ${screen || 'sign-in'}: ${scores.join(', ')} (${times
          .map((id) => `${id} ${lhr.audits[id].displayValue}`)
          .join(', ')})`,
      )
      for (const [id, score] of Object.entries(least)) {
        const category = lhr.categories[id]
        if (category.score * 100 >= score) continue
        process.exitCode = 1
        console.log(`  ${id} is below ${score}:`)
        for (const { id: name, weight } of category.auditRefs) {
          const audit = lhr.audits[name]
          if (weight > 0 && audit.score !== null && audit.score < 0.9) console.log(`    ${audit.title} ${audit.displayValue ?? ''}`)
        }
      }
      await tab.close()
    }
  }
})
