// Work that survives a reload until it is saved or sent. It belongs to the person who is signed in.
import { useSyncExternalStore } from 'react'
import { person } from './api'
import { kept, keptOf } from './kept'

// The names of the drafts that the screen has read at its present address.
const asked = new Set<string>()
addEventListener('hashchange', () => asked.clear())

/** draft returns what is kept of the signed-in person's work of a name. */
export function draft<T>(name: string) {
  const whole = `draft.${person()}.${name}`
  asked.add(whole)
  return kept<T>(whole)
}

const shown = () => [...asked].map((name) => kept(name)).filter((one) => one.get() !== null)

/** isDraftShown reports whether the screen has work that is not saved. */
export const isDraftShown = () => shown().length > 0

/** forgetShown deletes the drafts of the screen. */
export const forgetShown = () => shown().forEach((one) => one.set(null))

const drafts = () => keptOf(`draft.${person()}.`)

/** hasDrafts reports whether the browser keeps work of the signed-in person that is not saved. */
export const hasDrafts = () => drafts().length > 0

/** forgetDrafts deletes it. */
export const forgetDrafts = () => drafts().forEach((one) => one.set(null))

/**
 * useDraft returns the draft of a field outside a form of its own record, and a function that sets it; null discards
 * the draft after it was saved. name identifies the draft, stored is the text that the service has.
 */
export function useDraft(name: string, stored = ''): [text: string, set: (to: string | null) => void] {
  const store = draft<string>(name)
  const text = useSyncExternalStore(store.subscribe, store.get) ?? stored
  return [text, (to) => store.set(to === stored ? null : to)]
}
