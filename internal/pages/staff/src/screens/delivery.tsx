// Delivery: the methods of the shop in the order in which carts are offered them, and one method.
import { Button } from 'react-aria-components/Button'
import {
  CreateDeliveryMethodDocument,
  DeleteDeliveryMethodDocument,
  DeliveryMethodsDocument,
  ReorderDeliveryMethodsDocument,
  UpdateDeliveryMethodDocument,
  type DeliveryKind,
  type DeliveryMethodInput,
  type DeliveryMethodsQuery,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { Choice } from '../ui/choice'
import { Problem, TextIn, Toggle } from '../ui/fields'
import { NumberIn, type Typed } from '../ui/number'
import { RecordEditor } from '../ui/record'
import { Sorted } from '../ui/sorted'
import { Unread } from '../ui/unread'
import { either, useWords, type Pair } from '../words'

const words = {
  title: ['Delivery', 'ارسال'],
  none: [
    'Without a method orders cost what their lines do, and nobody is asked about delivery.',
    'تا روشی نباشد، سفارش‌ها بهای کالاهایشان را دارند و کسی درباره ارسال پرسیده نمی‌شود.',
  ],
  order: ['A cart gets the first method that takes it, unless the customer chooses.', 'سبد نخستین روش مناسب را می‌گیرد، مگر مشتری انتخاب کند.'],
  add: ['Add a delivery method', 'افزودن روش ارسال'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  kind: ['Price', 'هزینه'],
  flat: ['One price', 'یک مبلغ ثابت'],
  steps: ['By weight', 'بر اساس وزن'],
  freight_collect: ['Paid to the carrier', 'پس‌کرایه'],
  pick_up: ['Collected at the shop', 'تحویل در فروشگاه'],
  currency: ['Currency', 'واحد پول'],
  price: ['Amount', 'مبلغ'],
  upTo: ['Up to, in grams', 'تا وزن (گرم)'],
  addStep: ['Add a step', 'افزودن پله'],
  remove: ['Remove', 'برداشتن'],
  freeFrom: ['Free from a subtotal of; empty: never', 'رایگان از جمع خرید؛ خالی: هیچ‌گاه'],
  countries: ['Countries, by slug', 'کشورها، با نشانک'],
  provinces: ['Provinces, by slug', 'استان‌ها، با نشانک'],
  cities: ['Cities, by slug', 'شهرها، با نشانک'],
  places: ['Separated by spaces, such as tehran alborz; none of the three: everywhere', 'با فاصله، مانند tehran alborz؛ هر سه خالی: همه جا'],
  daysFrom: ['Days at least', 'کمترین روز'],
  daysTo: ['Days at most', 'بیشترین روز'],
  active: ['Customers may choose it', 'مشتریان می‌توانند انتخابش کنند'],
} satisfies Record<string, Pair>

const kinds = ['flat', 'steps', 'freight_collect', 'pick_up'] as const
const places = ['countries', 'provinces', 'cities'] as const

type Method = NonNullable<DeliveryMethodsQuery['staffDeliveryMethods']>[number]

export default function Delivery({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const { data, failure, reading, again } = useReading(DeliveryMethodsDocument, { shop: shop.id })
  const reorder = useDoing(ReorderDeliveryMethodsDocument)
  const [key] = place.rest
  if (!data) return <Problem>{failure?.message}</Problem>
  const methods = [...(data.staffDeliveryMethods ?? [])].sort(
    (a, b) => a.position - b.position || (a.key < b.key ? -1 : 1),
  )
  if (key !== undefined) {
    const stored = methods.find((method) => method.key === key) ?? null
    if (key !== '+' && !stored) {
      return reading ? null : <Unread shop={shop} section="delivery" failure={{ code: 'NOT_FOUND', message: '' }} />
    }
    return <MethodForm key={key} shop={shop} stored={stored} again={again} />
  }
  return (
    <>
      <h1>{t.title}</h1>
      <p className="help">{methods.length > 0 ? t.order : t.none}</p>
      <Problem>{reorder.failure?.message}</Problem>
      {methods.length > 0 && (
        <Sorted
          label={t.title}
          items={methods.map((method) => ({ id: method.key, name: either(method.name, method.nameFa) }))}
          href={(id) => to(shop.domain, 'delivery', [id])}
          onOrder={async (keys) => {
            await reorder.run({ shop: shop.id, keys })
            again()
          }}
        />
      )}
      {shop.permissions.includes('editShop') && (
        <a className="button" href={to(shop.domain, 'delivery', ['+'])}>
          {t.add}
        </a>
      )}
    </>
  )
}

function MethodForm({ shop, stored, again }: Pick<ScreenProps, 'shop'> & { stored: Method | null; again: () => void }) {
  const t = useWords(words)
  return (
    <RecordEditor
      shop={shop}
      section="delivery"
      heading={stored ? either(stored.name, stored.nameFa) : t.add}
      stored={stored && { ...stored, slug: stored.key }}
      members={{
        name: stored?.name ?? '',
        nameFa: stored?.nameFa ?? '',
        kind: (stored?.kind ?? 'flat') as string,
        priceCurrency: stored?.priceCurrency ?? 'IRT',
        price: (stored?.price ?? null) as Typed,
        steps: (stored?.steps ?? []).map(({ upTo, price }) => ({ upTo: upTo as Typed, price: price as Typed })),
        freeFrom: (stored?.freeFrom ?? null) as Typed,
        countries: (stored?.countries ?? []).join(' '),
        provinces: (stored?.provinces ?? []).join(' '),
        cities: (stored?.cities ?? []).join(' '),
        daysFrom: (stored?.daysFrom ?? null) as Typed,
        daysTo: (stored?.daysTo ?? null) as Typed,
        active: stored?.active ?? true,
      }}
      mayEdit={shop.permissions.includes('editShop')}
      documents={{
        create: CreateDeliveryMethodDocument,
        update: UpdateDeliveryMethodDocument,
        remove: DeleteDeliveryMethodDocument,
      }}
      input={({ countries, provinces, cities, kind, ...changed }) => {
        const lists = Object.entries({ countries, provinces, cities }).flatMap(([name, text]) =>
          text === undefined ? [] : [[name, text.split(/[\s,،]+/).filter(Boolean)] as const],
        )
        const input = { ...changed, ...(kind ? { kind: kind as DeliveryKind } : {}), ...Object.fromEntries(lists) }
        return input as DeliveryMethodInput // the form does not save texts that are no numbers
      }}
      names={{ ...t, priceCurrency: t.currency }}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn label={t.nameFa} value={value.nameFa} onChange={(to) => set('nameFa', to)} error={fault('nameFa')} />
          <TextIn label={t.name} value={value.name} onChange={(to) => set('name', to)} error={fault('name')} />
          <Choice
            label={t.kind}
            value={value.kind}
            onChange={(to) => set('kind', to)}
            options={kinds.map((id) => ({ id, name: t[id] }))}
            error={fault('kind')}
          />
          <TextIn
            label={t.currency}
            value={value.priceCurrency}
            onChange={(to) => set('priceCurrency', to.toUpperCase())}
            error={fault('priceCurrency')}
          />
          {value.kind === 'flat' && (
            <NumberIn label={t.price} value={value.price} onChange={(to) => set('price', to)} error={fault('price')} />
          )}
          {value.kind === 'steps' && (
            <fieldset>
              <legend>{t.steps}</legend>
              {value.steps.map((step, i) => {
                const change = (to: Partial<typeof step>) =>
                  set(
                    'steps',
                    value.steps.map((one, n) => (n === i ? { ...one, ...to } : one)),
                  )
                return (
                  <div key={i} className="pair">
                    <NumberIn label={t.upTo} value={step.upTo} onChange={(upTo) => change({ upTo })} error={fault(`steps.${i}.upTo`)} />
                    <NumberIn label={t.price} value={step.price} onChange={(price) => change({ price })} error={fault(`steps.${i}.price`)} />
                    <Button
                      onPress={() =>
                        set(
                          'steps',
                          value.steps.filter((_, n) => n !== i),
                        )
                      }
                    >
                      {t.remove}
                    </Button>
                  </div>
                )
              })}
              <Problem>{fault('steps')}</Problem>
              <Button onPress={() => set('steps', [...value.steps, { upTo: null, price: null }])}>{t.addStep}</Button>
            </fieldset>
          )}
          {(value.kind === 'flat' || value.kind === 'steps') && (
            <NumberIn
              label={t.freeFrom}
              value={value.freeFrom}
              onChange={(to) => set('freeFrom', to)}
              error={fault('freeFrom')}
            />
          )}
          {places.map((name) => (
            <TextIn
              key={name}
              label={t[name]}
              description={t.places}
              value={value[name]}
              onChange={(to) => set(name, to)}
              error={fault(name)}
            />
          ))}
          <NumberIn label={t.daysFrom} value={value.daysFrom} onChange={(to) => set('daysFrom', to)} error={fault('daysFrom')} />
          <NumberIn label={t.daysTo} value={value.daysTo} onChange={(to) => set('daysTo', to)} error={fault('daysTo')} />
          <Toggle label={t.active} value={value.active} onChange={(to) => set('active', to)} />
        </>
      )}
    </RecordEditor>
  )
}
