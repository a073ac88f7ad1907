// Comments and reviews: pending ones are approved or rejected, one by one or all that are selected.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import type { Failure } from '../api'
import { useFormats } from '../format'
import {
  ChangeCommentsDocument,
  ChangeReviewsDocument,
  CommentsDocument,
  ReplyToCommentDocument,
  ReplyToReviewDocument,
  ReviewsDocument,
  type Moderation,
  type OpinionChange,
  type SubjectFragment,
  type TypedDocumentString,
} from '../graphql/graphql'
import { useDoing, useSaving } from '../query'
import { go, to } from '../router'
import { useShop, type ScreenProps } from '../shop'
import { Choice } from '../ui/choice'
import { Editor, useEdit } from '../ui/editor'
import { namedIn, Problem, TextIn } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { deletionOf } from '../ui/deletion'
import { useChoice, useWalk, type Walk } from '../ui/walk'
import { either, say, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Comments and reviews', 'دیدگاه‌ها و نقدها'],
  comments: ['Comments', 'دیدگاه‌ها'],
  reviews: ['Reviews', 'نقدها'],
  status: ['Status', 'وضعیت'],
  approve: ['Approve', 'تأیید'],
  reject: ['Reject', 'رد'],
  delete: ['Delete', 'حذف'],
  about: ['About', 'درباره'],
  gone: ['something that is deleted', 'چیزی که حذف شده'],
  none: ['Nothing waits here.', 'چیزی در انتظار نیست.'],
  more: ['Show more', 'نمایش بیشتر'],
  reason: ['Why it is rejected, for the team', 'دلیل رد، برای همکاران'],
  reply: ['The shop’s public answer', 'پاسخ عمومی فروشگاه'],
  send: ['Publish the answer', 'انتشار پاسخ'],
  choose: ['Choose', 'انتخاب'],
} satisfies Record<string, Pair>

const statuses: Moderation[] = ['pending', 'approved', 'rejected']

interface Opinion {
  id: string
  authorName: string
  text: string
  createdAt: string
  about?: SubjectFragment | null
  rejectionReason?: string | null
  reply?: { text: string } | null
  version?: string | null
  rate?: number
  positivePoints?: string[]
  negativePoints?: string[]
}

export default function Opinions(props: ScreenProps) {
  const { shop, place } = props
  const t = useWords(words)
  const status = (place.filters.get('status') ?? 'pending') as Moderation
  const kind = place.rest[0] ?? 'comments'
  return (
    <>
      <h1>{t.title}</h1>
      <Tabs
        selectedKey={kind}
        onSelectionChange={(key) => go(to(shop.domain, 'opinions', [String(key)], { status }), true)}
      >
        <TabList aria-label={t.title} className="tabs">
          <Tab id="comments">{t.comments}</Tab>
          <Tab id="reviews">{t.reviews}</Tab>
        </TabList>
        <Choice
          label={t.status}
          value={status}
          onChange={(value) => go(to(shop.domain, 'opinions', [kind], { status: value }), true)}
          options={statuses.map((id) => ({ id, name: statusName(id) }))}
        />
        <TabPanel id="comments">
          <Comments {...props} status={status} />
        </TabPanel>
        <TabPanel id="reviews">
          <Reviews {...props} status={status} />
        </TabPanel>
      </Tabs>
    </>
  )
}

function Comments({ shop, status }: ScreenProps & { status: Moderation }) {
  const walk = useWalk(CommentsDocument, { shop: shop.id, status }, (data) => data.moderatedCommentsConnection)
  const change = useDoing(ChangeCommentsDocument)
  const run = async (ids: string[], to: OpinionChange) =>
    (await change.run({ shop: shop.id, select: { ids }, change: to }))?.changeComments.changed
  return <Queue walk={walk} status={status} run={run} reply={ReplyToCommentDocument} failure={change.failure} />
}

function Reviews({ shop, status }: ScreenProps & { status: Moderation }) {
  const walk = useWalk(ReviewsDocument, { shop: shop.id, status }, (data) => data.moderatedReviewsConnection)
  const change = useDoing(ChangeReviewsDocument)
  const run = async (ids: string[], to: OpinionChange) =>
    (await change.run({ shop: shop.id, select: { ids }, change: to }))?.changeReviews.changed
  return <Queue walk={walk} status={status} run={run} reply={ReplyToReviewDocument} failure={change.failure} />
}

interface QueueProps {
  walk: Walk<Opinion>
  status: Moderation
  run: (ids: string[], to: OpinionChange) => Promise<number | undefined>
  reply: ReplyDocument
  failure: Failure | undefined
}

type ReplyDocument = TypedDocumentString<object, { shop: string; id: string; text?: string | null; version: string }>

