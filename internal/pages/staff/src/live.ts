// Orders that change while they are on the screen, by the subscription of staff (contract 3.14).
import { createClient } from 'graphql-sse'
import { useEffect, useRef } from 'react'
import { credentials, service } from './api'
import { OrderChangesDocument, type OrderChangesSubscription } from './graphql/graphql'
import type { Shop } from './shop'

const pause = 3000 // milliseconds between two readings, and before the first attempt to connect again
const longestPause = 60_000

const client = createClient({
  url: new URL('graphql/stream', service).href,
  headers: credentials,
  retryAttempts: 0, // an attempt goes on after the last update, which the client does not know
})

// The last update of each shop, after which the next screen goes on.
const last = new Map<string, string>()

/**
 * useOrderChanges calls changed soon after orders of a shop have changed, if the user may see them. A hidden page does
 * not listen, and resumes where it was when it is shown again.
 */
export function useOrderChanges(shop: Shop, changed: () => void) {
  const latest = useRef(changed)
  latest.current = changed
  const may = shop.permissions.includes('manageOrders')
  useEffect(() => {
    if (!may) return
    let isOver = false
    let isListening = false
    let updates: AsyncIterableIterator<{ data?: OrderChangesSubscription | null }> | undefined
    let wake = () => {}
    let soon: ReturnType<typeof setTimeout> | undefined
    const change = () => {
      soon ??= setTimeout(() => {
        soon = undefined
        latest.current()
      }, pause)
    }
    const take = async () => {
      const variables = { shop: shop.id, after: last.get(shop.id) ?? null }
      updates = client.iterate({ query: OrderChangesDocument.toString(), variables })
      for await (const { data } of updates) {
        const update = data?.shopOrderUpdates
        // An error: the access token has expired, which the next reading renews, or the last update is too old.
        if (!update) {
          last.delete(shop.id)
          change()
          return
        }
        // What changed between the first reading and the first update is not sent.
        if (update.type || !last.has(shop.id)) change()
        last.set(shop.id, update.id)
      }
    }
    const listen = async () => {
      if (isListening) return
      isListening = true
      for (let wait = pause; !isOver && !document.hidden; wait = Math.min(2 * wait, longestPause)) {
        const begun = Date.now()
        await take().catch(() => {}) // cut off, or the service cannot be reached
        if (Date.now() - begun > longestPause) wait = pause
        await new Promise<void>((done) => {
          wake = done
          setTimeout(done, wait)
        })
      }
      isListening = false
    }
    const show = () => {
      if (document.hidden) void updates?.return?.()
      else void listen()
      wake()
    }
    document.addEventListener('visibilitychange', show)
    void listen()
    return () => {
      isOver = true
      clearTimeout(soon)
      document.removeEventListener('visibilitychange', show)
      void updates?.return?.()
      wake()
    }
  }, [shop.id, may])
}
