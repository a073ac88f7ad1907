// One customer: personal data, orders and payments, and delivery addresses.
import { useFormats, type Money } from '../format'
import { OneCustomerDocument, type OneCustomerQuery } from '../graphql/graphql'
import { useReading } from '../query'
import { back, to } from '../router'
import type { ScreenProps } from '../shop'
import { addressOf, Badge, Mail, nameOf } from '../ui/bits'
import { Problem } from '../ui/fields'
import { Rows } from '../ui/rows'
import { useWords, type Pair } from '../words'

const words = {
  back: ['All customers', 'همه مشتریان'],
  none: ['The shop has no customer of this cell number.', 'فروشگاه مشتری‌ای با این شماره ندارد.'],
  since: ['Since', 'عضویت'],
  orders: ['Orders', 'سفارش‌ها'],
  newest: ['Of the newest 100 orders', 'از ۱۰۰ سفارش آخر'],
  ordered: ['Ordered, except cancelled orders', 'سفارش‌ها بدون لغوشده‌ها'],
  paid: ['of which paid', 'که پرداخت شده'],
  addresses: ['Addresses of the orders', 'نشانی سفارش‌ها'],
  number: ['Number', 'شماره'],
  placed: ['Placed', 'زمان ثبت'],
  status: ['Status', 'وضعیت'],
  payment: ['Payment', 'پرداخت'],
  total: ['Total', 'مبلغ کل'],
} satisfies Record<string, Pair>

type Order = NonNullable<OneCustomerQuery['shopOrdersConnection']>['nodes'][number]['order']

/** units returns an amount as a whole number of the smallest unit, in which amounts are added exactly. */
const units = ({ amount, decimals }: Money) => {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(decimals, '0').slice(0, decimals))
}

/** sumOf returns the money of orders in one currency. */
function sumOf(orders: Order[], { currency, decimals }: Money): Money {
  const sum = orders
    .reduce((sum, { totalMoney }) => sum + units(totalMoney), 0n)
    .toString()
    .padStart(decimals + 1, '0')
  const amount = decimals > 0 ? `${sum.slice(0, -decimals)}.${sum.slice(-decimals)}` : sum
  return { amount, currency, decimals }
}

/** sums returns, for each currency, what was ordered and what of it is paid. */
function sums(orders: Order[]) {
  const kept = orders.filter(({ status }) => status !== 'cancelled')
  const moneys = new Map(kept.map(({ totalMoney }) => [totalMoney.currency, totalMoney]))
  return [...moneys.values()].map((money) => {
    const same = kept.filter(({ totalMoney }) => totalMoney.currency === money.currency)
    return {
      ordered: sumOf(same, money),
      paid: sumOf(
        same.filter(({ payment }) => payment.status === 'paid'),
        money,
      ),
    }
  })
}

export default function Customer({ shop, cell }: ScreenProps & { cell: string }) {
  const t = useWords(words)
  const f = useFormats()
  const seesOrders = shop.permissions.includes('manageOrders')
  const { data, failure, reading } = useReading(OneCustomerDocument, { shop: shop.id, cell, orders: seesOrders })
  const customer = data?.shopCustomersConnection?.nodes[0]
  const found = data?.shopOrdersConnection
  const orders = (found?.nodes ?? []).map(({ order }) => order)
  const addresses = [...new Set(orders.map(({ shippingAddress }) => addressOf(shippingAddress)))]
  return (
    <article>
      <p>
        <a href={back(shop.domain, 'customers')}>{t.back}</a>
      </p>
      <Problem>{failure?.message}</Problem>
      {data && !customer && (
        <>
          <h1>
            <bdi dir="ltr">{cell}</bdi>
          </h1>
          <p className="empty">{t.none}</p>
        </>
      )}
      {customer && (
        <>
          <h1>{nameOf(customer)}</h1>
          <p>
            <a href={`tel:${customer.cellNumber}`} dir="ltr">
              {customer.cellNumber}
            </a>
            {customer.email && (
              <>
                {' · '}
                <Mail address={customer.email} />
              </>
            )}
            {' · '}
            {t.since} {customer.memberSince && f.day(customer.memberSince)}
          </p>
        </>
      )}
      {found && (
        <>
          <h2>
            {t.orders} <small>{f.number(found.totalCount)}</small>
          </h2>
          {found.totalCount > orders.length && <p className="help">{t.newest}</p>}
          <dl className="figures">
            {sums(orders).map(({ ordered, paid }) => (
              <div key={ordered.currency}>
                <dt>{t.ordered}</dt>
                <dd>{f.money(ordered)}</dd>
                <dt>{t.paid}</dt>
                <dd>{f.money(paid)}</dd>
              </div>
            ))}
          </dl>
          <Rows
            label={t.orders}
            items={orders}
            reading={reading}
            href={({ id }) => to(shop.domain, 'orders', [id])}
            columns={[
              { id: 'number', name: t.number, width: 110, show: ({ orderNumber }) => <bdi>{orderNumber}</bdi> },
              { id: 'placed', name: t.placed, wide: true, show: ({ createdAt }) => f.moment(createdAt) },
              { id: 'status', name: t.status, show: ({ status }) => <Badge value={status} /> },
              { id: 'payment', name: t.payment, wide: true, show: ({ payment }) => <Badge value={payment.status} /> },
              { id: 'total', name: t.total, width: 150, show: ({ totalMoney }) => f.money(totalMoney) },
            ]}
          />
          {addresses.length > 0 && <h2>{t.addresses}</h2>}
          {addresses.map((address) => (
            <address key={address}>
              <bdi>{address}</bdi>
            </address>
          ))}
        </>
      )}
    </article>
  )
}
