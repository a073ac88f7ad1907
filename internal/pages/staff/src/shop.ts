// The shop that the screens are about, for parts that lie deep in them.
import { createContext, useContext } from 'react'
import type { Shop } from './screens'

export const ShopContext = createContext<Shop | null>(null)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('useShop is used outside of a screen')
  return shop
}
