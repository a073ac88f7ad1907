// The payments that the shop has received, for its accountant: by day and account, and as a sheet.
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../format'
import { ShopPaymentsDocument, type PaymentType } from '../graphql/graphql'
import { useOrderChanges } from '../live'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Badge } from '../ui/bits'
import { List } from '../ui/list'
import { DayIn } from '../ui/moment'
import { SheetOut } from '../ui/sheets'
import { useWalk } from '../ui/walk'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Payments', 'پرداخت‌ها'],
  from: ['From', 'از'],
  until: ['Until', 'تا'],
  allAccounts: ['All accounts', 'همه حساب‌ها'],
  number: ['Order', 'سفارش'],
  day: ['Day', 'روز'],
  amount: ['Amount', 'مبلغ'],
  refunded: ['Given back', 'برگشت‌داده‌شده'],
  status: ['Status', 'وضعیت'],
  account: ['Account', 'حساب'],
  reference: ['Reference', 'شماره پیگیری'],
  card: ['Card', 'کارت'],
} satisfies Record<string, Pair>

const types: Record<PaymentType, Pair> = {
  transfer: ['Transfer', 'انتقال وجه'],
  cash: ['Cash', 'نقدی'],
  pos: ['Card terminal', 'کارت‌خوان'],
  e_payment_gate: ['Gateway', 'درگاه'],
}

export default function Payments({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const type = useWords(types)
  const f = useFormats()
  const at = (name: string) => place.filters.get(name) ?? ''
  const filters = { from: at('from'), until: at('until'), account: at('account') }
  const filter = (changed: Partial<typeof filters>) =>
    go(to(shop.domain, 'payments', [], { ...filters, ...changed }), true)
  const walk = useWalk(
    ShopPaymentsDocument,
    {
      shop: shop.id,
      accountId: filters.account || null,
      firstDay: filters.from || null,
      lastDay: filters.until || null,
    },
    (data) => data.shopPaymentsConnection,
  )
  useOrderChanges(shop, walk.again)
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <div className="filters">
        <SheetOut shop={shop} kind="payments" />
        <DayIn label={t.from} value={filters.from} onChange={(from) => filter({ from })} />
        <DayIn label={t.until} value={filters.until} onChange={(until) => filter({ until })} />
        {filters.account && <Button onPress={() => filter({ account: '' })}>{t.allAccounts}</Button>}
      </div>
      <List
        label={t.title}
        walk={walk}
        href={({ orderId }) => to(shop.domain, 'orders', [orderId])}
        columns={[
          { id: 'number', name: t.number, wide: true, width: 110, show: (p) => <bdi>{p.orderNumber}</bdi> },
          // noon of the browser's zone
          { id: 'day', name: t.day, wide: true, width: 120, show: ({ day }) => f.day(`${day}T12:00`) },
          { id: 'amount', name: t.amount, show: (p) => f.money(p.amountMoney) },
          {
            id: 'refunded',
            name: t.refunded,
            wide: true,
            show: (p) => Number(p.refundedAmountMoney.amount) > 0 && f.money(p.refundedAmountMoney),
          },
          { id: 'status', name: t.status, width: 135, show: (p) => <Badge value={p.isTest ? 'test' : p.state} /> },
          {
            id: 'account',
            name: t.account,
            wide: true,
            show: ({ account, type: of }) =>
              account ? (
                <a href={to(shop.domain, 'payments', [], { account: account.id })}>
                  <bdi>{`${account.gateway} …${account.last4}`}</bdi>
                </a>
              ) : (
                type[of]
              ),
          },
          {
            id: 'reference',
            name: t.reference,
            wide: true,
            width: 210,
            show: (p) => <bdi>{p.reference ?? p.theirs ?? p.transferRefNumber}</bdi>,
          },
          { id: 'card', name: t.card, wide: true, width: 70, show: ({ card }) => <bdi dir="ltr">{card}</bdi> },
        ]}
      />
    </>
  )
}
