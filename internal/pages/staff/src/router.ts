// The address of a screen stands behind the # of the page's: #/SHOP/SCREEN/MORE?FILTERS.
import { useMemo, useSyncExternalStore } from 'react'

export interface Place {
  shop: string
  screen: string
  /** What follows the screen, such as the slug of a record. */
  rest: string[]
  filters: URLSearchParams
}

const subscribe = (heard: () => void) => {
  addEventListener('hashchange', heard)
  return () => removeEventListener('hashchange', heard)
}

/** parse returns the place that the part of an address behind the # names. */
export function parse(hash: string): Place {
  const [path = '', filters = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [shop = '', screen = '', ...rest] = path.split('/').map(decodeURIComponent)
  return { shop, screen, rest, filters: new URLSearchParams(filters) }
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return useMemo(() => parse(hash), [hash])
}

/** to returns the address of a screen of a shop, for links. Filters without a value are left out. */
export function to(shop: string, screen: string, rest: string[] = [], filters: Record<string, string> = {}): string {
  const path = [shop, screen, ...rest].map(encodeURIComponent).join('/')
  const given = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  return `#/${path}${given.size > 0 ? `?${given}` : ''}`
}

export const go = (address: string, replace = false) => {
  if (replace) location.replace(address)
  else location.hash = address
}
