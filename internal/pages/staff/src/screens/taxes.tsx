// Taxes: the rates that the shop charges, and one rate.
import {
  CreateTaxRateDocument,
  DeleteTaxRateDocument,
  TaxRatesDocument,
  UpdateTaxRateDocument,
  type TaxRateInput,
  type TaxRatesQuery,
} from '../graphql/graphql'
import { useFormats } from '../format'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { orNull } from '../ui/editor'
import { Problem, TextIn } from '../ui/fields'
import { DayIn } from '../ui/moment'
import { NumberIn, type Typed } from '../ui/number'
import { RecordEditor } from '../ui/record'
import { Unread } from '../ui/unread'
import { either, useWords, type Pair } from '../words'

const words = {
  title: ['Taxes', 'مالیات'],
  help: [
    'Without a rate nothing is taxed. Of the rates of a category that hold on a day, the one that began last is charged. Whether prices contain taxes is among the rules of orders.',
    'تا نرخی نباشد، مالیاتی گرفته نمی‌شود. از نرخ‌های یک دسته که در یک روز برقرارند، آن که دیرتر آغاز شده گرفته می‌شود. این که قیمت‌ها مالیات را در بر دارند، در قاعده‌های سفارش است.',
  ],
  add: ['Add a tax rate', 'افزودن نرخ مالیات'],
  category: ['Category', 'دسته'],
  categories: [
    'standard for variants without a tax category, delivery for delivery, or one of variants',
    'standard برای کالاهای بی‌دسته، delivery برای هزینه ارسال، یا دسته مالیاتی کالاها',
  ],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  rate: ['Percent', 'درصد'],
  from: ['From; empty: always', 'از؛ خالی: همیشه'],
  until: ['Until, without that day; empty: none', 'تا، بدون خود آن روز؛ خالی: بی‌پایان'],
} satisfies Record<string, Pair>

const perPercent = 10_000 // parts per million

type Rate = NonNullable<TaxRatesQuery['staffTaxRates']>[number]

export default function Taxes({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const { data, failure, reading, again } = useReading(TaxRatesDocument, { shop: shop.id })
  const [key] = place.rest
  if (!data) return <Problem>{failure?.message}</Problem>
  const rates = data.staffTaxRates ?? []
  if (key !== undefined) {
    const stored = rates.find((rate) => rate.key === key) ?? null
    if (key !== '+' && !stored) {
      return reading ? null : <Unread shop={shop} section="taxes" failure={{ code: 'NOT_FOUND', message: '' }} />
    }
    return <RateForm key={key} shop={shop} stored={stored} again={again} />
  }
  return (
    <>
      <h1>{t.title}</h1>
      <p className="help">{t.help}</p>
      <ul>
        {rates.map((rate) => (
          <li key={rate.id}>
            <a href={to(shop.domain, 'taxes', [rate.key])}>{either(rate.name, rate.nameFa)}</a>: <bdi>{rate.category}</bdi>{' '}
            {f.exact(rate.rate / perPercent)}
            {either('%', '٪')}
          </li>
        ))}
      </ul>
      {shop.permissions.includes('editShop') && (
        <a className="button" href={to(shop.domain, 'taxes', ['+'])}>
          {t.add}
        </a>
      )}
    </>
  )
}

function RateForm({ shop, stored, again }: Pick<ScreenProps, 'shop'> & { stored: Rate | null; again: () => void }) {
  const t = useWords(words)
  return (
    <RecordEditor
      shop={shop}
      section="taxes"
      heading={stored ? either(stored.name, stored.nameFa) : t.add}
      stored={stored && { ...stored, slug: stored.key }}
      members={{
        category: stored?.category ?? 'standard',
        name: stored?.name ?? '',
        nameFa: stored?.nameFa ?? '',
        rate: (stored ? stored.rate / perPercent : null) as Typed,
        from: stored?.from ?? '',
        until: stored?.until ?? '',
      }}
      mayEdit={shop.permissions.includes('editShop')}
      documents={{ create: CreateTaxRateDocument, update: UpdateTaxRateDocument, remove: DeleteTaxRateDocument }}
      input={({ rate, ...changed }, { category }): TaxRateInput => ({
        ...changed,
        ...(stored ? {} : { category }), // which has a usual value
        ...(typeof rate === 'number' ? { rate: Math.round(rate * perPercent) } : {}),
        ...orNull(changed, 'from', 'until'),
      })}
      names={t}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn label={t.nameFa} value={value.nameFa} onChange={(to) => set('nameFa', to)} error={fault('nameFa')} />
          <TextIn label={t.name} value={value.name} onChange={(to) => set('name', to)} error={fault('name')} />
          <TextIn
            label={t.category}
            description={t.categories}
            value={value.category}
            onChange={(to) => set('category', to)}
            error={fault('category')}
          />
          <NumberIn label={t.rate} value={value.rate} decimals={4} onChange={(to) => set('rate', to)} error={fault('rate')} />
          <DayIn label={t.from} value={value.from} onChange={(to) => set('from', to)} error={fault('from')} />
          <DayIn label={t.until} value={value.until} onChange={(to) => set('until', to)} error={fault('until')} />
        </>
      )}
    </RecordEditor>
  )
}
