// A list whose order is changed by dragging, or by keys.
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { say } from '../words'
import type { Option } from './choice'

interface SortedProps {
  label: string
  items: Option[]
  href: (id: string) => string
  /** The ids in their new order. */
  onOrder: (ids: string[]) => void
}

export function Sorted({ label, items, href, onOrder }: SortedProps) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const ids = items.map(({ id }) => id)
      const rest = ids.filter((id) => !keys.has(id))
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === 'after' ? 1 : 0)
      onOrder([...rest.slice(0, at), ...ids.filter((id) => keys.has(id)), ...rest.slice(at)])
    },
  })
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
