// node sse.mjs URL DOMAIN TOKEN ORDER subscribes to an order with the client of graphql-sse, as in docs/storefronts.md.
// It cancels the order after the first update, resumes after each update, and prints [type, status] of each until the
// order is cancelled.
import { createClient } from 'graphql-sse'

const [url, domain, token, order] = process.argv.slice(2)
const headers = { Authorization: `Bearer ${token}` }

async function cancel() {
  const query = `mutation ($domain: String!, $order: ID!) { cancelOrder(domain: $domain, orderId: $order) { message } }`
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { domain, order } }),
  })
  const { errors } = await answer.json()
  if (errors) throw new Error(errors[0].message)
}

const client = createClient({ url: `${url}/stream`, headers, retryAttempts: 0 })
const query = `subscription ($domain: String!, $order: ID!, $after: String) {
  orderUpdates(domain: $domain, orderId: $order, after: $after) { id type order { status } }
}`
for (let after, last; last !== 'order_moved'; ) {
  for await (const { data } of client.iterate({ query, variables: { domain, order, after } })) {
    const { id, type, order: now } = data.orderUpdates
    console.log(JSON.stringify([type, now.status]))
    after = id
    last = type
    if (!type) await cancel()
    break
  }
}
client.dispose()
