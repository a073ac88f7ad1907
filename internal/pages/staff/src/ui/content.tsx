// The members that products, blogs and portfolios have in common, as fields.
import { useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ListBoxItem } from 'react-aria-components/ComboBox'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup'
import { Text } from 'react-aria-components/Text'
import { asset } from '../api'
import type { PublicationStatus } from '../graphql/graphql'
import { statuses, statusName, useWords, type Pair } from '../words'
import { useArranging } from './arranging'
import { Choice, type Option } from './choice'
import { TextIn } from './fields'
import { orNull } from './editor'
import { InBoth, textsOf } from './inboth'
import { MomentIn } from './moment'
import { ImageButton } from './image'
import type { Form } from './record'

const words = {
  titleFa: ['Persian title', 'عنوان فارسی'],
  titleEn: ['English title', 'عنوان انگلیسی'],
  summary: ['Summary', 'خلاصه'],
  summaryFa: ['Persian summary', 'خلاصه فارسی'],
  category: ['Category', 'دسته'],
  tags: ['Tags', 'برچسب‌ها'],
  addTag: ['Type one and press Enter', 'یکی بنویسید و Enter بزنید'],
  images: ['Images', 'تصویرها'],
  imagesHelp: [
    'Drag them into an order, or use the keys: Enter on the handle, then the arrows.',
    'با کشیدن مرتب کنید، یا با صفحه‌کلید: Enter روی دستگیره و سپس پیکان‌ها.',
  ],
  imageUrl: ['Address of an image', 'نشانی تصویر'],
  alt: ['What the image shows', 'توضیح تصویر'],
  add: ['Add', 'افزودن'],
  remove: ['Remove', 'برداشتن'],
  move: ['Move', 'جابه‌جایی'],
  status: ['Status', 'وضعیت'],
  publishedAt: ['Public from', 'نمایش از'],
  seoTitle: ['Title for search engines', 'عنوان برای موتورهای جستجو'],
  seoDescription: ['Description for search engines', 'توضیح برای موتورهای جستجو'],
  seoTitleFa: ['Persian title for search engines', 'عنوان فارسی برای موتورهای جستجو'],
  seoDescriptionFa: ['Persian description for search engines', 'توضیح فارسی برای موتورهای جستجو'],
  none: ['None', 'هیچ'],
} satisfies Record<string, Pair>

export const useContentWords = () => useWords(words)

export interface Picture {
  mediaId: string
  url: string
  alt: string | null
  altFa: string | null
}

/** The members of a form of content; blank texts are absent. */
export interface Content {
  titleFa: string
  titleEn: string
  summary: string
  summaryFa: string
  category: string
  tags: string[]
  images: Picture[]
  seoTitle: string
  seoTitleFa: string
  seoDescription: string
  seoDescriptionFa: string
  status: PublicationStatus
  publishedAt: string | null
}

interface Stored {
  titleFa: string
  titleEn?: string | null
  summary?: string | null
  summaryFa?: string | null
  category?: string | null
  tags: string[]
  images: { mediaId: string; url: string; alt?: string | null; altFa?: string | null }[]
  seo: { [N in 'title' | 'titleFa' | 'description' | 'descriptionFa']?: string | null }
  status: PublicationStatus
  publishedAt: string
}

/** contentOf returns the form of content as it is stored, or of a new draft. */
export const contentOf = (stored: Stored | null): Content => ({
  titleFa: stored?.titleFa ?? '',
  titleEn: stored?.titleEn ?? '',
  summary: stored?.summary ?? '',
  summaryFa: stored?.summaryFa ?? '',
  category: stored?.category ?? '',
  tags: stored?.tags ?? [],
  images: (stored?.images ?? []).map(({ mediaId, url, alt, altFa }) => ({
    mediaId,
    url,
    alt: alt ?? null,
    altFa: altFa ?? null,
  })),
  seoTitle: stored?.seo.title ?? '',
  seoTitleFa: stored?.seo.titleFa ?? '',
  seoDescription: stored?.seo.description ?? '',
  seoDescriptionFa: stored?.seo.descriptionFa ?? '',
  status: stored?.status ?? 'draft',
  publishedAt: stored?.publishedAt ?? null,
})

