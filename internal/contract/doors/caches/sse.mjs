// node sse.mjs URL DOMAIN TOKEN ORDER listens to an order by the client of graphql-sse, cancels it once the subscription
// has begun, and prints [type, status] of each update until then.
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
const query = `subscription ($domain: String!, $order: ID!) {
  orderUpdates(domain: $domain, orderId: $order) { id type order { status } }
}`
for await (const { data } of client.iterate({ query, variables: { domain, order } })) {
  const { type, order: now } = data.orderUpdates
  console.log(JSON.stringify([type, now.status]))
  if (!type) await cancel()
  if (type === 'order_moved') break
}
client.dispose()
