// Short lists of records, which are read whole.
import type { ReactNode } from 'react'
import { List, type ColumnOf } from './list'

interface RowsProps<T> {
  label: string
  items: T[]
  reading: boolean
  columns: ColumnOf<T>[]
  href?: (item: T) => string
}

/** Rows shows a list as List does, without reading on. */
export function Rows<T extends { id: string }>({ items, reading, ...more }: RowsProps<T>): ReactNode {
  const walk = { items, total: items.length, failure: undefined, reading, more: () => {}, again: () => {} }
  return <List {...more} walk={walk} />
}
