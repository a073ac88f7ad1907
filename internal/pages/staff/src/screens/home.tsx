// The blocks of the home page: sliders, groups of categories and brands, special offers.
import { useRef, type ComponentType } from 'react'
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import {
  CreateBrandGroupDocument,
  CreateCategoryGroupDocument,
  CreateSliderDocument,
  CreateSpecialDocument,
  DeleteBrandGroupDocument,
  DeleteCategoryGroupDocument,
  DeleteSliderDocument,
  DeleteSpecialDocument,
  HomeDocument,
  ReorderSlidersDocument,
  UpdateBrandGroupDocument,
  UpdateCategoryGroupDocument,
  UpdateSliderDocument,
  UpdateSpecialDocument,
  type HomeQuery,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { to } from '../router'
import type { ScreenProps, Shop } from '../screens'
import { useArranging } from '../ui/arranging'
import { useBrands, useCategories } from '../ui/categories'
import { Several } from '../ui/content'
import { Problem, TextIn } from '../ui/fields'
import { MomentIn } from '../ui/moment'
import { ImageIn } from '../ui/image'
import { RecordEditor } from '../ui/record'
import { Sorted } from '../ui/sorted'
import { VariantsIn } from '../ui/variantsin'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Home page', 'صفحه نخست'],
  sliders: ['Sliders', 'اسلایدرها'],
  categoryGroups: ['Groups of categories', 'گروه‌های دسته'],
  brandGroups: ['Groups of brands', 'گروه‌های برند'],
  specials: ['Special offers', 'پیشنهادهای ویژه'],
  add: ['Add', 'افزودن'],
  name: ['Title', 'عنوان'],
  slides: ['Slides', 'اسلایدها'],
  addSlide: ['Add a slide', 'افزودن اسلاید'],
  subtitle: ['Subtitle', 'زیرعنوان'],
  imageUrl: ['Address of the image', 'نشانی تصویر'],
  linkUrl: ['Leads to', 'پیوند به'],
  buttonText: ['Words on the button', 'نوشته دکمه'],
  alt: ['What the image shows', 'توضیح تصویر'],
  categories: ['Categories', 'دسته‌ها'],
  brands: ['Brands', 'برندها'],
  variants: ['Offered', 'کالاهای پیشنهاد'],
  startsAt: ['From', 'از'],
  endsAt: ['Until', 'تا'],
  remove: ['Remove', 'برداشتن'],
  gone: ['There is nothing of this key.', 'چیزی با این کلید نیست.'],
  move: ['Move', 'جابه‌جایی'],
  order: ['Drag the sliders into an order, or use the keys.', 'اسلایدرها را با کشیدن یا صفحه‌کلید مرتب کنید.'],
} satisfies Record<string, Pair>

type Of<K extends keyof HomeQuery> = NonNullable<HomeQuery[K]>[number]

export default function Home(props: ScreenProps) {
  const { shop, place } = props
  const t = useWords(words)
  const { data, failure, reading, again } = useReading(HomeDocument, { shop: shop.id })
  const reorder = useDoing(ReorderSlidersDocument)
  const [kind, key] = place.rest
  if (!data) return <Problem>{failure?.message}</Problem>
  const sliders = [...(data.staffSliders ?? [])].sort((a, b) => a.position - b.position)
  /** The form of a record, or of a new one; one that was just made is there once all is read again. */
  const form = <T extends { key: string }>(all: T[] | null | undefined, Form: ComponentType<FormProps<T>>) => {
    const stored = all?.find((record) => record.key === key) ?? null
    if (key !== '+' && !stored) return <Problem>{reading ? null : t.gone}</Problem>
    return <Form key={key} shop={shop} again={again} stored={stored} />
  }
  if (key !== undefined) {
    switch (kind) {
      case 'sliders':
        return form(sliders, SliderForm)
      case 'category-groups':
        return form(data.staffCategoryGroups, CategoryGroupForm)
      case 'brand-groups':
        return form(data.staffBrandGroups, BrandGroupForm)
      default:
        return form(data.staffStoreSpecials, SpecialForm)
    }
  }
  const mayEdit = shop.permissions.includes('editContent')
  const block = (name: string, path: string, records: { id: string; key: string; title?: string | null }[]) => (
    <section>
      <h2>{name}</h2>
      {path === 'sliders' && mayEdit && records.length > 1 ? (
        <>
          <p className="help">{t.order}</p>
          <Sorted
            label={name}
            items={records.map((record) => ({ id: record.key, name: record.title || record.key }))}
            href={(id) => to(shop.domain, 'home', [path, id])}
            onOrder={async (keys) => {
              await reorder.run({ shop: shop.id, keys })
              again()
            }}
          />
        </>
      ) : (
        <ul>
          {records.map((record) => (
            <li key={record.id}>
              <a href={to(shop.domain, 'home', [path, record.key])}>{record.title || record.key}</a>
            </li>
          ))}
        </ul>
      )}
      {mayEdit && (
        <a className="button" href={to(shop.domain, 'home', [path, '+'])}>
          {t.add}
        </a>
      )}
    </section>
  )
  return (
    <>
      <h1>{t.title}</h1>
      <Problem>{reorder.failure?.message}</Problem>
      {block(t.sliders, 'sliders', sliders)}
      {block(t.categoryGroups, 'category-groups', data.staffCategoryGroups ?? [])}
      {block(t.brandGroups, 'brand-groups', data.staffBrandGroups ?? [])}
      {block(t.specials, 'specials', data.staffStoreSpecials ?? [])}
    </>
  )
}