/** contentInput returns the changed members of an input: blank texts clear. */
export function contentInput(changed: Partial<Content>, value: Content, isNew: boolean) {
  const { seoTitle, seoTitleFa, seoDescription, seoDescriptionFa, images, publishedAt, titleFa, ...same } = changed
  return {
    ...same,
    ...(titleFa ? { titleFa } : {}),
    ...orNull(changed, 'titleEn', 'summary', 'summaryFa', 'category'),
    ...(images
      ? { images: images.map(({ mediaId, ...image }) => ({ ...(mediaId ? { mediaId } : {}), ...image })) }
      : {}),
    ...(publishedAt ? { publishedAt } : {}),
    ...([seoTitle, seoTitleFa, seoDescription, seoDescriptionFa].some((text) => text !== undefined)
      ? {
          seo: {
            title: value.seoTitle || null,
            titleFa: value.seoTitleFa || null,
            description: value.seoDescription || null,
            descriptionFa: value.seoDescriptionFa || null,
          },
        }
      : {}),
    ...(isNew ? { status: value.status } : {}),
  }
}

interface Props<V extends Content> {
  form: Form<V>
  categories: Option[]
}

export function TitleFields<V extends Content>({ form }: { form: Form<V> }) {
  const t = useWords(words)
  const { value, set, fault } = form
  return (
    <>
      <TextIn
        label={t.titleFa}
        value={value.titleFa}
        onChange={(to) => set('titleFa', to)}
        error={fault('titleFa')}
      />
      <TextIn
        label={t.titleEn}
        value={value.titleEn}
        onChange={(to) => set('titleEn', to)}
        error={fault('titleEn')}
      />
      <InBoth texts={[{ name: 'summary', label: t.summary, lines: 2 }]} {...textsOf(form)} />
    </>
  )
}

export function PlaceFields<V extends Content>({ form, categories }: Props<V>) {
  const t = useWords(words)
  const { value, set, fault } = form
  return (
    <>
      <Find
        label={t.category}
        value={value.category}
        onChange={(to) => set('category', to)}
        options={categories}
        error={fault('category')}
      />
      <Tags label={t.tags} value={value.tags} onChange={(to) => set('tags', to)} error={fault('tags')} />
      <Pictures value={value.images} onChange={(to) => set('images', to)} fault={fault} />
    </>
  )
}

export function PublishFields<V extends Content>({ form }: { form: Form<V> }) {
  const t = useWords(words)
  const { value, set, fault } = form
  return (
    <>
      <div className="filters">
        <Choice
          label={t.status}
          value={value.status}
          onChange={(to) => set('status', to as PublicationStatus)}
          options={statuses.map((id) => ({ id, name: statusName(id) }))}
          error={fault('status')}
        />
        <MomentIn
          label={t.publishedAt}
          value={value.publishedAt}
          onChange={(to) => set('publishedAt', to)}
          error={fault('publishedAt')}
        />
      </div>
      <InBoth
        texts={[
          { name: 'seoTitle', label: t.seoTitle },
          { name: 'seoDescription', label: t.seoDescription, lines: 2 },
        ]}
        {...textsOf(form)}
        fault={(name) => fault(name.replace(/^seo(.)/, (_, first: string) => `seo.${first.toLowerCase()}`))}
      />
    </>
  )
}

interface FindProps {
  label: string
  /** Empty: none. */
  value: string
  onChange: (value: string) => void
  options: Option[]
  /** None is no option. */
  isAdding?: boolean
  error?: string | undefined
}

