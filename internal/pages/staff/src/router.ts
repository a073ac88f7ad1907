// The address of a screen follows the # of the page's address: #/SHOP/SCREEN/MORE?FILTERS.
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

/** decode returns the decoded text of a part of an address, or the part itself if it is malformed. */
const decode = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** parse returns the place for the part of an address after the #. */
export function parse(hash: string): Place {
  const [path = '', filters = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [shop = '', screen = '', ...rest] = path.split('/').map(decode)
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

// The last addresses of lists, with their filters, for the links back from records.
const lists = new Map<string, string>()
const note = () => {
  const { shop, screen, rest } = parse(location.hash)
  if (rest.length === 0) lists.set(to(shop, screen), location.hash)
}
addEventListener('hashchange', note)
note()

/** back returns the address of a list of a shop as it was left. */
export const back = (shop: string, screen: string): string => lists.get(to(shop, screen)) ?? to(shop, screen)

export const go = (address: string, replace = false) => {
  if (replace) location.replace(address)
  else location.hash = address
}
