// Values that the browser keeps between visits. All tabs see the same, and hear of changes.
export interface Kept<T> {
  get(): T | null
  set(value: T | null): void
  subscribe(heard: () => void): () => void
}

const prefix = 'storefront.staff.'

/** Whether the browser keeps nothing for this page, as where cookies are blocked: everything is in memory then. */
export const isForgetful = (() => {
  try {
    localStorage.getItem(prefix)
    return false
  } catch {
    return true
  }
})()
const storage: Record<string, string> = isForgetful ? {} : localStorage

/** What the browser keeps for this tab alone, also when the page is loaded again. */
export const ofTab: Record<string, string> = isForgetful ? {} : sessionStorage

const all = new Map<string, Kept<unknown>>()

/** kept returns the value of a name in localStorage, as JSON: the same for all who ask for the name. */
export function kept<T>(name: string): Kept<T> {
  const known = (all.get(name) as Kept<T> | undefined) ?? make<T>(name)
  all.set(name, known as Kept<unknown>)
  return known
}

function make<T>(name: string): Kept<T> {
  const key = prefix + name
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let value: T | null = null
  const read = (): T | null => {
    const now = storage[key] ?? null
    if (now !== text) {
      text = now
      try {
        value = now === null ? null : (JSON.parse(now) as T)
      } catch {
        value = null // somebody else wrote it
      }
    }
    return value
  }
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) listeners.forEach((heard) => heard())
  })
  return {
    get: read,
    set(to) {
      try {
        if (to === null) delete storage[key]
        else storage[key] = JSON.stringify(to)
        text = undefined
      } catch {
        text = storage[key] ?? null
        value = to // the browser's storage is full: what is typed stays on the page alone
      }
      listeners.forEach((heard) => heard())
    },
    subscribe(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}

/** keptOf returns what is kept under names that begin so. */
export const keptOf = (beginning: string): Kept<unknown>[] =>
  Object.keys(storage)
    .filter((key) => key.startsWith(prefix + beginning))
    .map((key) => kept(key.slice(prefix.length)))
