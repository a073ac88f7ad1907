// node relay.mjs URL DOMAIN compiles relay/list.js by Relay's compiler, and asks for what it compiled: a list, then
// the shop and a product again by their nodeIds. It prints {shop, next, product, several}.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

mkdirSync('relay/made', { recursive: true })
execFileSync(process.execPath, ['node_modules/relay-compiler/cli.js', 'relay.config.json'], { stdio: ['ignore', 'ignore', 'inherit'] })

const [url, domain] = process.argv.slice(2)
const ask = async (name, variables) => {
  const made = await import(`./relay/made/${name}.graphql.js`)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: made.default.params.text, variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}

const { tenant } = await ask('listQuery', { domain })
const first = tenant.productsConnection
const { node: shop } = await ask('listShopRefetchQuery', { nodeId: tenant.nodeId, first: 2, after: first.pageInfo.endCursor })
const { node: product } = await ask('listProductRefetchQuery', { nodeId: first.edges[0].node.nodeId })
const { nodes } = await ask('listNodesQuery', { ids: first.edges.map((edge) => edge.node.nodeId).concat('garbage') })
console.log(JSON.stringify({
  shop: [tenant.name, shop.name],
  next: shop.productsConnection.edges.map((edge) => edge.node.slug).filter((slug) => first.edges.every((e) => e.node.slug !== slug)).length,
  product: [first.edges[0].node, product],
  several: nodes.map((node) => node && node.nodeId).map((id, i) => (i < first.edges.length ? id === first.edges[i].node.nodeId : id)),
}))
