// The variants of a product as a table, and the variations that tell them apart.
import { Button } from 'react-aria-components/Button'
import { Checkbox } from 'react-aria-components/Checkbox'
import { asset } from '../api'
import type { VariantInput } from '../graphql/graphql'
import { useLanguage, useWords, type Pair } from '../words'
import { Choice } from './choice'
import { Problem } from './fields'
import { ImageButton } from './image'
import { Digits, type Typed } from './number'

const words = {
  variants: ['Variants', 'تنوع‌ها'],
  variations: ['What tells the variants apart', 'تفاوت تنوع‌ها'],
  sku: ['SKU', 'کد کالا'],
  currency: ['Currency', 'واحد پول'],
  price: ['Price', 'قیمت'],
  compareAtPrice: ['Price before', 'قیمت پیشین'],
  stock: ['Stock', 'موجودی'],
  lowStockAt: ['Few at', 'کم از'],
  maxOrderQuantity: ['Most in an order', 'بیشترین در سفارش'],
  weight: ['Weight in grams', 'وزن (گرم)'],
  taxCategory: ['Tax category', 'دسته مالیاتی'],
  isFestival: ['Festival', 'جشنواره'],
  onSale: ['On sale', 'در فروش'],
  image: ['Image', 'تصویر'],
  add: ['Add a variant', 'افزودن تنوع'],
  addVariation: ['Add a variation, such as colour', 'افزودن تفاوت، مانند رنگ'],
  addValue: ['Add a value', 'افزودن مقدار'],
  key: ['Key', 'کلید'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  color: ['Colour (#rrggbb)', 'رنگ (#rrggbb)'],
  remove: ['Remove', 'برداشتن'],
} satisfies Record<string, Pair>

export interface Variation {
  key: string
  name: string
  nameFa: string
  values: { key: string; label: string; labelFa: string; colorHex: string | null }[]
}

export interface Variant {
  sku: string
  options: { variation: string; value: string }[]
  priceCurrency: string
  price: Typed
  compareAtPrice: Typed
  /** null: emptied, which no variant may have. */
  stock: Typed
  lowStockAt: Typed
  isFestival: boolean
  maxOrderQuantity: Typed
  weight: Typed
  taxCategory: string | null
  imageUrl: string | null
  onSale: boolean
}

/** A value as documents give it: what may be null may be absent. */
type Loose<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: T[K] | undefined
}

export const variationsOf = (
  stored: { key: string; name: string; nameFa: string; values: Loose<Variation['values'][number]>[] }[],
): Variation[] =>
  stored.map(({ key, name, nameFa, values }) => ({
    key,
    name,
    nameFa,
    values: values.map((value) => ({ ...value, colorHex: value.colorHex ?? null })),
  }))

export const variantsOf = (stored: (Omit<Loose<Variant>, 'stock'> & { stock: number })[]): Variant[] =>
  stored.map((variant) => ({
    sku: variant.sku,
    options: variant.options.map(({ variation, value }) => ({ variation, value })),
    priceCurrency: variant.priceCurrency,
    price: variant.price ?? null,
    compareAtPrice: variant.compareAtPrice ?? null,
    stock: variant.stock,
    lowStockAt: variant.lowStockAt ?? null,
    isFestival: variant.isFestival,
    maxOrderQuantity: variant.maxOrderQuantity ?? null,
    weight: variant.weight ?? null,
    taxCategory: variant.taxCategory ?? null,
    imageUrl: variant.imageUrl ?? null,
    onSale: variant.onSale,
  }))

/**
 * variantInputs returns the input for variants. Those that the edit began with have only the members that were changed
 * here, and with the stock the one that it was: what others change, and what customers buy, stays.
 */
export const variantInputs = (variants: Variant[], base: Variant[]): VariantInput[] =>
  variants.map((variant) => {
    const before = base.find(({ sku }) => sku === variant.sku)
    if (!before) return variant as VariantInput // the form does not save texts that are no numbers
    const members = Object.entries(variant).filter(
      ([name, to]) => name === 'sku' || JSON.stringify(to) !== JSON.stringify(before[name as keyof Variant]),
    )
    const input = Object.fromEntries(members) as VariantInput
    return 'stock' in input ? { ...input, expectedStock: before.stock as number } : input
  })

