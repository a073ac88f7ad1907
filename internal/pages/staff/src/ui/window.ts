// A window on a long list: React Aria builds every row that it is given, and again with each change, so it is given those
// about what is on the screen, at the height where they stand among all.
import { useMemo, useState } from 'react'
import type { Key } from 'react-aria-components/Table'
import { TableLayout, type TableLayoutProps } from 'react-aria-components/Virtualizer'

const size = 150
const step = 25
const rowHeight = 44

interface Options extends TableLayoutProps {
  /** The place of each row in the whole list. */
  places: Map<Key, number>
}

type Update = Parameters<TableLayout<object, Options>['update']>[0]

/** WindowLayout is a table of which only some rows are there. */
export class WindowLayout extends TableLayout<object, Options> {
  private places = new Map<Key, number>()

  override shouldInvalidateLayoutOptions(after: Options, before: Options): boolean {
    return after.places !== before.places || super.shouldInvalidateLayoutOptions(after, before)
  }

  override update(context: Update): void {
    this.places = context.layoutOptions?.places ?? this.places
    super.update(context)
  }

  protected override buildRowGroup(...[y, body]: Parameters<TableLayout<object>['buildRowGroup']>) {
    const first = this.places.get(body.firstChildKey ?? '') ?? 0
    const built = super.buildRowGroup(y + first * rowHeight, body)
    const { rect } = built.layoutInfo
    rect.y = y
    rect.height = Math.max(rect.height + first * rowHeight, this.places.size * rowHeight)
    return built
  }
}

/** useWindow returns the rows to show of a list that is scrolled. */
export function useWindow<T extends { id: string }>(items: T[]) {
  const [at, setAt] = useState(0)
  const from = (at: number) => Math.max(0, Math.min(at - step, items.length - size))
  const places = useMemo(() => new Map(items.map(({ id }, i) => [id, i] as [Key, number])), [items])
  const first = from(at)
  return {
    rows: items.slice(first, first + size),
    /** Whether the last row of all is among them. */
    isAtEnd: first + size >= items.length,
    options: useMemo((): Options => ({ rowHeight, headingHeight: 36, loaderHeight: 36, places }), [places]),
    onScroll({ target }: { target: EventTarget }) {
      const to = Math.floor((target as Element).scrollTop / rowHeight / step) * step
      if (to === at) return
      // A row that is left behind must not call for the list to be scrolled back to it.
      const active = document.activeElement?.closest<HTMLElement>('[role=row]')
      const place = places.get(active?.dataset.key ?? '')
      if (place !== undefined && (place < from(to) || place >= from(to) + size)) (document.activeElement as HTMLElement).blur()
      setAt(to)
    },
  }
}
