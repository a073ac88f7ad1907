// Texts that survive a reload until they are saved or sent.
import { useSyncExternalStore } from 'react'
import { kept } from './kept'

/**
 * useDraft returns the text of a field outside a form of its own record, and how to set it. name tells drafts apart;
 * stored is the text that the service has. null forgets the draft, once it is saved.
 */
export function useDraft(name: string, stored = ''): [text: string, set: (to: string | null) => void] {
  const store = kept<string>(`draft.${name}`)
  const text = useSyncExternalStore(store.subscribe, store.get) ?? stored
  return [text, (to) => store.set(to === stored ? null : to)]
}
