// The shop of the screens, as a context for nested parts.
import { createContext, useContext } from 'react'
import type { Shop } from './screens'

export const ShopContext = createContext<Shop | null>(null)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('useShop is used outside of a screen')
  return shop
}
