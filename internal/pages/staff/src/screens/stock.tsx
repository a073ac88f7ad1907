// Stock and prices as a grid that is typed into, and pasted into from a spreadsheet.
import { useState, type ClipboardEvent } from 'react'
import { Button } from 'react-aria-components/Button'
import { draft } from '../draft'
import { useFormats } from '../format'
import { StockDocument, UpdateOffersDocument, type OfferInput, type StockQuery } from '../graphql/graphql'
import { useDoing } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Search } from '../ui/bits'
import { Problem, Toggle } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { notNumber, numberIn } from '../ui/number'
import { useWalk } from '../ui/walk'
import { SheetIn, SheetOut } from '../ui/sheets'
import { Check } from '../ui/variants'
import { either, say, useWords, type Pair } from '../words'

const words = {
  title: ['Stock and prices', 'موجودی و قیمت'],
  help: [
    'Type into the cells, or paste a column from a spreadsheet. Nothing is changed before you save.',
    'در خانه‌ها بنویسید یا ستونی را از صفحه‌گسترده بچسبانید. تا ذخیره نکنید چیزی تغییر نمی‌کند.',
  ],
  sku: ['SKU', 'کد کالا'],
  name: ['Title', 'عنوان'],
  stock: ['Stock', 'موجودی'],
  price: ['Price', 'قیمت'],
  compareAtPrice: ['Price before', 'قیمت پیشین'],
  currency: ['Currency', 'واحد پول'],
  onSale: ['On sale', 'در فروش'],
  find: ['Name or SKU', 'نام یا کد کالا'],
  low: ['Only what is running out', 'تنها رو به پایان'],
  save: ['Save', 'ذخیره'],
  discard: ['Discard', 'دور ریختن'],
  more: ['Show more', 'نمایش بیشتر'],
} satisfies Record<string, Pair>

type Row = NonNullable<StockQuery['staffVariantsConnection']>['nodes'][number]
type Column = 'stock' | 'price' | 'compareAtPrice'
const columns: Column[] = ['stock', 'price', 'compareAtPrice']
/** The typed texts, by SKU; stock as it was when the typing began. */
type Typed = Record<string, Partial<Record<Column, string>> & { onSale?: boolean; stockBefore?: number }>