/** useVariantNames returns the names of members of variants for people. */
export const useVariantNames = () => {
  const t = useWords(words)
  return { ...t, options: t.variations, priceCurrency: t.currency, imageUrl: t.image }
}

interface VariantTableProps {
  variations: Variation[]
  variants: Variant[]
  onVariations: (to: Variation[]) => void
  onVariants: (to: Variant[]) => void
  fault: (name: string) => string | undefined
}

export function VariantTable({ variations, variants, onVariations, onVariants, fault }: VariantTableProps) {
  const t = useWords(words)
  const language = useLanguage()
  const set = (i: number, to: Partial<Variant>) =>
    onVariants(variants.map((variant, n) => (n === i ? { ...variant, ...to } : variant)))
  const add = () => {
    const last = variants.at(-1)
    onVariants([
      ...variants,
      {
        sku: '',
        options: [],
        priceCurrency: last?.priceCurrency ?? 'IRR',
        price: last?.price ?? null,
        compareAtPrice: null,
        stock: 0,
        lowStockAt: null,
        isFestival: false,
        maxOrderQuantity: null,
        weight: null,
        taxCategory: last?.taxCategory ?? null,
        imageUrl: null,
        onSale: true,
      },
    ])
  }
  return (
    <>
      <Variations value={variations} onChange={onVariations} error={fault('variations')} />
      <fieldset>
        <legend>{t.variants}</legend>
        <div className="sheet" role="region" aria-label={t.variants} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.sku}</th>
                {variations.map(({ key, name, nameFa }) => (
                  <th key={key} scope="col">
                    {language === 'fa' ? nameFa : name}
                  </th>
                ))}
                <th scope="col">{t.price}</th>
                <th scope="col">{t.compareAtPrice}</th>
                <th scope="col">{t.currency}</th>
                <th scope="col">{t.stock}</th>
                <th scope="col">{t.lowStockAt}</th>
                <th scope="col">{t.maxOrderQuantity}</th>
                <th scope="col">{t.weight}</th>
                <th scope="col">{t.taxCategory}</th>
                <th scope="col">{t.isFestival}</th>
                <th scope="col">{t.onSale}</th>
                <th scope="col">{t.image}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {variants.map((variant, i) => (
                <tr key={i}>
                  <td>
                    <Cell label={t.sku} value={variant.sku} onChange={(sku) => set(i, { sku })} />
                    <Problem>{fault(`variants.${i}`)}</Problem>
                  </td>
                  {variations.map((variation) => (
                    <td key={variation.key}>
                      <Choice
                        label={language === 'fa' ? variation.nameFa : variation.name}
                        value={variant.options.find((option) => option.variation === variation.key)?.value ?? null}
                        onChange={(value) =>
                          set(i, {
                            options: [
                              ...variant.options.filter((option) => option.variation !== variation.key),
                              { variation: variation.key, value },
                            ],
                          })
                        }
                        options={variation.values.map(({ key, label, labelFa }) => ({
                          id: key,
                          name: language === 'fa' ? labelFa : label,
                        }))}
                      />
                    </td>
                  ))}
                  <td>
                    <Digits
                      label={t.price}
                      value={variant.price}
                      onChange={(price) => set(i, { price })}
                      decimals={4}
                    />
                  </td>
                  <td>
                    <Digits
                      label={t.compareAtPrice}
                      value={variant.compareAtPrice}
                      onChange={(compareAtPrice) => set(i, { compareAtPrice })}
                      decimals={4}
                    />
                  </td>
                  <td>
                    <Cell
                      label={t.currency}
                      value={variant.priceCurrency}
                      onChange={(priceCurrency) => set(i, { priceCurrency })}
                    />
                  </td>
                  <td>
                    <Digits
                      label={t.stock}
                      value={variant.stock}
                      onChange={(stock) => set(i, { stock })}
                    />
                  </td>
                  <td>
                    <Digits
                      label={t.lowStockAt}
                      value={variant.lowStockAt}
                      onChange={(lowStockAt) => set(i, { lowStockAt })}
                    />
                  </td>
                  <td>
                    <Digits
                      label={t.maxOrderQuantity}
                      value={variant.maxOrderQuantity}
                      onChange={(maxOrderQuantity) => set(i, { maxOrderQuantity })}
                    />
                  </td>
                  <td>
                    <Digits label={t.weight} value={variant.weight} onChange={(weight) => set(i, { weight })} />
                  </td>
                  <td>
                    <Cell
                      label={t.taxCategory}
                      value={variant.taxCategory ?? ''}
                      onChange={(to) => set(i, { taxCategory: to || null })}
                    />
                  </td>
                  <td>
                    <Check
                      label={t.isFestival}
                      value={variant.isFestival}
                      onChange={(isFestival) => set(i, { isFestival })}
                    />
                  </td>
                  <td>
                    <Check label={t.onSale} value={variant.onSale} onChange={(onSale) => set(i, { onSale })} />
                  </td>
                  <td>
                    <span className="small image">
                      {variant.imageUrl && (
                        <img src={asset(variant.imageUrl)} alt="" width="36" height="36" loading="lazy" />
                      )}
                      <Cell
                        label={`${t.image} ${variant.sku}`}
                        value={variant.imageUrl ?? ''}
                        onChange={(to) => set(i, { imageUrl: to || null })}
                      />
                      <ImageButton
                        of={`${t.image} ${variant.sku}`}
                        onChoose={({ url }) => set(i, { imageUrl: url })}
                      />
                    </span>
                  </td>
                  <td>
                    {variant.sku === '' && (
                      <Button onPress={() => onVariants(variants.filter((_, n) => n !== i))}>{t.remove}</Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Problem>{fault('variants')}</Problem>
        <Button onPress={add}>{t.add}</Button>
      </fieldset>
    </>
  )
}

interface CellProps<V> {
  label: string
  value: V
  onChange: (value: V) => void
}

export const Cell = ({ label, value, onChange, isInvalid }: CellProps<string> & { isInvalid?: boolean }) => (
  <input
    aria-label={label}
    aria-invalid={isInvalid || undefined}
    placeholder={label}
    value={value}
    dir="auto"
    onChange={(event) => onChange(event.target.value)}
  />
)

export const Check = ({ label, value, onChange }: CellProps<boolean>) => (
  <Checkbox aria-label={label} isSelected={value} onChange={onChange} className="check">
    <span aria-hidden="true" />
  </Checkbox>
)

function Variations({
  value,
  onChange,
  error,
}: {
  value: Variation[]
  onChange: (to: Variation[]) => void
  error: string | undefined
}) {
  const t = useWords(words)
  const set = (i: number, to: Partial<Variation>) =>
    onChange(value.map((variation, n) => (n === i ? { ...variation, ...to } : variation)))
  return (
    <fieldset>
      <legend>{t.variations}</legend>
      {value.map((variation, i) => (
        <fieldset key={i}>
          <legend>{variation.nameFa || variation.key}</legend>
          <div className="cells">
            <Cell label={t.key} value={variation.key} onChange={(key) => set(i, { key })} />
            <Cell label={t.name} value={variation.name} onChange={(name) => set(i, { name })} />
            <Cell label={t.nameFa} value={variation.nameFa} onChange={(nameFa) => set(i, { nameFa })} />
            <Button onPress={() => onChange(value.filter((_, n) => n !== i))}>{t.remove}</Button>
          </div>
          {variation.values.map((one, n) => {
            const change = (to: Partial<typeof one>) =>
              set(i, { values: variation.values.map((other, m) => (m === n ? { ...other, ...to } : other)) })
            return (
              <div className="cells" key={n}>
                <Cell label={t.key} value={one.key} onChange={(key) => change({ key })} />
                <Cell label={t.name} value={one.label} onChange={(label) => change({ label })} />
                <Cell label={t.nameFa} value={one.labelFa} onChange={(labelFa) => change({ labelFa })} />
                <Cell
                  label={t.color}
                  value={one.colorHex ?? ''}
                  onChange={(to) => change({ colorHex: to || null })}
                />
                <Button onPress={() => set(i, { values: variation.values.filter((_, m) => m !== n) })}>
                  {t.remove}
                </Button>
              </div>
            )
          })}
          <Button
            onPress={() =>
              set(i, { values: [...variation.values, { key: '', label: '', labelFa: '', colorHex: null }] })
            }
          >
            {t.addValue}
          </Button>
        </fieldset>
      ))}
      <Problem>{error}</Problem>
      <Button onPress={() => onChange([...value, { key: '', name: '', nameFa: '', values: [] }])}>
        {t.addVariation}
      </Button>
    </fieldset>
  )
}
