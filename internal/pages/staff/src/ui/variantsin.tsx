// A field for variants in an order: found by the name of the product or by SKU, and arranged by dragging or by keys.
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ListBoxItem } from 'react-aria-components/ComboBox'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Text } from 'react-aria-components/Text'
import { NamedVariantsDocument } from '../graphql/graphql'
import { useReading } from '../query'
import { useShop } from '../shop'
import { either, useLanguage, useWords, type Pair } from '../words'
import { useArranging } from './arranging'
import type { Option } from './choice'
import { Problem } from './fields'

const words = {
  add: ['Add by name or SKU', 'افزودن با نام یا کد کالا'],
  none: ['Nothing is found.', 'چیزی پیدا نشد.'],
  searching: ['Searching…', 'در حال جستجو…'],
  help: [
    'Drag them into an order, or use the keys: Enter on the handle, then the arrows.',
    'با کشیدن مرتب کنید، یا با صفحه‌کلید: Enter روی دستگیره و سپس پیکان‌ها.',
  ],
  move: ['Move', 'جابه‌جایی'],
  remove: ['Remove', 'برداشتن'],
} satisfies Record<string, Pair>

const atOnce = 100 // SKUs that are named in one request, the most that the service takes
const pause = 250 // milliseconds without a key, after which what was typed is searched for

/** useSettled returns a value once it has stayed the same for a pause. */
function useSettled(value: string) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

interface Found {
  sku: string
  titleFa: string
  titleEn?: string | null
}

interface Props {
  label: string
  /** SKUs, in their order. */
  value: string[]
  onChange: (value: string[]) => void
  error?: string | undefined
}

export function VariantsIn({ label, value, onChange, error }: Props) {
  const t = useWords(words)
  const shop = useShop()
  const language = useLanguage()
  const [text, setText] = useState('')
  const asked = useSettled(text)
  // By SKU; null if there is no such variant. Known ones are not read again.
  const [named, setNamed] = useState<ReadonlyMap<string, Found | null>>(new Map())
  const unnamed = value.filter((sku) => !named.has(sku)).slice(0, atOnce)
  const { data, failure, reading } = useReading(NamedVariantsDocument, {
    shop: shop.id,
    skus: unnamed,
    name: asked,
    finds: asked !== '',
  })
  useEffect(() => {
    if (!data) return
    const all: Found[] = [...(data.chosen?.nodes ?? []), ...(data.found?.nodes ?? [])]
    setNamed((before) => {
      const after = new Map(before)
      for (const sku of unnamed) after.set(sku, null)
      for (const one of all) after.set(one.sku, one)
      return after
    })
    // Only the answer to the last request counts.
  }, [data])
  const titleOf = ({ titleFa, titleEn }: Found) => either(titleEn, titleFa)
  const found = data?.found?.nodes ?? []
  const nameOf = (sku: string) => {
    const one = named.get(sku)
    return one ? titleOf(one) : ''
  }
  const isSearching = reading || asked !== text
  const options: Option[] = (text === '' ? [] : found)
    .filter(({ sku }) => !value.includes(sku))
    .map((one) => ({ id: one.sku, name: `${titleOf(one)} · ${one.sku}` }))
  const dragAndDropHooks = useArranging(value, onChange)
  return (
    <fieldset>
      <legend>{label}</legend>
      {value.length > 1 && <p className="help">{t.help}</p>}
      <GridList
        aria-label={label}
        items={value.map((id) => ({ id, name: nameOf(id) }))}
        dependencies={[language]}
        dragAndDropHooks={dragAndDropHooks}
        className="sorted"
        keyboardNavigationBehavior="tab"
      >
        {({ id, name }) => (
          <GridListItem id={id} textValue={name || id}>
            <Button slot="drag" aria-label={`${t.move}: ${name || id}`}>
              ⠿
            </Button>
            <span>
              {name} <small dir="ltr">{id}</small>
            </span>
            <Button
              className="quiet"
              aria-label={`${t.remove}: ${name || id}`}
              onPress={() => onChange(value.filter((sku) => sku !== id))}
            >
              ×
            </Button>
          </GridListItem>
        )}
      </GridList>
      <ComboBox
        items={options}
        inputValue={text}
        onInputChange={setText}
        value={null}
        onChange={(sku) => {
          if (sku === null) return
          onChange([...value, String(sku)])
          setText('')
        }}
        isInvalid={Boolean(error)}
        allowsEmptyCollection={text !== ''}
        className="field"
      >
        <Label>{t.add}</Label>
        <Input />
        {error && <Text slot="errorMessage">{error}</Text>}
        <Popover className="popover">
          <ListBox<Option>
            className="options"
            renderEmptyState={() => (
              <p className="empty">{isSearching ? t.searching : failure ? failure.message : t.none}</p>
            )}
          >
            {(option) => <ListBoxItem id={option.id}>{option.name}</ListBoxItem>}
          </ListBox>
        </Popover>
      </ComboBox>
      <Problem>{failure?.message}</Problem>
    </fieldset>
  )
}
