// Messages to the business: those that wait first, and those that are done.
import { Button } from 'react-aria-components'
import { useFormats } from '../format'
import { MarkMessagesDocument, MessagesDocument } from '../graphql/graphql'
import { useDoing } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../screens'
import { Problem, Toggle } from '../ui/fields'
import { useWalk } from '../ui/list'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Messages', 'پیام‌ها'],
  done: ['Those that are done', 'رسیدگی‌شده‌ها'],
  mark: ['Mark as done', 'رسیدگی شد'],
  again: ['Mark as waiting', 'هنوز در انتظار است'],
  none: ['Nothing waits here.', 'چیزی در انتظار نیست.'],
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
                <strong>{message.title}</strong> · {message.name} · {f.moment(message.createdAt)}
              </header>
              <p>{message.text}</p>
              <footer>
                {message.cellNumber && (
                  <a href={`tel:${message.cellNumber}`} dir="ltr">
                    {message.cellNumber}
                  </a>
                )}{' '}
                {message.email && (
                  <a href={`mailto:${message.email}`} dir="ltr">
                    {message.email}
                  </a>
                )}
              </footer>
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
