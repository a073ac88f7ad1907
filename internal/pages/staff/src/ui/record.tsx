// One record: adding, changing and deleting it, by the mutations of its kind.
import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Failure } from '../api'
import { useDraft } from '../draft'
import type { TypedDocumentString } from '../graphql/graphql'
import { useDoing, useSaving, type Saved } from '../query'
import { go, to } from '../router'
import type { Shop } from '../shop'
import { say, useWords, type Pair } from '../words'
import { Editor, useEdit } from './editor'
import { faultOf, TextIn } from './fields'
import { useFeedback } from './feedback'
import { Back } from './unread'

const words = {
  slug: ['Slug', 'نشانک'],
  slugHelp: ['Its place in addresses: letters, digits and hyphens.', 'جای آن در نشانی‌ها: حروف، رقم و خط تیره.'],
  delete: ['Delete', 'حذف'],
  deleteText: ['This cannot be undone.', 'این کار برگشت ندارد.'],
  comma: [', ', '، '],
  deletedWith: ['It also deletes:', 'همراه آن حذف می‌شود:'],
  variants: ['variants', 'گونه'],
  favorites: ['favorites of customers', 'علاقه‌مندی مشتریان'],
  comments: ['comments of visitors', 'دیدگاه بازدیدکنندگان'],
  expertReviews: ['reviews of visitors', 'نقد بازدیدکنندگان'],
} satisfies Record<string, Pair>

/** What a deletion deletes with its record. */
interface Deletion {
  deleted: { deletedWith: Record<'variants' | 'favorites' | 'comments' | 'expertReviews', number> }
}

export interface Form<V> {
  value: V
  set: <K extends keyof V>(name: K, to: V[K]) => void
  fault: (name: string) => string | undefined
  mayEdit: boolean
}

interface RecordProps<V extends object, I, W extends object> {
  shop: Shop
  /** The path of the screen, which precedes the slug in addresses. */
  section: string
  before?: string[]
  heading: string
  /** null for a new record. */
  stored: { slug: string; version: string } | null
  members: V
  mayEdit: boolean
  documents: {
    create: TypedDocumentString<unknown, W & { shop: string; slug: string; input: I }>
    update: TypedDocumentString<Saved, W & { shop: string; slug: string; input: I; version: string }>
    remove: TypedDocumentString<Deletion, W & { shop: string; slug: string; countOnly: boolean }>
  }
  /** More variables of the documents. */
  more?: W
  /** base are the members as they were before they were changed here. */
  input: (changed: Partial<V>, value: V, base: V) => I
  /** What is wrong and the service cannot know, such as an emptied field that it takes for an absent one. */
  check?: (value: V) => Failure['fields']
  names: Partial<Record<keyof V & string, string>>
  again: () => void
  actions?: ReactNode
  children: (form: Form<V>) => ReactNode
}

export function RecordEditor<V extends object, I, W extends object = object>(props: RecordProps<V, I, W>) {
  const { shop, section, stored, documents } = props
  const t = useWords(words)
  const { confirm } = useFeedback()
  const before = props.before ?? []
  const more = (props.more ?? {}) as W
  const name = [shop.id, section, ...before, stored?.slug ?? ''].join('.')
  const [slug, setSlug] = useDraft(`${name}.slug`)
  const create = useDoing(documents.create)
  const read = stored?.version ?? null
  const update = useSaving<Saved, W & { shop: string; slug: string; input: I }>(documents.update, name, read)
  const edit = useEdit(name, props.members, stored ? update.isOld : undefined)
  const remove = useDoing(documents.remove)
  const [wrong, setWrong] = useState<Failure>()
  const failure = wrong ?? create.failure ?? update.failure ?? remove.failure

  const save = async () => {
    const found = props.check?.(edit.value) ?? []
    setWrong(found.length > 0 ? new Failure('VALIDATION_FAILED', '', found) : undefined)
    if (found.length > 0) return false
    const input = props.input(edit.changed, edit.value, edit.base)
    if (stored) {
      const done = await update.save({ ...more, shop: shop.id, slug: stored.slug, input })
      if (done) props.again()
      return Boolean(done)
    }
    const done = await create.run({ ...more, shop: shop.id, slug, input })
    if (done) {
      setSlug(null)
      props.again()
      go(to(shop.domain, section, [...before, slug]))
    }
    return Boolean(done)
  }
  const drop = async () => {
    if (!stored) return
    const of = { ...more, shop: shop.id, slug: stored.slug }
    const counted = await remove.run({ ...of, countOnly: true })
    if (!counted) return
    const { variants, favorites, comments, expertReviews } = counted.deleted.deletedWith
    const also = Object.entries({ variants, favorites, comments, expertReviews })
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${t[name as keyof typeof words]}`)
    const text = also.length > 0 ? `${t.deletedWith} ${also.join(t.comma)}. ${t.deleteText}` : t.deleteText
    if (
      !(await confirm({
        title: say([`Delete «${props.heading}»?`, `«${props.heading}» حذف شود؟`]),
        text,
        yes: t.delete,
      }))
    )
      return
    if (await remove.run({ ...of, countOnly: false })) {
      edit.end()
      go(to(shop.domain, section, before))
    }
  }
  return (
    <>
      <Back shop={shop} section={section} before={before} />
      <h1>
        <bdi>{props.heading}</bdi>
      </h1>
      <Editor
        edit={edit}
        failure={failure}
        isSaving={create.doing || update.doing}
        mayEdit={props.mayEdit}
        onSave={save}
        onConflict={props.again}
        names={{ slug: t.slug, ...props.names }}
        actions={
          <>
            {props.actions}
            {stored && props.mayEdit && (
              <Button className="danger" onPress={() => void drop()}>
                {t.delete}
              </Button>
            )}
          </>
        }
      >
        {!stored && (
          <TextIn
            label={t.slug}
            description={t.slugHelp}
            value={slug}
            onChange={setSlug}
            error={faultOf(failure, 'slug')}
          />
        )}
        {props.children({
          value: edit.value,
          set: edit.set,
          fault: (name) => faultOf(failure, name, props.names),
          mayEdit: props.mayEdit,
        })}
      </Editor>
    </>
  )
}
