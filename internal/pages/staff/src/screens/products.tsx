// Products: the list with its filters and work on many at once.
import { useState } from 'react'
import { Button, type Selection } from 'react-aria-components'
import { useFormats } from '../format'
import {
  ChangeProductsDocument,
  ProductsDocument,
  type ContentChange,
  type ListingStatus,
  type PublicationStatus,
  type RecordSelection,
} from '../graphql/graphql'
import { useDoing } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../screens'
import { Badge, Search } from '../ui/bits'
import { Choice, Problem } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { List, useWalk } from '../ui/list'
import { say, statusName, useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Products', 'محصولات'],
  name: ['Title', 'عنوان'],
  slug: ['Slug', 'نشانک'],
  status: ['Status', 'وضعیت'],
  published: ['Public from', 'نمایش از'],
  all: ['All', 'همه'],
  find: ['Words in the title', 'واژه‌هایی از عنوان'],
  publish: ['Publish', 'انتشار'],
  draft: ['Make drafts', 'پیش‌نویس کردن'],
  archive: ['Archive', 'بایگانی'],
  delete: ['Delete', 'حذف'],
  deleteTitle: ['Delete the chosen products?', 'محصولات برگزیده حذف شوند؟'],
  deleteText: ['This cannot be undone.', 'این کار برگشت ندارد.'],
} satisfies Record<string, Pair>

const statuses: PublicationStatus[] = ['draft', 'published', 'archived']

export default function Products({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const language = useLanguage()
  const { tell, confirm } = useFeedback()
  const status = place.filters.get('status') ?? ''
  const find = place.filters.get('find') ?? ''
  const [selected, setSelected] = useState<Selection>(new Set())
  const change = useDoing(ChangeProductsDocument)
  const [faults, setFaults] = useState<{ id: string; slug?: string | null; message: string }[]>([])
  const walk = useWalk(
    ProductsDocument,
    { shop: shop.id, status: (status || null) as ListingStatus | null, name: find || null },
    (data) => data.staffRecordsConnection,
  )
  const filter = (changed: Record<string, string>) => {
    setSelected(new Set())
    go(to(shop.domain, 'products', [], { status, find, ...changed }), true)
  }

  /** Changes all that are selected, in as many requests as it takes. */
  const changeSelected = async (to: ContentChange) => {
    if (to.delete && !(await confirm({ title: t.deleteTitle, text: t.deleteText, yes: t.delete }))) return
    const ids = selected === 'all' ? walk.items.map(({ id }) => id) : [...selected].map(String)
    let changed = 0
    const refused: typeof faults = []
    for (let from = 0; from < ids.length; from += 1000) {
      const select: RecordSelection = { ids: ids.slice(from, from + 1000) }
      let after: string | null = null
      do {
        const done: Awaited<ReturnType<typeof change.run>> = await change.run({ shop: shop.id, select, change: to, after })
        if (!done) break
        changed += done.changeProducts.changed
        refused.push(...done.changeProducts.faults)
        after = done.changeProducts.next ?? null
      } while (after)
    }
    setFaults(refused)
    setSelected(new Set())
    walk.again()
    tell(say([`${f.number(changed)} changed.`, `${f.number(changed)} مورد تغییر کرد.`]))
  }
  const count = selected === 'all' ? walk.items.length : selected.size
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <div className="filters">
        <Search label={t.find} value={find} onSubmit={(to) => filter({ find: to })} />
        <Choice
          label={t.status}
          value={status || 'all'}
          onChange={(to) => filter({ status: to === 'all' ? '' : to })}
          options={[{ id: 'all', name: t.all }, ...statuses.map((id) => ({ id, name: statusName(id) }))]}
        />
      </div>
      {shop.permissions.includes('editCatalog') && (
        <div className="buttons" role="group" aria-label={t.title}>
          {(
            [
              [t.publish, { status: 'published' }],
              [t.draft, { status: 'draft' }],
              [t.archive, { status: 'archived' }],
            ] as [string, ContentChange][]
          ).map(([name, to]) => (
            <Button key={name} isDisabled={count === 0 || change.doing} onPress={() => void changeSelected(to)}>
              {name}
            </Button>
          ))}
          <Button
            className="danger"
            isDisabled={count === 0 || change.doing}
            onPress={() => void changeSelected({ delete: true })}
          >
            {t.delete}
          </Button>
        </div>
      )}
      <Problem>{change.failure?.message}</Problem>
      {faults.length > 0 && (
        <ul className="problem">
          {faults.map(({ id, slug, message }) => (
            <li key={id}>
              <bdi>{slug ?? id}</bdi>: {message}
            </li>
          ))}
        </ul>
      )}
      <List
        label={t.title}
        walk={walk}
        selected={selected}
        onSelect={setSelected}
        href={({ slug }) => to(shop.domain, 'products', [slug])}
        columns={[
          { id: 'title', name: t.name, show: (item) => (language === 'en' && item.titleEn) || item.titleFa },
          { id: 'slug', name: t.slug, show: ({ slug }) => <bdi>{slug}</bdi> },
          { id: 'status', name: t.status, width: 140, show: ({ status }) => <Badge value={status} /> },
          { id: 'published', name: t.published, width: 200, show: ({ publishedAt }) => f.moment(publishedAt) },
        ]}
      />
    </>
  )
}
