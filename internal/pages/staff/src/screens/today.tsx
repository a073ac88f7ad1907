// What is to be done now, for whoever is signed in, and how the shop sells.
import { useMemo } from 'react'
import { disputed, refundDue, todayOf } from '../ahead'
import { useFormats } from '../format'
import { TodayDocument } from '../graphql/graphql'
import { useOrderChanges } from '../live'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { Bars } from '../ui/bars'
import { Problem } from '../ui/fields'
import { useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Today', 'امروز'],
  pending: ['orders wait to be confirmed', 'سفارش در انتظار تأیید'],
  toSend: ['orders are to be sent', 'سفارش آماده ارسال'],
  refunds: ['refunds are due', 'بازپرداخت بدهکار'],
  disputes: ['payments are contested at the bank', 'پرداخت مورد اعتراض در بانک'],
  low: ['variants run out', 'تنوع رو به پایان'],
  comments: ['comments wait', 'دیدگاه در انتظار'],
  reviews: ['reviews wait', 'نقد در انتظار'],
  messages: ['messages wait', 'پیام در انتظار'],
  sold: ['Sold today', 'فروش امروز'],
  paid: ['of which is paid', 'که پرداخت شده'],
  orders: ['Orders today', 'سفارش‌های امروز'],
  days: ['Orders of the last 14 days', 'سفارش‌های ۱۴ روز گذشته'],
  nothing: ['Nothing waits for you.', 'چیزی در انتظار شما نیست.'],
} satisfies Record<string, Pair>

export default function Today({ shop }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const language = useLanguage()
  const asked = useMemo(() => todayOf(shop), [shop, language])
  const { data, failure, again } = useReading(TodayDocument, asked)
  useOrderChanges(shop, again)
  const days = data?.shopReport?.series ?? []
  const today = days.at(-1)?.figures
  const tasks: [count: number | undefined, words: string, href: string][] = [
    [data?.pending?.totalCount, t.pending, to(shop.domain, 'orders', [], { status: 'pending' })],
    [data?.toSend?.totalCount, t.toSend, to(shop.domain, 'orders', [], { status: 'processing' })],
    [data?.refunds?.totalCount, t.refunds, to(shop.domain, 'orders', [], { status: refundDue })],
    [data?.disputes?.totalCount, t.disputes, to(shop.domain, 'orders', [], { status: disputed })],
    [data?.low?.totalCount, t.low, to(shop.domain, 'stock', [], { low: 'yes' })],
    [data?.moderationCounts?.comments, t.comments, to(shop.domain, 'opinions', ['comments'])],
    [data?.moderationCounts?.reviews, t.reviews, to(shop.domain, 'opinions', ['reviews'])],
    [data?.messages?.totalCount, t.messages, to(shop.domain, 'messages')],
  ]
  const waiting = tasks.filter(([count]) => count)
  return (
    <>
      <h1>{t.title}</h1>
      <Problem>{failure?.message}</Problem>
      {data && waiting.length === 0 && <p className="empty">{t.nothing}</p>}
      <ul className="tasks">
        {waiting.map(([count, what, href]) => (
          <li key={what}>
            <a href={href}>
              <strong>{f.number(count ?? 0)}</strong> {what}
            </a>
          </li>
        ))}
      </ul>
      {today && (
        <>
          <dl className="figures">
            <div>
              <dt>{t.orders}</dt>
              <dd>{f.number(today.orders)}</dd>
            </div>
            {today.money.map(({ currency, revenue, paid }) => (
              <div key={currency}>
                <dt>{t.sold}</dt>
                <dd>{f.money(revenue)}</dd>
                <dt>
                  {t.paid}: {f.money(paid)}
                </dt>
              </div>
            ))}
          </dl>
          <Bars
            label={t.days}
            bars={days.map(({ from: start, label, figures }) => ({
              id: start,
              label,
              value: figures.orders,
              shown: [f.number(figures.orders), ...figures.money.map(({ revenue }) => f.money(revenue))].join(' · '),
            }))}
          />
        </>
      )}
    </>
  )
}
