// The screens of the page. A new one is a file and a document in the folder screens, and a line here.
import type { ComponentType } from 'react'
import type { Permission } from './graphql/graphql'
import type { Place } from './router'
import type { Pair } from './words'

/** Shop is the shop that a screen is about. */
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

export interface Screen {
  /** Its place in addresses. */
  path: string
  name: Pair
  /** Who may use it: the menu leaves it out for others, and the service refuses them. */
  may: Permission
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
}

export const screens: Screen[] = [
  { path: 'orders', name: ['Orders', 'سفارش‌ها'], may: 'manageOrders', load: () => import('./screens/orders') },
  { path: 'products', name: ['Products', 'محصولات'], may: 'seeShop', load: () => import('./screens/products') },
  { path: 'brands', name: ['Brands', 'برندها'], may: 'seeShop', load: () => import('./screens/brands') },
]
