// Hooks by which screens read data and run mutations.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ask, Failure, person, proof } from './api'
import type { TypedDocumentString } from './graphql/graphql'
import { ofTab } from './kept'
import { useLanguage } from './words'

export interface Reading<T> {
  data: T | undefined
  failure: Failure | undefined
  reading: boolean
  again: () => void
}

const failureOf = (cause: unknown): Failure =>
  cause instanceof Failure ? cause : new Failure('INTERNAL', String(cause))

/** useProved counts how often the second factor was proved. */
export const useProved = () => useSyncExternalStore(proof.subscribe, proof.proved)

/** useOneAtATime returns a function that calls next, at once or, during a reading, once that has ended. */
export function useOneAtATime(reading: boolean, next: () => void): () => void {
  const now = useRef({ reading, next, isWanted: false })
  Object.assign(now.current, { reading, next })
  const again = useCallback(() => {
    now.current.isWanted = now.current.reading
    if (!now.current.reading) now.current.next()
  }, [])
  useEffect(() => {
    if (!reading && now.current.isWanted) again()
  }, [reading, again])
  return again
}

/**
 * useReading reads a document, and reads it again when its variables or the language change or the second factor is
 * proved. The old data stays until then, but for other variables there is none yet.
 */
export function useReading<T, V>(document: TypedDocumentString<T, V>, variables: V): Reading<T> {
  const [{ of, data, failure }, setRead] = useState<{ of: string; data?: T; failure?: Failure }>({ of: '' })
  const [reading, setReading] = useState(true)
  const [turn, setTurn] = useState(0)
  const again = useOneAtATime(reading, () => setTurn((n) => n + 1))
  const spoken = useLanguage()
  const proved = useProved()
  const key = JSON.stringify(variables)
  useEffect(() => {
    let gone = false
    const take = (change: (before: T | undefined) => { data?: T; failure?: Failure }) => {
      if (gone) return
      setRead((before) => ({ of: key, ...change(before.of === key ? before.data : undefined) }))
      setReading(false)
    }
    setReading(true)
    ask(document, variables).then(
      (data) => take(() => ({ data })),
      (cause) => take((data) => ({ ...(data && { data }), failure: failureOf(cause) })),
    )
    return () => {
      gone = true
    }
    // The variables are compared by their text.
  }, [document, key, spoken, proved, turn])
  const isRead = of === key
  const isOffline = isRead && failure?.code === 'OFFLINE'
  useEffect(() => {
    if (!isOffline) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [isOffline, again])
  return { data: isRead ? data : undefined, failure: isRead ? failure : undefined, reading: reading || !isRead, again }
}

/** newKey returns an Idempotency-Key. Pages by plain HTTP have no randomUUID. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const inMemory: Record<string, string> = {}
const keyPrefix = 'storefront.staff.key.'
const sending = new Set<string>() // names of the keys of mutations in flight

/**
 * keyOf returns where the Idempotency-Key of a mutation is kept until it is answered, and its name there, a digest: for
 * the tab, or in memory alone where the variables have a password or a code.
 */
function keyOf(document: unknown, variables: unknown): [keys: Record<string, string>, name: string] {
  let [a, b] = [1, 2]
  for (const letter of `${person()} ${document} ${JSON.stringify(variables)}`) {
    const n = letter.codePointAt(0)!
    a = Math.imul(a ^ n, 2_654_435_761)
    b = Math.imul(b ^ n, 1_597_334_677) ^ (a >>> 16)
  }
  const isSecret = !person() || /password|secondFactor|recoveryCodes/i.test(String(document))
  return [isSecret ? inMemory : ofTab, `${keyPrefix}${a >>> 0}.${b >>> 0}`]
}

export interface Doing<T, V> {
  /** Sends the document; the result is undefined after a failure, and failure is the reason. */
  run: (variables: V) => Promise<T | undefined>
  failure: Failure | undefined
  doing: boolean
  forget: () => void
}

/**
 * useDoing sends a mutation. A retry after a lost answer, also after a reload, has the same Idempotency-Key, so that the
 * mutation is done once. It is a retry only if no other mutation was sent between. While a mutation is in flight, another
 * call with the same variables, as by a double click, is ignored.
 */
export function useDoing<T, V>(document: TypedDocumentString<T, V>): Doing<T, V> {
  const [failure, setFailure] = useState<Failure>()
  const [doing, setDoing] = useState(false)
  const running = useRef(new Map<string, Promise<T | undefined>>())
  const send = useCallback(
    async (variables: V, keys: Record<string, string>, name: string) => {
      sending.add(name)
      for (const of of [inMemory, ofTab])
        for (const other of Object.keys(of))
          if (other.startsWith(keyPrefix) && !sending.has(other)) delete of[other]
      setDoing(true)
      setFailure(undefined)
      try {
        const done = await ask(document, variables, (keys[name] ??= newKey()))
        delete keys[name]
        return done
      } catch (cause) {
        const failed = failureOf(cause)
        if (failed.code !== 'OFFLINE' && failed.code !== 'UNAVAILABLE') delete keys[name]
        setFailure(failed)
        return undefined
      } finally {
        sending.delete(name)
        running.current.delete(name)
        setDoing(running.current.size > 0)
      }
    },
    [document],
  )
  const run = useCallback(
    (variables: V) => {
      const [keys, name] = keyOf(document, variables)
      const done = running.current.get(name) ?? send(variables, keys, name)
      running.current.set(name, done)
      return done
    },
    [document, send],
  )
  return { run, failure, doing, forget: useCallback(() => setFailure(undefined), []) }
}

/** The answer of a mutation that saves a record, which has its version now. */
export type Saved = object

const versionIn = (of: object): string | undefined =>
  'version' in of && typeof of.version === 'string'
    ? of.version
    : Object.values(of).reduce(
        (found: string | undefined, one: unknown) => found ?? (one && typeof one === 'object' ? versionIn(one) : undefined),
        undefined,
      )

// The versions that were saved here, by the record and the version before.
const savedHere = new Map<string, string>()

/** remember records that saving a record here changed its version. It drops an older entry for the new version. */
export function remember(name: string, before: string, now: string) {
  savedHere.delete(`${name} ${now}`)
  if (before !== now) savedHere.set(`${name} ${before}`, now)
}

/** lastSaved returns the version that the saves made here have turned a version into. */
export const lastSaved = (name: string, version: string): string => {
  const next = savedHere.get(`${name} ${version}`)
  return next === undefined ? version : lastSaved(name, next) // ends, as remember makes no circle
}

/** forget drops the entry for a version, once another version has been read. */
export const forget = (name: string, version: string) => void savedHere.delete(`${name} ${version}`)

/**
 * useSaving sends a mutation that saves a record, with the version of it that was read. After a save the version that
 * was read is old (isOld), until the record is read again; what is saved meanwhile has the version of the last save.
 * name identifies the record.
 */
export function useSaving<T extends Saved, V>(
  document: TypedDocumentString<T, V & { version: string }>,
  name: string,
  read: string | null,
): Omit<Doing<T, V>, 'run'> & { save: (variables: V) => Promise<T | undefined>; isOld: boolean } {
  const { run, ...doing } = useDoing(document)
  const version = read ?? ''
  // Texts may have a version again that they had before.
  useEffect(() => () => forget(name, version), [name, version])
  const save = async (variables: V) => {
    const last = lastSaved(name, version)
    const done = await run({ ...variables, version: last || null } as V & { version: string })
    const saved = done && versionIn(done)
    if (saved) remember(name, last, saved)
    return done
  }
  return { ...doing, save, isOld: lastSaved(name, version) !== version }
}
