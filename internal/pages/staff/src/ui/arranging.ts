import { useRef } from 'react'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'

/**
 * useArranging lets users reorder a list by dragging or by keys, and calls onOrder with the ids in their new
 * order.
 */
export function useArranging(ids: string[], onOrder: (ids: string[]) => void) {
  const latest = useRef(ids)
  latest.current = ids
  return useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const moved = latest.current.filter((id) => keys.has(id))
      const rest = latest.current.filter((id) => !keys.has(id))
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === 'after' ? 1 : 0)
      onOrder([...rest.slice(0, at), ...moved, ...rest.slice(at)])
    },
  }).dragAndDropHooks
}
