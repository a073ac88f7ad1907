// The shop that a screen is about: a property of the screen, and a context for its nested parts.
import { createContext, useContext } from 'react'
import type { Permission } from './graphql/graphql'
import type { Place } from './router'

export interface Shop {
  id: string
  domain: string
  name: string
  permissions: Permission[]
}

export interface ScreenProps {
  shop: Shop
  place: Place
}

export const ShopContext = createContext<Shop | null>(null)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('useShop is used outside of a screen')
  return shop
}