interface FormProps<T> {
  shop: Shop
  stored: T | null
  again: () => void
}

/** named returns a record of the home page with its key in place of a slug. */
const named = <T extends { key: string; version: string }>(stored: T | null) =>
  stored && { ...stored, slug: stored.key }

const blank = { title: '', subtitle: '', imageUrl: '', linkUrl: '', buttonText: '', alt: '' }
type Slide = typeof blank

function SliderForm({ shop, stored, again }: FormProps<Of<'staffSliders'>>) {
  const t = useWords(words)
  return (
    <RecordEditor
      shop={shop}
      section="home"
      before={['sliders']}
      heading={stored?.title || stored?.key || t.sliders}
      stored={named(stored)}
      members={{
        title: stored?.title ?? '',
        slides: [...(stored?.slides ?? [])]
          .sort((a, b) => a.position - b.position)
          .map(
            (slide): Slide => ({
              title: slide.title ?? '',
              subtitle: slide.subtitle ?? '',
              imageUrl: slide.imageUrl,
              linkUrl: slide.linkUrl ?? '',
              buttonText: slide.buttonText ?? '',
              alt: slide.alt ?? '',
            }),
          ),
      }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{ create: CreateSliderDocument, update: UpdateSliderDocument, remove: DeleteSliderDocument }}
      input={({ title, slides }) => ({
        ...(title === undefined ? {} : { title: title || null }),
        ...(slides
          ? {
              slides: slides.map((slide, i) => ({
                title: slide.title || null,
                subtitle: slide.subtitle || null,
                imageUrl: slide.imageUrl,
                linkUrl: slide.linkUrl || null,
                buttonText: slide.buttonText || null,
                alt: slide.alt || null,
                position: i + 1,
              })),
            }
          : {}),
      })}
      names={{ title: t.name, slides: t.slides }}
      again={again}
    >
      {({ value, set, fault }) => {
        return (
          <>
            <TextIn label={t.name} value={value.title} onChange={(to) => set('title', to)} error={fault('title')} />
            <Slides value={value.slides} onChange={(slides) => set('slides', slides)} fault={fault} />
            <Button onPress={() => set('slides', [...value.slides, blank])}>{t.addSlide}</Button>
          </>
        )
      }}
    </RecordEditor>
  )
}

interface SlidesProps {
  value: Slide[]
  onChange: (value: Slide[]) => void
  fault: (name: string) => string | undefined
}

