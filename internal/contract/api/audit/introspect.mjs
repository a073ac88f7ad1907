// node introspect.mjs URL asks for the schema as tools do (GraphiQL, GraphQL Code Generator and others take this
// query from graphql-js, each with options of its own) and builds it. It prints one JSON object a line: {options,
// types}, types being how many the schema has, or {options, errors}.
import { assertValidSchema, buildClientSchema, getIntrospectionQuery } from 'graphql'

const all = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
}

const tools = {
  'graphql-js': undefined,
  'GraphiQL 3': { inputValueDeprecation: true, schemaDescription: true },
  'GraphQL Code Generator': { ...all, oneOf: false },
  'every option': all,
}

for (const [options, chosen] of Object.entries(tools)) {
  const response = await fetch(process.argv[2], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json;q=0.9' },
    body: JSON.stringify({ query: getIntrospectionQuery(chosen), operationName: 'IntrospectionQuery' }),
  })
  const { data, errors } = await response.json()
  if (errors) {
    console.log(JSON.stringify({ options, errors }))
    continue
  }
  const schema = buildClientSchema(data)
  assertValidSchema(schema)
  console.log(JSON.stringify({ options, types: Object.keys(schema.getTypeMap()).length }))
}
