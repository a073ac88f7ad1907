// Messages to the business: pending ones first, then those that are done.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useDraft } from '../draft'
import { useFormats } from '../format'
import {
  MarkMessagesDocument,
  MessagesDocument,
  NoteMessageDocument,
  ReplyToMessageDocument,
  type MessagesQuery,
} from '../graphql/graphql'
import { useDoing, useSaving } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Mail } from '../ui/bits'
import { Editor, useEdit } from '../ui/editor'
import { namedIn, Problem, TextIn, Toggle } from '../ui/fields'
import { useWalk } from '../ui/walk'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Messages', 'پیام‌ها'],
  done: ['Those that are done', 'رسیدگی‌شده‌ها'],
  mark: ['Mark as done', 'رسیدگی شد'],
  again: ['Mark as waiting', 'هنوز در انتظار است'],
  none: ['Nothing waits here.', 'چیزی در انتظار نیست.'],
  note: ['Note for the team', 'یادداشت برای همکاران'],
  keep: ['Keep the note', 'نگه داشتن یادداشت'],
  reply: ['Answer by SMS', 'پاسخ با پیامک'],
  send: ['Send', 'ارسال'],
  answered: ['Answered', 'پاسخ داده شده'],
  more: ['Show more', 'نمایش بیشتر'],
} satisfies Record<string, Pair>

export default function Messages({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const handled = place.filters.get('done') === 'yes'
  const walk = useWalk(MessagesDocument, { shop: shop.id, handled }, (data) => data.contactSubmissionsConnection)
  const mark = useDoing(MarkMessagesDocument)
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <Toggle
        label={t.done}
        value={handled}
        onChange={(is) => go(to(shop.domain, 'messages', [], { done: is ? 'yes' : '' }), true)}
      />
      <Problem>{walk.failure?.message ?? mark.failure?.message}</Problem>
      {walk.items.length === 0 && !walk.reading && <p className="empty">{t.none}</p>}
      <ul className="opinions">
        {walk.items.map((message) => (
          <li key={message.id}>
            <article>
              <header>
                <strong>{message.title}</strong> · <bdi>{message.name}</bdi> · {f.moment(message.createdAt)}
              </header>
              <p dir="auto">{message.text}</p>
              <footer>
                {message.cellNumber && (
                  <a href={`tel:${message.cellNumber}`} dir="ltr">
                    {message.cellNumber}
                  </a>
                )}{' '}
                {message.email && <Mail address={message.email} />}
              </footer>
              <Answer shop={shop.id} message={message} again={walk.again} />
              <p className="buttons">
                <Button
                  isPending={mark.doing}
                  onPress={async () => {
                    await mark.run({ shop: shop.id, ids: [message.id], handled: !handled })
                    walk.again()
                  }}
                >
                  {handled ? t.again : t.mark}
                </Button>
              </p>
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

type Message = NonNullable<MessagesQuery['contactSubmissionsConnection']>['nodes'][number]

/** Answer edits the team's note on a message, and sends an answer to its cell number by SMS. */
function Answer({ shop, message, again }: { shop: string; message: Message; again: () => void }) {
  const t = useWords(words)
  const name = `${shop}.messages.${message.id}.notes`
  const keep = useSaving<object, { shop: string; message: string; note: string | null }>(
    NoteMessageDocument,
    name,
    message.version,
  )
  const edit = useEdit(name, { note: message.note ?? '' }, keep.isOld)
  const [text, setText] = useDraft(`${shop}.messages.${message.id}.answer`)
  const [isOpen] = useState(text !== '' || edit.isChanged)
  const reply = useDoing(ReplyToMessageDocument)
  return (
    <details open={isOpen}>
      <summary>{message.reply ? `${t.answered}: ${message.reply.text}` : t.reply}</summary>
      <Editor
        edit={edit}
        failure={keep.failure}
        isSaving={keep.doing}
        onSave={async () => {
          const done = await keep.save({ shop, message: message.id, note: edit.value.note || null })
          if (done) again()
          return Boolean(done)
        }}
        onConflict={again}
        names={{ note: t.note }}
        saves={t.keep}
      >
        <TextIn label={t.note} value={edit.value.note} onChange={(note) => edit.set('note', note)} lines={2} />
      </Editor>
      {message.cellNumber && (
        <>
          <TextIn label={t.reply} value={text} onChange={setText} lines={3} />
          <Button
            isPending={reply.doing}
            isDisabled={text.trim() === ''}
            onPress={async () => {
              if (await reply.run({ shop, message: message.id, text })) setText(null)
              again()
            }}
          >
            {t.send}
          </Button>
        </>
      )}
      <Problem>{namedIn(reply.failure, { text: t.reply })}</Problem>
    </details>
  )
}