function Queue({ walk, status, run, reply, failure }: QueueProps) {
  const t = useWords(words)
  const f = useFormats()
  const { tell, confirm } = useFeedback()
  const [ticked, setChosen] = useChoice(walk)
  const chosen = walk.items.map(({ id }) => id).filter((id) => ticked.includes(id)) // in the list, as it is now
  const [reason, setReason] = useState('')
  const change = async (ids: string[], to: OpinionChange) => {
    const titles = walk.items.filter(({ id }) => ids.includes(id)).map(({ authorName }) => authorName)
    if (to.delete && !(await confirm(deletionOf(titles, f.number)))) return
    const changed = await run(ids, to)
    setChosen([])
    if (changed !== undefined && to.status === 'rejected') setReason('') // it was of these
    walk.again()
    if (changed !== undefined) tell(say([`${f.number(changed)} changed.`, `${f.number(changed)} مورد تغییر کرد.`]))
  }
  const buttons = (ids: string[]) => (
    <>
      {status !== 'approved' && (
        <Button isDisabled={ids.length === 0} onPress={() => void change(ids, { status: 'approved' })}>
          {t.approve}
        </Button>
      )}
      {status !== 'rejected' && (
        <Button
          isDisabled={ids.length === 0}
          onPress={() => void change(ids, { status: 'rejected', rejectionReason: reason || null })}
        >
          {t.reject}
        </Button>
      )}
      <Button className="danger" isDisabled={ids.length === 0} onPress={() => void change(ids, { delete: true })}>
        {t.delete}
      </Button>
    </>
  )
  return (
    <>
      <Problem>{namedIn(failure ?? walk.failure, { text: t.reply, rejectionReason: t.reason })}</Problem>
      {status === 'pending' && <TextIn label={t.reason} value={reason} onChange={setReason} />}
      <p className="buttons">
        {buttons(chosen)}
        {chosen.length > 0 && <span>{f.number(chosen.length)}</span>}
      </p>
      {walk.items.length === 0 && !walk.reading && <p className="empty">{t.none}</p>}
      <ul className="opinions">
        {walk.items.map((opinion) => (
          <li key={opinion.id}>
            <Checkbox
              aria-label={`${t.choose}: ${opinion.authorName}`}
              className="check"
              isSelected={chosen.includes(opinion.id)}
              onChange={(is) => setChosen(is ? [...chosen, opinion.id] : chosen.filter((id) => id !== opinion.id))}
            >
              <span aria-hidden="true" />
            </Checkbox>
            <article>
              <header>
                <strong>{opinion.authorName}</strong> · {f.moment(opinion.createdAt)}
                {opinion.rate !== undefined && ` · ${f.number(opinion.rate)}/${f.number(10)}`}
              </header>
              <p dir="auto">{opinion.text}</p>
              {opinion.positivePoints?.map((point, i) => (
                <p key={i}>
                  + <bdi>{point}</bdi>
                </p>
              ))}
              {opinion.negativePoints?.map((point, i) => (
                <p key={i}>
                  − <bdi>{point}</bdi>
                </p>
              ))}
              <footer>
                {t.about}: <bdi>{opinion.about ? either(opinion.about.titleEn, opinion.about.titleFa) : t.gone}</bdi>
              </footer>
              {opinion.rejectionReason && <p dir="auto">{opinion.rejectionReason}</p>}
              <Answer opinion={opinion} reply={reply} again={walk.again} />
              <p className="buttons">{buttons([opinion.id])}</p>
            </article>
          </li>
        ))}
      </ul>
      {walk.total !== undefined && walk.items.length < walk.total && (
        <Button isPending={walk.reading} onPress={walk.more}>
          {t.more}
        </Button>
      )}
    </>
  )
}

interface AnswerProps {
  opinion: Opinion
  reply: ReplyDocument
  again: () => void
}

/** Answer edits the shop's public answer to an opinion; an empty one deletes it. */
function Answer({ opinion, reply, again }: AnswerProps) {
  const t = useWords(words)
  const shop = useShop()
  const name = `${shop.id}.opinions.${opinion.id}.reply`
  const update = useSaving<object, { shop: string; id: string; text: string | null }>(reply, name, opinion.version ?? null)
  const edit = useEdit(name, { text: opinion.reply?.text ?? '' }, update.isOld)
  const [isOpen] = useState(edit.isChanged)
  return (
    <details open={isOpen}>
      <summary>{opinion.reply ? `${t.reply}: ${opinion.reply.text}` : t.reply}</summary>
      <Editor
        edit={edit}
        failure={update.failure}
        isSaving={update.doing}
        onSave={async () => {
          const done = await update.save({ shop: shop.id, id: opinion.id, text: edit.value.text || null })
          if (done) again()
          return Boolean(done)
        }}
        onConflict={again}
        names={{ text: t.reply }}
        saves={t.send}
      >
        <TextIn label={t.reply} value={edit.value.text} onChange={(text) => edit.set('text', text)} lines={2} />
      </Editor>
    </details>
  )
}