/** Find selects one of many options, which are found by typing. */
export function Find({ label, value, onChange, options, isAdding, error }: FindProps) {
  const t = useWords(words)
  return (
    <ComboBox
      value={value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      defaultItems={isAdding ? options : [{ id: '', name: t.none }, ...options]}
      isInvalid={Boolean(error)}
      menuTrigger="focus"
      className="field"
    >
      <Label>{label}</Label>
      <Input />
      {error && <Text slot="errorMessage">{error}</Text>}
      <Popover className="popover">
        <ListBox<Option> className="options">
          {(option) => <ListBoxItem id={option.id}>{option.name}</ListBoxItem>}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

interface TagsProps {
  label: string
  value: string[]
  onChange: (value: string[]) => void
  error?: string | undefined
}

export function Tags({ label, value, onChange, error }: TagsProps) {
  const t = useWords(words)
  const [text, setText] = useState('')
  const add = () => {
    const tag = text.trim()
    if (tag && !value.includes(tag)) onChange([...value, tag])
    setText('')
  }
  return (
    <div className="field">
      <TagGroup onRemove={(keys) => onChange(value.filter((tag) => !keys.has(tag)))}>
        <Label>{label}</Label>
        <TagList items={value.map((id) => ({ id }))} className="tags">
          {({ id }) => (
            <Tag id={id} textValue={id}>
              <bdi>{id}</bdi>
              <Button slot="remove" aria-label={`${t.remove} ${id}`}>
                ×
              </Button>
            </Tag>
          )}
        </TagList>
      </TagGroup>
      <div
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // it would send the form
          add()
        }}
        onBlur={add} // who presses Save means what is in the field, too
      >
        <TextIn label={t.addTag} value={text} onChange={setText} error={error} />
      </div>
    </div>
  )
}

interface SeveralProps extends TagsProps {
  /** The options. A selected one that no longer exists is shown by its id. */
  options: Option[]
}

/** Several selects several of many options in an order; they are found by typing. */
export function Several({ label, value, onChange, options, error }: SeveralProps) {
  const t = useWords(words)
  const nameOf = (id: string) => options.find((option) => option.id === id)?.name ?? id
  return (
    <div className="field">
      <TagGroup onRemove={(keys) => onChange(value.filter((id) => !keys.has(id)))}>
        <Label>{label}</Label>
        <TagList items={value.map((id) => ({ id, name: nameOf(id) }))} className="tags">
          {({ id, name }) => (
            <Tag id={id} textValue={name}>
              {name}
              <Button slot="remove" aria-label={`${t.remove} ${name}`}>
                ×
              </Button>
            </Tag>
          )}
        </TagList>
      </TagGroup>
      {/* Begun anew with each that is added, and not before there are options. */}
      {options.length > 0 && (
        <Find
          key={value.length}
          label={t.add}
          value=""
          isAdding
          onChange={(id) => id && onChange([...value, id])}
          options={options.filter(({ id }) => !value.includes(id))}
          error={error}
        />
      )}
    </div>
  )
}

interface PicturesProps {
  value: Picture[]
  onChange: (value: Picture[]) => void
  fault: (name: string) => string | undefined
}

/** Pictures takes images in an order, which is changed by dragging or with the keyboard. */
export function Pictures({ value, onChange, fault }: PicturesProps) {
  const t = useWords(words)
  const [url, setUrl] = useState('')
  const latest = useRef(value)
  latest.current = value
  const dragAndDropHooks = useArranging(
    value.map(({ url }) => url),
    (urls) => onChange(urls.flatMap((url) => latest.current.find((one) => one.url === url) ?? [])),
  )
  const place = ({ url }: Picture) => value.findIndex((one) => one.url === url)
  // Faults of a text are shown at the text, all others at the address.
  const isOfText = value.some((_, i) => fault(`images.${i}.alt`) || fault(`images.${i}.altFa`))
  const error = isOfText ? value.map((_, i) => fault(`images.${i}.url`)).find(Boolean) : fault('images')
  const add = () => {
    const address = url.trim()
    if (address && !value.some((picture) => picture.url === address)) {
      onChange([...value, { mediaId: '', url: address, alt: null, altFa: null }])
    }
    setUrl('')
  }
  return (
    <fieldset>
      <legend>{t.images}</legend>
      {value.length > 1 && <p className="help">{t.imagesHelp}</p>}
      <GridList
        aria-label={t.images}
        items={value.map((picture) => ({ ...picture, id: picture.url }))}
        dragAndDropHooks={dragAndDropHooks}
        className="pictures"
        keyboardNavigationBehavior="tab"
      >
        {(picture) => (
          <GridListItem textValue={picture.alt ?? picture.url}>
            <Button slot="drag" aria-label={t.move}>
              ⠿
            </Button>
            <img src={asset(picture.url)} alt="" width="56" height="56" loading="lazy" />
            <div className="texts">
              <InBoth
                texts={[{ name: 'alt', label: t.alt }]}
                get={(name) => picture[name as 'alt' | 'altFa'] ?? ''}
                set={(to) =>
                  onChange(
                    latest.current.map((one) =>
                      one.url === picture.url
                        ? { ...one, ...orNull(to, ...(Object.keys(to) as ('alt' | 'altFa')[])) }
                        : one,
                    ),
                  )
                }
                fault={(name) => fault(`images.${place(picture)}.${name}`)}
              />
            </div>
            <Button onPress={() => onChange(latest.current.filter((one) => one.url !== picture.url))}>
              {t.remove}
            </Button>
          </GridListItem>
        )}
      </GridList>
      <div className="filters">
        <TextIn label={t.imageUrl} value={url} onChange={setUrl} dir="ltr" type="url" error={error} />
        <Button onPress={add}>{t.add}</Button>
        <ImageButton
          of={t.images}
          onChoose={(image) => {
            if (!latest.current.some(({ url }) => url === image.url)) onChange([...latest.current, image])
          }}
        />
      </div>
    </fieldset>
  )
}
