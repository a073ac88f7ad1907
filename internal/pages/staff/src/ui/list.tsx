// Lists of records: a table on wide screens, read on as it is scrolled, with rows that can be selected.
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Collection } from 'react-aria-components/Collection'
import { Cell, Column, Row, Table, TableBody, TableHeader, TableLoadMoreItem, useTableOptions, type Key } from 'react-aria-components/Table'
import { Virtualizer } from 'react-aria-components/Virtualizer'
import { ask, Failure } from '../api'
import type { TypedDocumentString } from '../graphql/graphql'
import { useProved } from '../query'
import { useLanguage, useWords, type Pair } from '../words'
import { Problem } from './fields'
import { useWindow, WindowLayout } from './window'

export interface Walk<T> {
  items: T[]
  /** Of the whole list. */
  total: number | undefined
  failure: Failure | undefined
  reading: boolean
  more: () => void
  again: () => void
}

interface Part<T> {
  nodes: T[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
  totalCount: number
}

/** What was read of a list: of is the walk that it belongs to. */
interface Read<T> {
  of: string
  items: T[]
  after: string | null
  left: boolean
  total?: number
}

/** How many rows are read at once where a list is read again. */
const mostAgain = 2000

/**
 * useWalk walks a connection: it reads the first part, and the next one with each call of more. Its document has the
 * variables first and after beside those given here. What was read stays until the first part of another walk is there.
 */
export function useWalk<T, D, V extends { first?: number | null; after?: string | null }>(
  document: TypedDocumentString<D, V>,
  variables: Omit<V, 'first' | 'after'>,
  partOf: (data: D) => Part<T> | null | undefined,
): Walk<T> {
  const [turn, setTurn] = useState({ count: 0, of: '', rows: 0 })
  const proved = useProved()
  const list = JSON.stringify([variables, proved])
  const walk = list + turn.count
  const [read, setRead] = useState<Read<T>>({ of: '', items: [], after: null, left: true })
  const [wanted, setWanted] = useState<{ of: string; after: string | null }>({ of: walk, after: null })
  const after = wanted.of === walk ? wanted.after : null
  const [reading, setReading] = useState(true)
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    let gone = false
    setReading(true)
    // A list that is read again is as long as it was, so that whoever looks at it stays where they are.
    const least = after === null && turn.of === list ? Math.max(1, Math.min(turn.rows, mostAgain)) : 1
    const readOn = async () => {
      const found: Read<T> = { of: walk, items: [], after, left: true }
      while (!gone && found.left && found.items.length < least) {
        const first = Math.min(100, Math.max(50, least - found.items.length))
        const part = partOf(await ask(document, { ...variables, first, after: found.after } as unknown as V))
        found.items.push(...(part?.nodes ?? []))
        found.after = part?.pageInfo.endCursor ?? null
        found.left = part?.pageInfo.hasNextPage ?? false
        if (part) found.total = part.totalCount
      }
      return found
    }
    readOn().then(
      (found) => {
        if (gone) return
        setRead((before) => ({ ...found, items: after === null ? found.items : [...before.items, ...found.items] }))
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
  return {
    items: read.items,
    total: read.total,
    failure,
    reading,
    more: () => read.of === walk && !reading && read.left && !failure && setWanted({ of: walk, after: read.after }),
    again: () => setTurn(({ count }) => ({ count: count + 1, of: list, rows: read.items.length })),
  }
}

export interface ColumnOf<T> {
  id: string
  name: string
  width?: number
  /** Left out on phones. */
  wide?: boolean
  show: (item: T) => ReactNode
}

const words: Record<'empty' | 'reading' | 'select' | 'again', Pair> = {
  empty: ['Nothing is here.', 'چیزی این‌جا نیست.'],
  reading: ['Reading …', 'در حال خواندن …'],
  select: ['Select', 'انتخاب'],
  again: ['Try again', 'تلاش دوباره'],
}

interface ListProps<T> {
  label: string
  walk: Walk<T>
  columns: ColumnOf<T>[]
  /** The address of an item's own screen. */
  href?: (item: T) => string
  selected?: Set<Key>
  onSelect?: (selected: Set<Key>) => void
}

const narrow = matchMedia('(max-width: 44rem)')
const subscribe = (heard: () => void) => {
  narrow.addEventListener('change', heard)
  return () => narrow.removeEventListener('change', heard)
}

export function List<T extends { id: string }>({ label, walk, columns: all, href, selected, onSelect }: ListProps<T>) {
  const t = useWords(words)
  const language = useLanguage()
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches)
  const columns = isNarrow ? all.filter(({ wide }) => !wide) : all
  const key = useMemo(() => columns.map((c) => c.id).join(), [columns])
  const shown = useWindow(walk.items)
  return (
    <>
      <Problem>{walk.failure?.message}</Problem>
      {walk.failure && <Button onPress={walk.again}>{t.again}</Button>}
      <Virtualizer layout={WindowLayout} layoutOptions={shown.options}>
        <Table
          aria-label={label}
          className="list"
          onScroll={shown.onScroll}
          selectionMode={onSelect ? 'multiple' : 'none'}
          {...(selected ? { selectedKeys: selected } : {})}
          {...(onSelect
            ? { onSelectionChange: (keys) => onSelect(new Set(keys === 'all' ? walk.items.map(({ id }) => id) : keys)) }
            : {})}
        >
          <Head columns={columns} />
          <TableBody renderEmptyState={() => <p className="empty">{walk.reading ? t.reading : t.empty}</p>}>
            {/* Rows are kept as long as their items, so that the next ones cost what they are, not what all are. */}
            <Collection items={shown.rows} dependencies={[key, language, Boolean(onSelect)]}>
              {(item) => (
                <Row id={item.id} {...(href ? { href: href(item) } : {})} textValue={item.id}>
                  {onSelect && (
                    <Cell>
                      <Checkbox slot="selection" className="check">
                        <span aria-hidden="true" />
                      </Checkbox>
                    </Cell>
                  )}
                  {columns.map((column) => (
                    <Cell key={column.id}>{column.show(item)}</Cell>
                  ))}
                </Row>
              )}
            </Collection>
            {shown.isAtEnd && (
              <TableLoadMoreItem scrollOffset={2} isLoading={walk.reading && walk.items.length > 0} onLoadMore={walk.more}>
                {t.reading}
              </TableLoadMoreItem>
            )}
          </TableBody>
        </Table>
      </Virtualizer>
    </>
  )
}

function Head<T>({ columns }: { columns: ColumnOf<T>[] }) {
  const t = useWords(words)
  const { selectionBehavior, selectionMode } = useTableOptions()
  return (
    <TableHeader>
      {selectionMode !== 'none' && selectionBehavior === 'toggle' && (
        <Column width={44} minWidth={44} textValue={t.select}>
          <Checkbox slot="selection" className="check">
            <span aria-hidden="true" />
          </Checkbox>
        </Column>
      )}
      {columns.map((column, i) => (
        <Column key={column.id} isRowHeader={i === 0} {...(column.width ? { width: column.width } : {})}>
          {column.name}
        </Column>
      ))}
    </TableHeader>
  )
}
