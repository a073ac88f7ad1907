// found.mjs FILE holds what search engines read of a shop against the schema of sitemaps, the parsers of npm's
// sitemap and robots-parser, and Google's rules of structured data as @adobe/structured-data-validator has them. It
// prints what is wrong, as a JSON object a line, and then how much was looked at.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import Validator from '@adobe/structured-data-validator'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import robotsParser from 'robots-parser'
import { parseSitemap, parseSitemapIndex } from 'sitemap'

const { robots, robotsURL, index, sitemaps, feeds, jsonLd } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const say = (line) => console.log(JSON.stringify(line))
const attempt = async (what, check) => {
  try {
    return await check()
  } catch (error) {
    say({ what, problem: String(error.message ?? error) })
  }
}
const stream = (text) => Readable.from([text])

// the schema of sitemaps, with the one element of XHTML that they may hold
xmlRegisterFsInputProviders()
const sitemapSchema = createRequire(import.meta.url).resolve('sitemap').replace(/sitemap\/dist\/.*$/, 'sitemap/schema/sitemap.xsd')
const xhtml = new URL('xhtml-link.xsd', import.meta.url).pathname
const schema = XsdValidator.fromDoc(
  XmlDocument.fromString(`<schema xmlns="http://www.w3.org/2001/XMLSchema">
  <import namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="file://${sitemapSchema}"/>
  <import namespace="http://www.w3.org/1999/xhtml" schemaLocation="file://${xhtml}"/>
</schema>`),
)

const file = robotsParser(robotsURL, robots)
if (file.getSitemaps().length !== 1 || !file.isAllowed(new URL('/any', robotsURL).href, 'Googlebot'))
  say({ what: 'robots.txt', problem: robots })
const parts = (await attempt('index', () => parseSitemapIndex(stream(index), undefined, { level: 'throw' }))) ?? []
let addresses = 0
for (const [name, text] of Object.entries(sitemaps)) {
  await attempt(name, () => schema.validate(XmlDocument.fromString(text)))
  const items = await attempt(name, () => parseSitemap(stream(text)))
  addresses += items?.length ?? 0
}
for (const [name, text] of Object.entries(feeds)) await attempt(name, () => XmlDocument.fromString(text))
const validator = new Validator()
for (const [name, text] of Object.entries(jsonLd)) {
  const page = `<html><head><script type="application/ld+json">${text}</script></head></html>`
  const found = new WebAutoExtractor({ addLocation: true }).parse(page)
  if (Object.keys(found.jsonld).length !== 1) say({ what: name, problem: 'it is not found in the page' })
  for (const issue of await validator.validate(found))
    if (issue.severity === 'ERROR') say({ what: name, problem: `${issue.issueMessage} at ${JSON.stringify(issue.path)}` })
}
say({ parts: parts.length, addresses, jsonLd: Object.keys(jsonLd).length })
