// Uses the client that orval generates: reads a list, fills a customer's cart, and gets two errors.
import { addCartItem, cart, login, product, storeItems, tenant } from './client.js'

export const visit = async (domain: string, cellNumber: string, password: string) => {
  const shop = await tenant(domain)
  const found = await storeItems(domain, { inStock: true, pageSize: 3 })
  const signedIn = await login({ cellNumber, password })
  if (shop.status !== 200 || found.status !== 200 || signedIn.status !== 200) {
    throw new Error(`${shop.status} ${found.status} ${signedIn.status}`)
  }
  const item = found.data.items[0]
  const options = { headers: { Authorization: `Bearer ${signedIn.data.accessToken}` } }
  const added = await addCartItem(shop.data.id, { storeItemVariantId: item.id, quantity: 1 }, options)
  const unknown = await product(domain, 'no such product')
  if (added.status !== 201 || unknown.status !== 404) {
    throw new Error(`${added.status} ${unknown.status}`)
  }
  const anonymous = await cart(shop.data.id)
  return {
    items: found.data.items.length,
    inCart: added.data.cart.items.some((line) => line.storeItemVariantId === item.id),
    refused: unknown.data.code,
    anonymous: anonymous.status,
  }
}
