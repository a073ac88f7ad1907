// Reading a list part by part, as it is scrolled.
import { useEffect, useState } from 'react'
import { firstRows } from '../ahead'
import { ask, Failure } from '../api'
import type { TypedDocumentString } from '../graphql/graphql'
import { useOneAtATime, useProved } from '../query'

export interface Walk<T> {
  items: T[]
  /** The list that the items are of: with other filters it is another one. */
  of: string
  /** Of the whole list. */
  total: number | undefined
  failure: Failure | undefined
  reading: boolean
  more: () => void
  again: () => void
  /** The scroll position, which the list on the screen sets. */
  place: Place
}

/** A scroll position: the last row on the screen, and how far the list is scrolled. */
export interface Place {
  row: number
  top: number
}

interface Part<T> {
  nodes: T[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
  /** Only for the first part: counting takes as long as finding. */
  totalCount?: number
}

/** What was read of a list; of identifies the walk that it belongs to, name the list. */
interface Read<T> {
  of: string
  name: string
  items: T[]
  after: string | null
  left: boolean
  total?: number
}

/** How many rows are read at once when a list is read again. */
const mostAgain = 2000

// The scroll positions of lists, for the way back from a record.
const leftLists = new Map<string, { read: Read<unknown>; place: Place }>()
const mostLeft = 5

const leave = (list: string, read: Read<unknown>, place: Place) => {
  leftLists.delete(list)
  if (place.top === 0) return
  leftLists.set(list, { read, place })
  if (leftLists.size > mostLeft) leftLists.delete(leftLists.keys().next().value!)
}

interface Span {
  first?: number | null | undefined
  after?: string | null | undefined
  next?: boolean | undefined
}

/**
 * useWalk reads a connection part by part: the first part at once, and the next one with each call of more. Its
 * document has the variables first, after and next (false for the first part) beside those given here. Old data stays
 * until the first part of a new connection has arrived or failed. A list that was left scrolled is shown as it was, and
 * read again up to that place.
 */
export function useWalk<T, D, V extends Span>(
  document: TypedDocumentString<D, V>,
  variables: Omit<V, 'first' | 'after' | 'next'>,
  partOf: (data: D) => Part<T> | null | undefined,
): Walk<T> {
  const proved = useProved()
  const name = document.toString() + JSON.stringify(variables)
  const list = JSON.stringify([variables, proved])
  const [begun] = useState(() => {
    const left = leftLists.get(name) as { read: Read<T>; place: Place } | undefined
    const read: Read<T> = left ? { ...left.read, of: '' } : { of: '', name, items: [], after: null, left: true }
    return { read, name, place: left?.place ?? { row: 0, top: 0 } }
  })
  const [turn, setTurn] = useState({ count: 0, of: list, rows: begun.place.row })
  const walk = list + turn.count
  const [read, setRead] = useState(begun.read)
  const [place, setPlace] = useState(begun)
  if (place.name !== name) setPlace({ ...begun, name, place: { row: 0, top: 0 } }) // another list begins at its top
  const [wanted, setWanted] = useState<{ of: string; after: string | null }>({ of: walk, after: null })
  // Returning to an earlier walk, as when a filter is cleared, starts again: nothing of it is kept.
  const after = wanted.of === walk && read.of === walk ? wanted.after : null
  const [reading, setReading] = useState(true)
  const [failure, setFailure] = useState<Failure>()
  const again = useOneAtATime(reading, () =>
    setTurn(({ count }) => ({ count: count + 1, of: list, rows: read.items.length })),
  )
  useEffect(() => {
    let gone = false
    setReading(true)
    // A list that is read again keeps its length, so that the scroll position stays.
    const least = after === null && turn.of === list ? Math.max(1, Math.min(turn.rows, mostAgain)) : 1
    const readOn = async () => {
      const found: Read<T> = { of: walk, name, items: [], after, left: true }
      while (!gone && found.left && found.items.length < least) {
        const first = Math.min(100, Math.max(after === null ? firstRows : 100, least - found.items.length))
        const span = { first, after: found.after, ...(found.after === null ? {} : { next: true }) }
        const part = partOf(await ask(document, { ...variables, ...span } as V))
        found.items.push(...(part?.nodes ?? []))
        found.after = part?.pageInfo.endCursor ?? null
        found.left = part?.pageInfo.hasNextPage ?? false
        if (part?.totalCount !== undefined) found.total = part.totalCount
      }
      return found
    }
    readOn().then(
      (found) => {
        if (gone) return
        if (after === null) setWanted({ of: walk, after: null })
        setRead((before) => {
          if (after === null) return found
          if (before.of !== walk || before.after !== after) return before // it is there already
          return { ...before, ...found, items: [...before.items, ...found.items] }
        })
        setFailure(undefined)
        setReading(false)
      },
      (cause) => {
        if (gone) return
        setFailure(cause instanceof Failure ? cause : new Failure('INTERNAL', String(cause)))
        setReading(false)
      },
    )
    return () => {
      gone = true
    }
    // The variables are compared by their text.
  }, [document, walk, after])
  const isRead = read.of === walk
  useEffect(() => () => void (isRead && leave(name, read, place.place)), [name, isRead, read, place])
  const isOther = failure !== undefined && read.name !== name
  return {
    items: isOther ? [] : read.items,
    of: read.name,
    total: isOther ? undefined : read.total,
    failure,
    reading,
    more: () => isRead && !reading && read.left && !failure && setWanted({ of: walk, after: read.after }),
    again,
    place: place.place,
  }
}

const none: string[] = []

/** useChoice returns the ids that are chosen of the items of a list, none of another one, and a function to choose. */
export function useChoice({ of, items }: Walk<{ id: string }>): [ids: string[], choose: (ids: string[]) => void] {
  const [choice, setChoice] = useState({ of, ids: none })
  const ids = choice.of === of ? choice.ids : none
  return [ids, (to) => setChoice({ of, ids: to })]
}
