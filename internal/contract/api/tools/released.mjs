// node released.mjs OLD NEW has GraphQL Inspector compare two schemas, and fails where the newer one breaks a client of
// the older one.
import { readFileSync } from 'node:fs'
import { CriticalityLevel, diff } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'

// The new type has the one field of the old one, so that documents stay valid.
const known = ["Field 'Mutation.updateOffers' changed type from 'MessagePayload!' to 'OffersPayload!'"]

const [before, now] = process.argv.slice(2).map((file) => buildSchema(readFileSync(file, 'utf8')))
const changes = await diff(before, now)
const breaking = changes
  .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  .map(({ message }) => message)
for (const message of breaking) console.log(`${known.includes(message) ? 'known' : 'breaks clients'}: ${message}`)
console.log(`${changes.length} changes since the release, ${breaking.length} of them breaking`)
process.exitCode = breaking.every((message) => known.includes(message)) ? 0 : 1
