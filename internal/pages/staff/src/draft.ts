// Texts that survive a reload until they are saved or sent.
import { useSyncExternalStore } from 'react'
import { kept } from './kept'

/**
 * useDraft returns the draft of a field outside a form of its own record, and a function that sets it; null discards
 * the draft after it was saved. name identifies the draft, stored is the text that the service has.
 */
export function useDraft(name: string, stored = ''): [text: string, set: (to: string | null) => void] {
  const store = kept<string>(`draft.${name}`)
  const text = useSyncExternalStore(store.subscribe, store.get) ?? stored
  return [text, (to) => store.set(to === stored ? null : to)]
}