function Slides({ value, onChange, fault }: SlidesProps) {
  const t = useWords(words)
  const latest = useRef(value)
  latest.current = value
  const change = (i: number, to: Partial<Slide>) =>
    onChange(latest.current.map((slide, n) => (n === i ? { ...slide, ...to } : slide)))
  const dragAndDropHooks = useArranging(
    value.map((_, i) => String(i)),
    (places) => onChange(places.map((i) => latest.current[Number(i)]!)),
  )
  return (
    <GridList
      aria-label={t.slides}
      items={value.map((slide, i) => ({ id: String(i), slide, i }))}
      dragAndDropHooks={dragAndDropHooks}
      className="slides"
      keyboardNavigationBehavior="tab"
    >
      {({ slide, i }) => (
        <GridListItem textValue={slide.title || String(i + 1)}>
          <Button slot="drag" aria-label={`${t.move}: ${slide.title || i + 1}`}>
            ⠿
          </Button>
          <fieldset>
            <legend>{slide.title || i + 1}</legend>
            <ImageIn
              label={t.imageUrl}
              value={slide.imageUrl}
              onChange={(imageUrl) => change(i, { imageUrl })}
              onChoose={({ url, alt }) => change(i, { imageUrl: url, alt: slide.alt || (alt ?? '') })}
              error={fault(`slides.${i}.imageUrl`)}
            />
            {(['alt', 'title', 'subtitle', 'linkUrl', 'buttonText'] as const).map((name) => (
              <TextIn
                key={name}
                label={name === 'title' ? t.name : t[name]}
                value={slide[name]}
                onChange={(to) => change(i, { [name]: to })}
                error={fault(`slides.${i}.${name}`)}
              />
            ))}
            <Button onPress={() => onChange(value.filter((_, n) => n !== i))}>{t.remove}</Button>
          </fieldset>
        </GridListItem>
      )}
    </GridList>
  )
}

function CategoryGroupForm({ shop, stored, again }: FormProps<Of<'staffCategoryGroups'>>) {
  const t = useWords(words)
  const options = useCategories(shop, 'product')
  return (
    <RecordEditor
      shop={shop}
      section="home"
      before={['category-groups']}
      heading={stored?.title ?? t.categoryGroups}
      stored={named(stored)}
      members={{ title: stored?.title ?? '', categories: stored?.categories ?? [] }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{
        create: CreateCategoryGroupDocument,
        update: UpdateCategoryGroupDocument,
        remove: DeleteCategoryGroupDocument,
      }}
      input={(changed) => changed}
      names={{ title: t.name, categories: t.categories }}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn label={t.name} value={value.title} onChange={(to) => set('title', to)} error={fault('title')} />
          <Several
            label={t.categories}
            value={value.categories}
            onChange={(to) => set('categories', to)}
            options={options}
            error={fault('categories')}
          />
        </>
      )}
    </RecordEditor>
  )
}

function BrandGroupForm({ shop, stored, again }: FormProps<Of<'staffBrandGroups'>>) {
  const t = useWords(words)
  const brands = useBrands(shop)
  return (
    <RecordEditor
      shop={shop}
      section="home"
      before={['brand-groups']}
      heading={stored?.title ?? t.brandGroups}
      stored={named(stored)}
      members={{ title: stored?.title ?? '', brands: stored?.brands ?? [] }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{ create: CreateBrandGroupDocument, update: UpdateBrandGroupDocument, remove: DeleteBrandGroupDocument }}
      input={(changed) => changed}
      names={{ title: t.name, brands: t.brands }}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn label={t.name} value={value.title} onChange={(to) => set('title', to)} error={fault('title')} />
          <Several
            label={t.brands}
            value={value.brands}
            onChange={(to) => set('brands', to)}
            options={brands}
            error={fault('brands')}
          />
        </>
      )}
    </RecordEditor>
  )
}

function SpecialForm({ shop, stored, again }: FormProps<Of<'staffStoreSpecials'>>) {
  const t = useWords(words)
  return (
    <RecordEditor
      shop={shop}
      section="home"
      before={['specials']}
      heading={stored?.title ?? t.specials}
      stored={named(stored)}
      members={{
        title: stored?.title ?? '',
        startsAt: stored?.startsAt ?? null,
        endsAt: stored?.endsAt ?? null,
        variants: stored?.variants ?? [],
      }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{ create: CreateSpecialDocument, update: UpdateSpecialDocument, remove: DeleteSpecialDocument }}
      input={(changed) => changed}
      names={{ title: t.name, startsAt: t.startsAt, endsAt: t.endsAt, variants: t.variants }}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn label={t.name} value={value.title} onChange={(to) => set('title', to)} error={fault('title')} />
          <MomentIn label={t.startsAt} value={value.startsAt} onChange={(to) => set('startsAt', to)} error={fault('startsAt')} />
          <MomentIn label={t.endsAt} value={value.endsAt} onChange={(to) => set('endsAt', to)} error={fault('endsAt')} />
          <VariantsIn
            label={t.variants}
            value={value.variants}
            onChange={(to) => set('variants', to)}
            error={fault('variants')}
          />
        </>
      )}
    </RecordEditor>
  )
}
