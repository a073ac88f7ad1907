// The screens of the page. A new one is a file and a document in the folder screens, and a line here.
import type { ComponentType } from 'react'
import type { Permission } from './graphql/graphql'
import type { ScreenProps } from './shop'
import type { Pair } from './words'

export interface Screen {
  /** Its place in addresses. */
  path: string
  name: Pair
  /**
   * The permission to use it: the menu hides it from others, and the service refuses them. Absent: every user.
   */
  may?: Permission
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
}

export const screens: Screen[] = [
  { path: 'today', name: ['Today', 'امروز'], may: 'seeShop', load: () => import('./screens/today') },
  { path: 'reports', name: ['Figures', 'آمار'], may: 'seeFigures', load: () => import('./screens/reports') },
  { path: 'orders', name: ['Orders', 'سفارش‌ها'], may: 'manageOrders', load: () => import('./screens/orders') },
  {
    path: 'payments',
    name: ['Payments', 'پرداخت‌ها'],
    may: 'manageOrders',
    load: () => import('./screens/payments'),
  },
  { path: 'products', name: ['Products', 'محصولات'], may: 'seeShop', load: () => import('./screens/products') },
  { path: 'stock', name: ['Stock and prices', 'موجودی و قیمت'], may: 'seeShop', load: () => import('./screens/stock') },
  { path: 'categories', name: ['Categories', 'دسته‌ها'], may: 'seeShop', load: () => import('./screens/categories') },
  { path: 'brands', name: ['Brands', 'برندها'], may: 'seeShop', load: () => import('./screens/brands') },
  { path: 'home', name: ['Home page', 'صفحه نخست'], may: 'seeShop', load: () => import('./screens/home') },
  { path: 'blogs', name: ['Blogs', 'نوشته‌ها'], may: 'seeShop', load: () => import('./screens/blogs') },
  {
    path: 'portfolios',
    name: ['Portfolios', 'نمونه‌کارها'],
    may: 'seeShop',
    load: () => import('./screens/portfolios'),
  },
  { path: 'media', name: ['Images', 'تصویرها'], may: 'editContent', load: () => import('./screens/media') },
  { path: 'listings', name: ['Listings', 'آگهی‌ها'], may: 'manageListings', load: () => import('./screens/listings') },
  { path: 'opinions', name: ['Opinions', 'دیدگاه‌ها'], may: 'moderate', load: () => import('./screens/opinions') },
  { path: 'messages', name: ['Messages', 'پیام‌ها'], may: 'readContacts', load: () => import('./screens/messages') },
  { path: 'customers', name: ['Customers', 'مشتریان'], may: 'seeCustomers', load: () => import('./screens/customers') },
  { path: 'team', name: ['Team', 'همکاران'], may: 'manageStaff', load: () => import('./screens/team') },
  {
    path: 'webhooks',
    name: ['Webhooks', 'وب‌هوک‌ها'],
    may: 'manageWebhooks',
    load: () => import('./screens/webhooks'),
  },
  {
    path: 'gateways',
    name: ['Payment gateways', 'درگاه‌های پرداخت'],
    may: 'editShop',
    load: () => import('./screens/gateways'),
  },
  { path: 'audit', name: ['Audit log', 'رویدادنگار'], may: 'readAudit', load: () => import('./screens/audit') },
  { path: 'delivery', name: ['Delivery', 'ارسال'], may: 'seeShop', load: () => import('./screens/delivery') },
  { path: 'taxes', name: ['Taxes', 'مالیات'], may: 'seeShop', load: () => import('./screens/taxes') },
  { path: 'settings', name: ['Settings', 'تنظیمات'], may: 'seeShop', load: () => import('./screens/settings') },
  { path: 'account', name: ['Your account', 'حساب شما'], load: () => import('./screens/account') },
]
