// Lists of records: a table on wide screens that reads more records as it is scrolled, with selectable rows. Only the
// rows near the visible part are rendered. To screen readers and the keyboard it is a grid (WAI-ARIA Authoring
// Practices, "Grid Pattern"). React Aria's own table takes a second for the first rows on a phone.
import {
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { Button } from 'react-aria-components/Button'
import { go } from '../router'
import { useLanguage, useWords, type Pair } from '../words'
import { Problem } from './fields'
import type { Walk } from './walk'

export interface ColumnOf<T> {
  id: string
  name: string
  width?: number
  /** Left out on phones. */
  wide?: boolean
  show: (item: T) => ReactNode
}

const words: Record<'empty' | 'reading' | 'select' | 'selectAll' | 'again', Pair> = {
  empty: ['Nothing is here.', 'چیزی این‌جا نیست.'],
  reading: ['Reading …', 'در حال خواندن …'],
  select: ['Select', 'انتخاب'],
  selectAll: ['Select all', 'انتخاب همه'],
  again: ['Try again', 'تلاش دوباره'],
}

interface ListProps<T> {
  label: string
  walk: Walk<T>
  columns: ColumnOf<T>[]
  /** The list is as high as its rows, all of which are rendered. */
  isWhole?: boolean
  /** The address of an item's own screen. */
  href?: (item: T) => string
  selected?: Set<string>
  onSelect?: (selected: Set<string>) => void
}

// As in style.css.
const rowHeight = 44
const headHeight = 36
/** How many rows are rendered above and below the visible ones; the rendered window moves by as many. */
const step = 8

const narrow = matchMedia('(max-width: 44rem)')
const subscribe = (heard: () => void) => {
  narrow.addEventListener('change', heard)
  return () => narrow.removeEventListener('change', heard)
}

export function List<T extends { id: string }>(props: ListProps<T>) {
  const { label, walk, columns: all, href, selected, onSelect, isWhole } = props
  const t = useWords(words)
  const language = useLanguage()
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches)
  const key = all.map(({ id }) => id).join() + language + isNarrow
  // The content of a column depends only on the item and the language, so that rows of unchanged items are not
  // rendered again.
  const columns = useMemo(() => (isNarrow ? all.filter(({ wide }) => !wide) : all), [key])
  const grid = useRef<HTMLDivElement>(null)
  const { items, place } = walk
  const [at, setAt] = useState(() => stepOf(place.top))
  /** The row that has the keyboard focus. */
  const [current, setCurrent] = useState(0)
  const isToFocus = useRef(false)
  const fit = Math.ceil(innerHeight / rowHeight)
  const end = Math.min(items.length, at + fit + step)
  const shown = []
  for (let i = Math.max(0, at - step); i < end; i++) shown.push(i)
  // The row that Tab leads to is rendered wherever the list is scrolled.
  const active = Math.min(current, items.length - 1)
  if (active >= 0 && !shown.includes(active)) shown.push(active)

  useEffect(() => {
    // The next rows are read long before they are visible, once the list is scrolled.
    if (end + (at > 0 ? 6 * fit : 0) >= items.length) walk.more()
  })
  useLayoutEffect(() => {
    if (grid.current) grid.current.scrollTop = place.top
  }, [place])
  useLayoutEffect(() => {
    if (!isToFocus.current) return
    isToFocus.current = false
    grid.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus({ preventScroll: true })
  }, [active, at])

  const onScroll = () => {
    const { scrollTop, clientHeight } = grid.current!
    Object.assign(place, { top: scrollTop, row: Math.ceil((scrollTop + clientHeight) / rowHeight) })
    setAt(stepOf(scrollTop))
  }
  const moveTo = (to: number) => {
    const row = Math.max(0, Math.min(items.length - 1, to))
    const { scrollTop, clientHeight } = grid.current!
    const space = clientHeight - headHeight - rowHeight
    grid.current!.scrollTop = Math.max(row * rowHeight - space, Math.min(scrollTop, row * rowHeight))
    isToFocus.current = true
    setCurrent(row)
    setAt(stepOf(grid.current!.scrollTop))
    return row
  }
  const toggle = (row: number) => {
    const id = items[row]?.id
    if (!onSelect || id === undefined) return
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const selectAll = () => onSelect?.(new Set(items.map(({ id }) => id)))
  const isAll = items.length > 0 && selected?.size === items.length

  const rowOf = ({ target }: { target: EventTarget }) => {
    const row = (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    return row === undefined ? undefined : Number(row)
  }
  const onClick = (event: MouseEvent) => {
    const row = rowOf(event)
    const target = event.target as Element
    if (row === undefined) return
    setCurrent(row)
    if (target.closest('a')) return // the browser follows it
    if (target.closest('.select')) return target.matches('input') ? toggle(row) : undefined
    const item = items[row]
    if (!item || !href || getSelection()?.isCollapsed === false) return // a text of the row was marked
    if (event.ctrlKey || event.metaKey) open(href(item), '_blank', 'noopener')
    else go(href(item))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowOf(event)
    if (row === undefined || event.altKey) return
    const page = Math.max(1, Math.floor(grid.current!.clientHeight / rowHeight) - 2)
    const keys = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: Infinity,
    }
    const to = keys[event.key as keyof typeof keys] as number | undefined
    const isAtRow = (event.target as Element).matches('[data-row]')
    if (to !== undefined) {
      const next = moveTo(to)
      if (event.shiftKey && onSelect) {
        const [from, until] = [Math.min(row, next), Math.max(row, next)]
        onSelect(new Set([...(selected ?? []), ...items.slice(from, until + 1).map(({ id }) => id)]))
      }
    } else if (event.key === ' ' && isAtRow && onSelect) toggle(row)
    else if (event.key === 'Enter' && isAtRow && href && items[row]) go(href(items[row]))
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && onSelect) selectAll()
    else if (event.key === 'Escape' && selected?.size) onSelect?.(new Set())
    else return
    event.preventDefault()
  }

  const widths = columns.map(({ width }) => (width ? `${width}px` : 'minmax(0, 1fr)')).join(' ')
  return (
    <>
      <Problem>{walk.failure?.message}</Problem>
      {walk.failure && <Button onPress={walk.again}>{t.again}</Button>}
      <div
        ref={grid}
        className={isWhole ? 'list whole' : 'list'}
        role="grid"
        aria-label={label}
        aria-rowcount={walk.total === undefined ? -1 : walk.total + 1}
        aria-colcount={columns.length + (onSelect ? 1 : 0)}
        aria-multiselectable={onSelect ? true : undefined}
        aria-busy={walk.reading}
        style={{ '--columns': onSelect ? `44px ${widths}` : widths } as CSSProperties}
        onScroll={onScroll}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="head">
          <div role="row" aria-rowindex={1}>
            {onSelect && (
              <span role="columnheader" className="select">
                <input
                  type="checkbox"
                  aria-label={t.selectAll}
                  checked={isAll}
                  ref={(box) => void (box && (box.indeterminate = !isAll && Boolean(selected?.size)))}
                  onChange={() => (isAll ? onSelect(new Set()) : selectAll())}
                />
              </span>
            )}
            {columns.map(({ id, name }) => (
              <span key={id} role="columnheader">
                {name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="rows" style={{ height: items.length * rowHeight }}>
          {items.length === 0 && (
            <div role="row">
              <p role="gridcell" className="empty" tabIndex={0}>
                {walk.reading ? t.reading : t.empty}
              </p>
            </div>
          )}
          {shown.map((i) => {
            const item = items[i]!
            return (
              <Row
                key={item.id}
                item={item}
                row={i}
                columns={columns}
                href={href?.(item)}
                isActive={i === active}
                selected={selected && selected.has(item.id)}
                select={t.select}
              />
            )
          })}
        </div>
      </div>
    </>
  )
}

const stepOf = (top: number) => Math.floor(top / rowHeight / step) * step

interface RowProps<T> {
  item: T
  /** Its index in the whole list. */
  row: number
  columns: ColumnOf<T>[]
  href: string | undefined
  /** Whether Tab leads to it. */
  isActive: boolean
  /** undefined if it cannot be selected. */
  selected: boolean | undefined
  select: string
}

function RowOf<T extends { id: string }>({ item, row, columns, href, isActive, selected, select }: RowProps<T>) {
  const tabIndex = isActive ? 0 : -1
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 2}
      aria-selected={selected}
      tabIndex={tabIndex}
      style={{ top: row * rowHeight }}
    >
      {selected !== undefined && (
        <span role="gridcell" className="select">
          <input
            type="checkbox"
            id={`select-${row}`}
            aria-label={select}
            aria-labelledby={`select-${row} row-${row}`}
            checked={selected}
            tabIndex={tabIndex}
            onChange={() => {}}
          />
        </span>
      )}
      {columns.map(({ id, show }, i) => (
        <span
          key={id}
          id={i === 0 && selected !== undefined ? `row-${row}` : undefined}
          role={i === 0 ? 'rowheader' : 'gridcell'}
        >
          {i === 0 && href ? (
            <a href={href} tabIndex={-1}>
              {show(item)}
            </a>
          ) : (
            show(item)
          )}
        </span>
      ))}
    </div>
  )
}

const Row = memo(RowOf) as typeof RowOf // memo forgets that it takes items of any kind
