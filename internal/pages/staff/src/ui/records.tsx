// The list of a kind of records in every status, with its filters and work on many at once.
import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { recordsOf } from '../ahead'
import { useFormats } from '../format'
import {
  RecordsDocument,
  type ListingStatus,
  type Permission,
  type RecordSelection,
  type StaffRecordKind,
  type TypedDocumentString,
} from '../graphql/graphql'
import { useDoing } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { either, say, statusName, useWords, type Pair } from '../words'
import { Badge, Search } from './bits'
import { Choice } from './choice'
import { Problem } from './fields'
import { useFeedback } from './feedback'
import { List } from './list'
import { deletionOf } from './deletion'
import { useChoice, useWalk } from './walk'

const words = {
  name: ['Title', 'عنوان'],
  slug: ['Slug', 'نشانک'],
  status: ['Status', 'وضعیت'],
  published: ['Public from', 'نمایش از'],
  all: ['All', 'همه'],
  find: ['Words in the title', 'واژه‌هایی از عنوان'],
  delete: ['Delete', 'حذف'],
  chosen: ['What is done to the chosen ones', 'کار روی موارد برگزیده'],
} satisfies Record<string, Pair>

interface Changed {
  changed: number
  next?: string | null
  /** What stopped the request after some records were changed. */
  stopped?: { message: string } | null
  faults: { id: string; slug?: string | null; message: string }[]
}

interface RecordsProps<C, D> extends ScreenProps {
  kind: StaffRecordKind
  section: string
  title: string
  may: Permission
  statuses: ListingStatus[]
  document: TypedDocumentString<D, { shop: string; select: RecordSelection; change: C; after?: string | null }>
  changedOf: (data: D) => Changed
  /** The actions on several records. */
  changes: { name: string; change: C }[]
  deletion: C
  /** Shown above the list; again reads the list again. */
  children?: (again: () => void) => ReactNode
}

export function Records<C, D>(props: RecordsProps<C, D>) {
  const { shop, place, section } = props
  const t = useWords(words)
  const f = useFormats()
  const { tell, confirm } = useFeedback()
  const status = place.filters.get('status') ?? ''
  const find = place.filters.get('find') ?? ''
  const change = useDoing(props.document)
  const [faults, setFaults] = useState<Changed['faults']>([])
  const [stopped, setStopped] = useState<string>()
  const walk = useWalk(RecordsDocument, recordsOf(shop, place, props.kind), (data) => data.staffRecordsConnection)
  const [chosen, choose] = useChoice(walk)
  const selected = walk.items.filter(({ id }) => chosen.includes(id)) // in the list, as it is now
  const filter = (changed: Record<string, string>) =>
    go(to(shop.domain, section, [], { status, find, ...changed }), true)

  /** Changes all selected records, in as many requests as necessary. */
  const changeSelected = async (to: C, isDeletion: boolean) => {
    const ids = selected.map(({ id }) => id)
    const titles = selected.map((item) => either(item.titleEn, item.titleFa))
    if (isDeletion && !(await confirm(deletionOf(titles, f.number)))) return
    let changed = 0
    const refused: Changed['faults'] = []
    let stop: string | undefined
    for (let from = 0; from < ids.length && !stop; from += 1000) {
      let after: string | null = null
      do {
        const data: D | undefined = await change.run({
          shop: shop.id,
          select: { ids: ids.slice(from, from + 1000) },
          change: to,
          after,
        })
        if (!data) break
        const done: Changed = props.changedOf(data)
        changed += done.changed
        refused.push(...done.faults)
        stop = done.stopped?.message
        after = done.next ?? null
      } while (after && !stop)
    }
    setFaults(refused)
    setStopped(stop)
    choose([])
    walk.again()
    tell(say([`${f.number(changed)} changed.`, `${f.number(changed)} مورد تغییر کرد.`]))
  }
  const count = selected.length
  const mayChange = shop.permissions.includes(props.may)
  return (
    <>
      <h1>
        {props.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      {props.children?.(walk.again)}
      <div className="filters">
        <Search label={t.find} value={find} onSubmit={(to) => filter({ find: to })} />
        <Choice
          label={t.status}
          value={status || 'all'}
          onChange={(to) => filter({ status: to === 'all' ? '' : to })}
          options={[{ id: 'all', name: t.all }, ...props.statuses.map((id) => ({ id, name: statusName(id) }))]}
        />
      </div>
      {mayChange && (
        <div className="buttons" role="group" aria-label={t.chosen}>
          {props.changes.map(({ name, change: to }) => (
            <Button
              key={name}
              isDisabled={count === 0 || change.doing}
              onPress={() => void changeSelected(to, false)}
            >
              {name}
            </Button>
          ))}
          <Button
            className="danger"
            isDisabled={count === 0 || change.doing}
            onPress={() => void changeSelected(props.deletion, true)}
          >
            {t.delete}
          </Button>
        </div>
      )}
      <Problem>{change.failure?.message ?? stopped}</Problem>
      {faults.length > 0 && (
        <ul className="problem" role="alert">
          {faults.map(({ id, slug, message }) => (
            <li key={id}>
              <bdi>{slug ?? id}</bdi>: {message}
            </li>
          ))}
        </ul>
      )}
      <List
        label={props.title}
        walk={walk}
        {...(mayChange ? { selected: new Set(chosen), onSelect: (ids: Set<string>) => choose([...ids]) } : {})}
        href={({ slug }) => to(shop.domain, section, [slug])}
        columns={[
          { id: 'title', name: t.name, show: (item) => either(item.titleEn, item.titleFa) },
          { id: 'status', name: t.status, width: 130, show: (item) => <Badge value={item.status} /> },
          { id: 'slug', name: t.slug, wide: true, show: (item) => <bdi>{item.slug}</bdi> },
          { id: 'published', name: t.published, width: 190, wide: true, show: (item) => f.moment(item.publishedAt) },
        ]}
      />
    </>
  )
}
