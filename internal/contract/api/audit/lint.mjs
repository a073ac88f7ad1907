// node lint.mjs FILE holds an OpenAPI document against the recommended rules of Spectral and of Redocly. It prints
// one JSON object a line for each problem: {linter, rule, message, at}.
import { readFileSync } from 'node:fs'
import { createConfig, lint } from '@redocly/openapi-core'
import core from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

const file = process.argv[2]

const spectral = new core.Spectral()
spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] })
for (const { code, message, path } of await spectral.run(readFileSync(file, 'utf8'))) {
  console.log(JSON.stringify({ linter: 'Spectral', rule: code, message, at: path.join('.') }))
}

const config = await createConfig({ extends: ['recommended'] })
for (const { ruleId, message, location } of await lint({ ref: file, config })) {
  console.log(JSON.stringify({ linter: 'Redocly', rule: ruleId, message, at: location[0]?.pointer }))
}
