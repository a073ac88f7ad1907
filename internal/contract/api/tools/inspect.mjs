// node inspect.mjs SCHEMA GLOB... has GraphQL Inspector hold the documents of each GLOB, which belong together, against
// a schema. It prints {glob, documents} of each, and {glob, problem} for each fault and each use of what is deprecated.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url) // which the loaders need
const { validate } = require('@graphql-inspector/core')
const { useLoaders } = require('@graphql-inspector/loaders')
const { print, Source } = require('graphql')

const [, , file, ...globs] = process.argv
const loaders = useLoaders({ loaders: ['code', 'graphql'] })
const schema = await loaders.loadSchema(file)
for (const glob of globs) {
  const documents = await loaders.loadDocuments(glob)
  console.log(JSON.stringify({ glob, documents: documents.length }))
  const sources = documents.map(({ document, location }) => new Source(print(document), location))
  for (const { errors, deprecated } of validate(schema, sources)) {
    for (const { message } of errors.concat(deprecated)) console.log(JSON.stringify({ glob, problem: message }))
  }
}
