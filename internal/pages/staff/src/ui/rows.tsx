// Short lists of records, which are read whole.
import { useState, type ReactNode } from 'react'
import { List, type ColumnOf } from './list'

interface RowsProps<T> {
  label: string
  items: T[]
  reading: boolean
  columns: ColumnOf<T>[]
  href?: (item: T) => string
}

const still = { of: '', failure: undefined, more: () => {}, again: () => {} }

/** Rows shows a complete list as List does. */
export function Rows<T extends { id: string }>({ items, reading, ...more }: RowsProps<T>): ReactNode {
  const [place] = useState({ row: 0, top: 0 })
  const walk = { ...still, items, total: items.length, reading, place }
  return <List {...more} walk={walk} isWhole />
}
