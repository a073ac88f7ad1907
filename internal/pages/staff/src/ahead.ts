// What screens ask first. It is asked for ahead of them, so that it is on its way while they are.
import { askAhead } from './api'
import { OrdersDocument, RecordsDocument, TodayDocument } from './graphql/graphql'
import type { ListingStatus, MeQuery, OrderStatus, StaffRecordKind } from './graphql/graphql'
import type { Place } from './router'
import type { Shop } from './shop'
import { calendarOf } from './format'
import { language, type Language } from './words'

/** The shops that the signed-in account works for. */
export const shopsOf = (data: MeQuery, language: Language): Shop[] =>
  (data.me?.workplaces ?? []).flatMap(({ businessId, domain, name, nameFa, permissions }) =>
    businessId
      ? [
          {
            id: businessId,
            domain: domain ?? '',
            name: (language === 'fa' ? nameFa : name) ?? domain ?? '',
            permissions,
          },
        ]
      : [],
  )

export const firstRows = 50

/** The beginning of the day, 13 days ago. */
const from = () => {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - 13)
  return day.toISOString()
}

export const todayOf = ({ id, permissions }: Shop) => ({
  shop: id,
  orders: permissions.includes('manageOrders'),
  stock: permissions.includes('changeStock'),
  opinions: permissions.includes('moderate'),
  messages: permissions.includes('readContacts'),
  figures: permissions.includes('seeFigures'),
  from: from(),
  calendar: calendarOf(language()),
})

export const recordsOf = (shop: Shop, { filters }: Place, kind: StaffRecordKind) => ({
  shop: shop.id,
  kind,
  status: (filters.get('status') || null) as ListingStatus | null,
  name: filters.get('find') || null,
})

/** Statuses, in the address of the list of orders, that select orders with a refund due or a payment that is contested. */
export const refundDue = 'refundDue'
export const disputed = 'disputed'

export const ordersOf = (shop: Shop, { filters }: Place) => {
  const find = filters.get('find') ?? ''
  const status = filters.get('status') || null
  const isCell = /^[+0۰٠]/.test(find)
  return {
    shop: shop.id,
    status: status === refundDue || status === disputed ? null : (status as OrderStatus | null),
    refundDue: status === refundDue || null,
    disputed: status === disputed || null,
    orderNumber: find && !isCell ? find : null,
    cellNumber: isCell ? find : null,
  }
}

const firstPart = { first: firstRows, after: null }

/** askForScreen sends the first query of the screen at a place. */
export function askForScreen(shop: Shop, place: Place) {
  if (place.screen === 'today') void askAhead(TodayDocument, todayOf(shop))
  if (place.rest.length > 0) return
  if (place.screen === 'products')
    void askAhead(RecordsDocument, { ...recordsOf(shop, place, 'product'), ...firstPart })
  if (place.screen === 'orders') void askAhead(OrdersDocument, { ...ordersOf(shop, place), ...firstPart })
}
