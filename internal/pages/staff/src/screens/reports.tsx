// What the shop sold: figures, a chart by days, weeks or months, best products, provinces.
import { calendarOf, useFormats } from '../format'
import { ReportDocument, type ReportInterval, type ReportQuery } from '../graphql/graphql'
import { useReading } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Bars } from '../ui/bars'
import { Choice } from '../ui/choice'
import { namedIn, Problem } from '../ui/fields'
import { MomentIn } from '../ui/moment'
import { useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Figures', 'آمار'],
  from: ['From', 'از'],
  until: ['Until', 'تا'],
  interval: ['By', 'به تفکیک'],
  day: ['Days', 'روز'],
  week: ['Weeks', 'هفته'],
  month: ['Months', 'ماه'],
  orders: ['Orders', 'سفارش‌ها'],
  units: ['Units', 'کالاها'],
  revenue: ['Revenue', 'فروش'],
  paid: ['Paid', 'پرداخت‌شده'],
  average: ['Average order', 'میانگین سفارش'],
  discounts: ['Discounts', 'تخفیف‌ها'],
  refunds: ['Refunds', 'بازپرداخت‌ها'],
  cancelled: ['Cancelled orders', 'سفارش‌های لغوشده'],
  fresh: ['New customers', 'مشتریان تازه'],
  returning: ['Returning customers', 'مشتریان برگشته'],
  carts: ['Carts left', 'سبدهای رهاشده'],
  best: ['Best products', 'پرفروش‌ترین‌ها'],
  categories: ['Best categories', 'پرفروش‌ترین دسته‌ها'],
  others: ['without a category', 'بی‌دسته'],
  provinces: ['Provinces', 'استان‌ها'],
  due: ['Refunds due', 'بازپرداخت‌های بدهکار'],
  elsewhere: ['elsewhere', 'جاهای دیگر'],
  gone: ['deleted', 'حذف‌شده'],
} satisfies Record<string, Pair>

/** The beginning of the day, 29 days ago. */
const monthAgo = () => {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - 29)
  return day.toISOString()
}

export default function Reports({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const language = useLanguage()
  const from = place.filters.get('from') ?? monthAgo()
  const until = place.filters.get('until') ?? ''
  const interval = (place.filters.get('by') ?? 'day') as ReportInterval
  const filter = (changed: Record<string, string>) =>
    go(to(shop.domain, 'reports', [], { from, until, by: interval, ...changed }), true)
  const { data, failure } = useReading(ReportDocument, {
    shop: shop.id,
    from,
    until: until || null,
    interval,
    calendar: calendarOf(language),
  })
  const report = data?.shopReport
  return (
    <>
      <h1>{t.title}</h1>
      <div className="filters">
        <MomentIn label={t.from} value={from} onChange={(value) => filter({ from: value ?? '' })} />
        <MomentIn label={t.until} value={until || null} onChange={(value) => filter({ until: value ?? '' })} />
        <Choice
          label={t.interval}
          value={interval}
          onChange={(by) => filter({ by })}
          options={(['day', 'week', 'month'] as const).map((id) => ({ id, name: t[id] }))}
        />
      </div>
      <Problem>{namedIn(failure, t)}</Problem>
      {report && (
        <>
          <Totals report={report} />
          <Bars
            label={t.orders}
            bars={report.series.map(({ from: start, label, figures }) => ({
              id: start,
              label,
              value: figures.orders,
              shown: f.number(figures.orders),
            }))}
          />
          {report.total.money.map(({ currency }) => (
            <Bars
              key={currency}
              label={`${t.revenue} ${f.currency(currency)}`}
              bars={report.series.map(({ from: start, label, figures }) => {
                const sum = figures.money.find((sums) => sums.currency === currency)?.revenue
                return { id: start, label, value: Number(sum?.amount ?? 0), shown: sum ? f.money(sum) : '–' }
              })}
            />
          ))}
          <h2>{t.best}</h2>
          <ol>
            {report.products.map((product) => (
              <li key={product.productId}>
                <bdi>{(language === 'en' && product.titleEn) || product.titleFa || t.gone}</bdi>:{' '}
                {f.number(product.units)} · {product.revenue.map(f.money).join(' + ')}
              </li>
            ))}
          </ol>
          <h2>{t.categories}</h2>
          <ol>
            {report.categories.map((category) => (
              <li key={category.slug ?? ''}>
                <bdi>{(language === 'fa' ? category.nameFa : category.name) ?? t.others}</bdi>:{' '}
                {f.number(category.units)} · {category.revenue.map(f.money).join(' + ')}
              </li>
            ))}
          </ol>
          <h2>{t.provinces}</h2>
          <ul>
            {report.provinces.map((province) => (
              <li key={province.slug ?? ''}>
                <bdi>{(language === 'fa' ? province.nameFa : province.name) ?? t.elsewhere}</bdi>:{' '}
                {f.number(province.orders)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Totals({ report }: { report: NonNullable<ReportQuery['shopReport']> }) {
  const t = useWords(words)
  const f = useFormats()
  const { total, cartsLeft } = report
  const sums: [string, (sums: (typeof total.money)[number]) => Parameters<typeof f.money>[0] | null | undefined][] = [
    [t.revenue, ({ revenue }) => revenue],
    [t.paid, ({ paid }) => paid],
    [t.average, ({ averageOrder }) => averageOrder],
    [t.discounts, ({ discounts }) => discounts],
    [t.refunds, ({ refunds }) => refunds],
    [t.due, ({ refundsDue }) => refundsDue],
  ]
  const counts: [string, number][] = [
    [t.orders, total.orders],
    [t.units, total.units],
    [t.cancelled, total.cancelledOrders],
    [t.fresh, total.newCustomers],
    [t.returning, total.returningCustomers],
    [t.carts, cartsLeft.carts],
  ]
  return (
    <dl className="figures">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{f.number(count)}</dd>
        </div>
      ))}
      {sums.map(([name, of]) => (
        <div key={name}>
          <dt>{name}</dt>
          {total.money.length === 0 && <dd>–</dd>}
          {total.money.map((money) => {
            const sum = of(money)
            return <dd key={money.currency}>{sum ? f.money(sum) : '–'}</dd>
          })}
        </div>
      ))}
    </dl>
  )
}
