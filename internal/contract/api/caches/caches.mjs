// node caches.mjs URL DOMAIN TOKEN reads a shop and a customer's cart through the normalizing caches of Apollo
// Client and of urql's Graphcache. It prints a line for each: {client, before, after, empty, filled}. before and
// after are the facets of one list, read from the cache before and after the facets of another list came; empty and
// filled are the cart as it was read first, and as the cache has it after something was put into it.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { parse } from 'graphql'

const [url, domain, token] = process.argv.slice(2)
const headers = { Authorization: `Bearer ${token}` }
const { possibleTypes, typesWithoutId } = await (await fetch(new URL('graphql-types.json', url))).json()

const facets = parse(`query ($domain: String!, $maxPrice: Decimal) {
  tenant(domain: $domain) {
    id
    products(pageSize: 1, maxPrice: $maxPrice) {
      total
      facets {
        categories { count category { id slug } }
        brands { count brand { id slug } }
        options { key values { value count } }
        prices { currency count minMoney { minor } }
      }
    }
  }
}`)
const shop = parse(`query ($domain: String!) { tenant(domain: $domain) { id storeItems(pageSize: 5, inStock: true) { items { id } } } }`)
const cart = parse(`query ($business: ID!) { cart(businessId: $business) { id totalQuantity priceCurrency items { id } } }`)
const add = parse(`mutation ($business: ID!, $input: CartItemInput!) {
  addToCart(businessId: $business, items: [$input]) { cart { id totalQuantity priceCurrency items { id quantity } } }
}`)
const clear = parse(`mutation ($business: ID!) { emptyCart(businessId: $business) { cart { id totalQuantity items { id } } } }`)

async function visit(client, { query, cached, mutate }) {
  const whole = await query(facets, { domain })
  const before = JSON.stringify(await cached(facets, { domain }))
  const narrow = await query(facets, { domain, maxPrice: 20 })
  if (JSON.stringify(whole) === JSON.stringify(narrow)) throw new Error('both lists are alike')
  const after = JSON.stringify(await cached(facets, { domain }))
  const { tenant } = await query(shop, { domain })
  const business = tenant.id
  const empty = (await query(cart, { business })).cart
  await mutate(add, { business, input: { storeItemVariantId: tenant.storeItems.items[0].id } })
  const filled = (await cached(cart, { business })).cart
  await mutate(clear, { business })
  console.log(JSON.stringify({ client, before, after, empty, filled }))
}

const apollo = new ApolloClient({ cache: new InMemoryCache({ possibleTypes }), link: ApolloLink.from([new HttpLink({ uri: url, headers })]) })
await visit('Apollo Client', {
  query: async (query, variables) => (await apollo.query({ query, variables })).data,
  cached: async (query, variables) => apollo.readQuery({ query, variables }),
  mutate: (mutation, variables) => apollo.mutate({ mutation, variables }),
})

const keys = Object.fromEntries(typesWithoutId.map((type) => [type, () => null]))
console.warn = (warning) => { throw new Error(warning) } // Graphcache warns of a type whose keys it does not know
const urql = new Client({ url, exchanges: [cacheExchange({ keys }), fetchExchange], fetchOptions: { headers }, preferGetMethod: false })
const right = ({ data, error }) => {
  if (error) throw error
  return data
}
await visit('Graphcache', {
  query: async (query, variables) => right(await urql.query(query, variables, { requestPolicy: 'network-only' })),
  cached: async (query, variables) => right(await urql.query(query, variables, { requestPolicy: 'cache-only' })),
  mutate: async (mutation, variables) => right(await urql.mutation(mutation, variables)),
})