export default function Stock({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const { tell } = useFeedback()
  const find = place.filters.get('find') ?? ''
  const low = place.filters.get('low') ?? ''
  const store = draft<Typed>(`${shop.id}.stock`)
  const [typed, setTyped] = useState<Typed>(() => store.get() ?? {})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const update = useDoing(UpdateOffersDocument)
  const walk = useWalk(
    StockDocument,
    { shop: shop.id, name: find || null, low: low ? true : null },
    (data) => data.staffVariantsConnection,
  )
  const keep = (to: Typed) => {
    setTyped(to)
    store.set(Object.keys(to).length > 0 ? to : null)
  }
  const change = (row: Row, to: Typed[string]) =>
    keep({ ...typed, [row.sku]: { stockBefore: row.stock, ...typed[row.sku], ...to } })

  /** Pastes cells of a spreadsheet, beginning at this cell. */
  const paste = (event: ClipboardEvent, rowIndex: number, column: Column) => {
    const lines = event.clipboardData
      .getData('text/plain')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
    if (lines.length < 2 && !lines[0]?.includes('\t')) return
    event.preventDefault()
    const next = { ...typed }
    lines.forEach((line, down) => {
      const row = walk.items[rowIndex + down]
      if (!row) return
      line.split('\t').forEach((text, right) => {
        const name = columns[columns.indexOf(column) + right]
        if (name) next[row.sku] = { stockBefore: row.stock, ...next[row.sku], [name]: text }
      })
    })
    keep(next)
  }

  const save = async () => {
    const found: Record<string, string> = {}
    const offers: OfferInput[] = []
    for (const [sku, { stock, price, compareAtPrice, onSale, stockBefore }] of Object.entries(typed)) {
      const numbers = { stock, price, compareAtPrice }
      const offer: OfferInput = { sku }
      for (const name of columns) {
        const text = numbers[name]
        if (text === undefined) continue
        const n = numberIn(text)
        if (n !== null && (Number.isNaN(n) || (name === 'stock' && !Number.isInteger(n)))) found[sku] = say(notNumber)
        else if (name === 'stock') {
          if (n === null) found[sku] = say(notNumber)
          else Object.assign(offer, { stock: n, expectedStock: stockBefore })
        } else offer[name] = n
      }
      if (onSale !== undefined) offer.onSale = onSale
      offers.push(offer)
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    let changed = 0
    const left: Typed = { ...typed }
    for (let from = 0; from < offers.length; from += 1000) {
      const part = offers.slice(from, from + 1000)
      const done = await update.run({ shop: shop.id, input: part })
      if (!done) break
      changed += done.updateOffers.changed
      const stays = new Set([...done.updateOffers.left, ...done.updateOffers.faults.map(({ sku }) => sku)])
      for (const { sku } of part) if (!stays.has(sku)) delete left[sku]
      for (const { sku, message } of done.updateOffers.faults) found[sku] = message
    }
    setFaults(found)
    keep(left)
    walk.again()
    tell(say([`${f.number(changed)} changed.`, `${f.number(changed)} مورد تغییر کرد.`]))
  }
  const written = (n: number | null | undefined) => (typeof n === 'number' ? f.exact(n) : '')
  const mayChange = shop.permissions.includes('changeStock')
  const count = Object.keys(typed).length
  const filter = (changed: Record<string, string>) =>
    go(to(shop.domain, 'stock', [], { find, low, ...changed }), true)
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      {mayChange && <p className="help">{t.help}</p>}
      <div className="filters">
        <Search label={t.find} value={find} onSubmit={(to) => filter({ find: to })} />
        <Toggle label={t.low} value={low !== ''} onChange={(to) => filter({ low: to ? 'yes' : '' })} />
      </div>
      <Problem>{walk.failure?.message ?? update.failure?.message}</Problem>
      {mayChange && (
        <p className="buttons">
          <Button className="primary" isDisabled={count === 0} isPending={update.doing} onPress={() => void save()}>
            {t.save} {count > 0 && f.number(count)}
          </Button>
          {count > 0 && <Button onPress={() => keep({})}>{t.discard}</Button>}
          <SheetOut shop={shop} kind="offers" />
          <SheetIn shop={shop} kind="offers" again={walk.again} />
        </p>
      )}
      <div className="sheet stock" role="region" aria-label={t.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.sku}</th>
              <th scope="col">{t.name}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {t[name]}
                </th>
              ))}
              <th scope="col">{t.currency}</th>
              <th scope="col">{t.onSale}</th>
            </tr>
          </thead>
          <tbody>
            {walk.items.map((row, i) => (
              <tr key={row.id} className={typed[row.sku] ? 'typed' : undefined}>
                <th scope="row">
                  <bdi>{row.sku}</bdi>
                </th>
                <td>
                  <bdi>{either(row.titleEn, row.titleFa)}</bdi>
                  <Problem>{faults[row.sku]}</Problem>
                </td>
                {columns.map((name) => (
                  <td key={name}>
                    <input
                      aria-label={`${t[name]} ${row.sku}`}
                      dir="ltr"
                      inputMode="decimal"
                      readOnly={!mayChange}
                      value={typed[row.sku]?.[name] ?? written(row[name])}
                      onChange={(event) => change(row, { [name]: event.target.value })}
                      onPaste={(event) => mayChange && paste(event, i, name)}
                    />
                  </td>
                ))}
                <td>{f.currency(row.priceCurrency)}</td>
                <td>
                  <Check
                    label={`${t.onSale} ${row.sku}`}
                    value={typed[row.sku]?.onSale ?? row.onSale}
                    onChange={(onSale) => mayChange && change(row, { onSale })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {walk.total !== undefined && walk.items.length < walk.total && (
        <Button isPending={walk.reading} onPress={walk.more}>
          {t.more}
        </Button>
      )}
    </>
  )
}
