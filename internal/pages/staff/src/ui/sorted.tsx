// A list whose order is changed by dragging, or by keys.
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { say } from '../words'
import { useArranging } from './arranging'
import type { Option } from './choice'

interface SortedProps {
  label: string
  items: Option[]
  href: (id: string) => string
  /** The ids in their new order. */
  onOrder: (ids: string[]) => void
}

export function Sorted({ label, items, href, onOrder }: SortedProps) {
  const dragAndDropHooks = useArranging(
    items.map(({ id }) => id),
    onOrder,
  )
  return (
    <GridList aria-label={label} items={items} dragAndDropHooks={dragAndDropHooks} className="sorted">
      {({ id, name }) => (
        <GridListItem id={id} textValue={name} href={href(id)}>
          <Button slot="drag" aria-label={say(['Move', 'جابه‌جایی'])}>
            ⠿
          </Button>
          {name}
        </GridListItem>
      )}
    </GridList>
  )
}
