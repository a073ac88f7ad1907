// node cases.mjs FILE SEED makes cases from an OpenAPI document: json-schema-faker makes values up that a schema
// allows, and what breaks one rule of it at a time is derived from them. Ajv, which is another reader of the
// document, says of each which it is. It prints one JSON object a line for each case: {method, path, valid, why,
// parameters, body}.
import { readFileSync } from 'node:fs'
import Ajv from 'ajv/dist/2020.js'
import { generateSync } from 'json-schema-faker'

const [, , file, seed] = process.argv
const document = JSON.parse(readFileSync(file, 'utf8'))
const { components } = document

const ajv = new Ajv({ strict: false, validateFormats: false })
const checks = new Map()
const allows = (schema, value) => {
  if (!checks.has(schema)) {
    checks.set(schema, ajv.compile({ ...schema, components }))
  }
  return checks.get(schema)(value)
}

const resolved = (node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((at, name) => at[name], document) : node)

let made = Number(seed)
const make = (schema, options) => {
  for (let tries = 0; tries < 20; tries++) {
    const value = generateSync({ ...schema, components }, { seed: made++, optionalsProbability: 0.5, ...options })
    if (allows(schema, value)) {
      return value
    }
  }
  throw new Error(`nothing fits ${JSON.stringify(schema)}`)
}

// wrong gives values for a schema that break it, each with what it breaks. Of an optional text the empty one is absent.
function* wrong(declared, value, required) {
  const schema = resolved(declared.anyOf?.find((one) => one.type !== 'null') ?? declared)
  for (const other of ['no such value', 7.5, true, [], {}, null]) {
    yield ['type', other]
  }
  if (required) {
    yield ['empty', '']
    yield ['blank', ' \n']
  }
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, properties, items } = schema
  if (minimum !== undefined) yield ['minimum', minimum - 1]
  if (maximum !== undefined) yield ['maximum', maximum + 1]
  if (minLength > 1) yield ['minLength', 'x'.repeat(minLength - 1)]
  if (maxLength !== undefined) yield ['maxLength', 'x'.repeat(maxLength + 1)]
  if (pattern) {
    yield ['pattern', 'a\u0007b']
    yield ['pattern', '12']
    yield ['pattern', 'a\nb']
  }
  if (items && Array.isArray(value)) {
    if (maxItems !== undefined) yield ['maxItems', Array(maxItems + 1).fill(value[0] ?? make(items))]
    for (const [why, other] of wrong(items, value[0], true)) yield [`item ${why}`, [...value, other]]
  }
  if (properties && value && typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(properties)) {
      const needed = Boolean(schema.required?.includes(name))
      const { [name]: given, ...others } = value
      if (needed) yield [`without ${name}`, others]
      for (const [why, other] of wrong(member, given, needed)) yield [`${name}: ${why}`, { ...value, [name]: other }]
    }
  }
}

// asText gives the texts that a parameter of a URL may not have.
function* asText(schema) {
  const { type, minimum, maximum, maxLength, enum: names } = resolved(schema)
  if (type === 'integer' || type === 'number') yield 'x'
  if (type === 'integer') yield '1.5'
  if (type === 'boolean') yield 'perhaps'
  if (names) yield 'no such value'
  if (minimum !== undefined) yield String(minimum - 1)
  if (maximum !== undefined) yield String(maximum + 1)
  if (maxLength !== undefined) yield 'x'.repeat(maxLength + 1)
}

for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    const declared = (operation.parameters ?? []).map(resolved)
    const query = declared.filter((parameter) => parameter.in === 'query')
    const body = operation.requestBody?.content['application/json'].schema
    const print = (valid, why, parameters, sent) =>
      console.log(JSON.stringify({ method: method.toUpperCase(), path, valid, why, parameters, body: sent }))
    const text = (schema) => String(make(schema))
    const needed = Object.fromEntries(query.filter((one) => one.required).map((one) => [one.name, text(one.schema)]))

    for (let i = 0; i < (body || query.length ? 5 : 1); i++) {
      const some = query.filter(({ required }, at) => required || (made + at * 7) % 3 !== 0)
      const parameters = Object.fromEntries(some.map(({ name, schema }) => [name, text(schema)]))
      const { minPrice, maxPrice } = parameters
      if (Number(minPrice) > Number(maxPrice)) { // which no schema can say
        Object.assign(parameters, { minPrice: maxPrice, maxPrice: minPrice })
      }
      print(true, 'made', parameters, body && make(body, i === 0 ? { alwaysFakeOptionals: true } : {}))
    }
    for (const { name, schema, required } of query) {
      for (const value of asText(schema)) print(false, `${name}: ${value.slice(0, 20)}`, { ...needed, [name]: value })
      if (required) print(false, `without ${name}`, { ...needed, [name]: undefined })
    }
    if (body) {
      const whole = make(body, { alwaysFakeOptionals: true })
      for (const [why, value] of wrong(body, whole, true)) {
        if (!allows(body, value)) print(false, why, {}, value)
      }
    }
  }
}
