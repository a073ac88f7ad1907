// node examples.mjs URL TOKEN makes a Postman collection of URL/openapi.json, and sends the example of every
// operation by newman, with the access token where one is needed. It prints one JSON object a line: {method, path,
// status, body}.
import newman from 'newman'
import converter from 'openapi-to-postmanv2'

const [, , url, token] = process.argv
const text = await (await fetch(`${url}/openapi.json`)).text()
const { paths } = JSON.parse(text)

const converted = await new Promise((resolve, reject) =>
  converter.convertV2({ type: 'string', data: text }, { parametersResolution: 'Example', folderStrategy: 'Tags' }, (error, result) =>
    error || !result.result ? reject(error ?? new Error(result.reason)) : resolve(result.output[0].data),
  ),
)

const requests = []
const collect = (items) => items.forEach((item) => (item.item ? collect(item.item) : requests.push(item)))
collect(converted.item)

// The converter makes values up for what has no example: only what has one is sent.
const templates = {}
for (const item of requests) {
  const { request } = item
  const path = '/' + request.url.path.map((part) => part.replace(/^:(.*)/, '{$1}')).join('/')
  templates[(item.id = `${request.method} ${path}`)] = path
  const { parameters = [] } = paths[path][request.method.toLowerCase()]
  const given = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  request.url.query = given.map(({ name, example }) => ({ key: name, value: String(example) }))
  request.header = request.header.filter(({ key }) => ['Content-Type', 'Accept'].includes(key))
}

// What is there is read and changed before it is removed; what is removed is not asked for again.
const rank = ({ request: { method, url } }) => {
  const path = url.path.join('/')
  if (method === 'DELETE') {
    return path.endsWith('cart') ? 3 : path.includes('cart') ? 2 : 6
  }
  return { GET: 0, PATCH: 1, POST: path.endsWith('checkout') ? 5 : 4 }[method]
}
requests.sort((a, b) => rank(a) - rank(b))

const environment = {
  values: Object.entries({ baseUrl: `${url}/api/v1`, bearerToken: token, apiKey: 'none' }).map(([key, value]) => ({ key, value })),
}
newman
  .run({ collection: { ...converted, item: requests }, environment, reporters: [] }, (error) => {
    if (error) {
      console.error(error)
      process.exitCode = 1
    }
  })
  .on('request', (error, { item, response }) => {
    const { id, request } = item
    console.log(JSON.stringify({ method: request.method, path: templates[id], status: response?.code ?? 0, body: error ? String(error) : response.text() }))
  })
