// Webhooks: where events of the shop are sent, and the outcome of each.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { useFormats } from '../format'
import {
  AddWebhookDocument,
  DeliveriesDocument,
  RedeliverDocument,
  RemoveWebhookDocument,
  SendTestEventDocument,
  UpdateWebhookDocument,
  WebhooksDocument,
  type WebhookEvent,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { Copy } from '../ui/copy'
import { useEdit } from '../ui/editor'
import { faultOf, namedIn, Problem, TextIn, Toggle } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { useWalk } from '../ui/walk'
import { say, useWords, type Pair } from '../words'

const words = {
  title: ['Webhooks', 'وب‌هوک‌ها'],
  url: ['Address', 'نشانی'],
  description: ['Description', 'توضیح'],
  events: ['Events', 'رویدادها'],
  add: ['Add', 'افزودن'],
  active: ['Active', 'فعال'],
  remove: ['Remove', 'برداشتن'],
  removeTitle: ['Remove the webhook?', 'وب‌هوک برداشته شود؟'],
  removeText: ['What waits for it is not sent any more.', 'آنچه در انتظار آن است دیگر فرستاده نمی‌شود.'],
  secret: [
    'This is the secret of its signatures. It is shown this once: copy it now.',
    'این کلید امضاهاست و تنها همین بار نشان داده می‌شود؛ اکنون رونوشت بردارید.',
  ],
  deliveries: ['Deliveries', 'ارسال‌ها'],
  back: ['All webhooks', 'همه وب‌هوک‌ها'],
  again: ['Send again', 'ارسال دوباره'],
  attempts: ['Attempts', 'تلاش‌ها'],
  failing: ['Failing since', 'ناموفق از'],
  test: ['Send a test event', 'ارسال رویداد آزمایشی'],
  none: ['Nothing has been sent yet.', 'هنوز چیزی فرستاده نشده است.'],
  more: ['Show more', 'نمایش بیشتر'],
} satisfies Record<string, Pair>

const events: Partial<Record<WebhookEvent, Pair>> = {
  order_placed: ['Order placed', 'ثبت سفارش'],
  order_moved: ['Order moved', 'تغییر سفارش'],
  payment_marked: ['Payment marked', 'ثبت پرداخت'],
  payment_refunded: ['Refund made or failed', 'بازپرداخت انجام یا ناموفق شد'],
  receipt_uploaded: ['Receipt sent', 'رسید تازه'],
  comment_submitted: ['Comment sent', 'دیدگاه تازه'],
  review_submitted: ['Review sent', 'نقد تازه'],
  listing_submitted: ['Listing sent', 'آگهی تازه'],
  contact_received: ['Message received', 'پیام تازه'],
  stock_low: ['Stock runs out', 'موجودی رو به پایان'],
}
/** What a new webhook is for, until others are chosen. */
const first: WebhookEvent[] = ['order_placed']
const tests: Pair = ['Test event', 'رویداد آزمایشی']
const failures: Record<string, Pair> = {
  timeout: ['no answer in time', 'بدون پاسخ در مهلت'],
  name: ['the host has no address', 'نشانی میزبان پیدا نشد'],
  address: ['the address is in a private network', 'نشانی در شبکه خصوصی است'],
  tls: ['its certificate is not accepted', 'گواهی آن پذیرفته نشد'],
  connection: ['no connection', 'اتصال برقرار نشد'],
}
const states: Record<string, Pair> = {
  waiting: ['waiting', 'در انتظار'],
  delivered: ['delivered', 'رسیده'],
  failed: ['failed', 'ناموفق'],
}

export default function Webhooks(props: ScreenProps) {
  const [id] = props.place.rest
  return id ? <Deliveries key={id} {...props} id={id} /> : <AllWebhooks {...props} />
}

function AllWebhooks({ shop }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm } = useFeedback()
  const { data, failure, again } = useReading(WebhooksDocument, { shop: shop.id })
  const edit = useEdit(`${shop.id}.webhooks`, { url: '', description: '', events: first })
  const { url, description, events: chosen } = edit.value
  const [secret, setSecret] = useState('')
  const add = useDoing(AddWebhookDocument)
  const update = useDoing(UpdateWebhookDocument)
  const remove = useDoing(RemoveWebhookDocument)
  const submit = async () => {
    const done = await add.run({ shop: shop.id, input: { url, description: description || null, events: chosen } })
    if (!done) return
    setSecret(done.addWebhook.secret)
    edit.discard()
    again()
  }
  return (
    <>
      <h1>{t.title}</h1>
      <Problem>{failure?.message ?? update.failure?.message ?? remove.failure?.message}</Problem>
      {secret && (
        <p role="status" className="conflict">
          {t.secret} <code dir="ltr">{secret}</code> <Copy text={secret} />
        </p>
      )}
      <ul className="opinions">
        {data?.webhooks?.map((webhook) => (
          <li key={webhook.id}>
            <article>
              <header>
                <bdi>{webhook.url}</bdi>
              </header>
              <p>{webhook.description}</p>
              <footer>
                {webhook.events.map((event) => (events[event] ? say(events[event]) : event)).join(' · ')}
                {webhook.failingSince && ` · ${t.failing} ${f.moment(webhook.failingSince)}`}
                {webhook.disabledReason && ` · ${webhook.disabledReason}`}
              </footer>
              <p className="buttons">
                <Toggle
                  label={t.active}
                  value={webhook.active}
                  onChange={async (active) => {
                    await update.run({ shop: shop.id, webhook: webhook.id, input: { active } })
                    again()
                  }}
                />
                <a className="button" href={to(shop.domain, 'webhooks', [webhook.id])}>
                  {t.deliveries}
                </a>
                <Button
                  className="danger"
                  onPress={async () => {
                    if (
                      !(await confirm({
                        title: t.removeTitle,
                        text: `${webhook.url}: ${t.removeText}`,
                        yes: t.remove,
                      }))
                    )
                      return
                    await remove.run({ shop: shop.id, webhook: webhook.id })
                    again()
                  }}
                >
                  {t.remove}
                </Button>
              </p>
            </article>
          </li>
        ))}
      </ul>
      <Form
        className="editor"
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextIn
          label={t.url}
          value={url}
          onChange={(to) => edit.set('url', to)}
          type="url"
          dir="ltr"
          error={faultOf(add.failure, 'url', t)}
        />
        <TextIn
          label={t.description}
          value={description}
          onChange={(to) => edit.set('description', to)}
          error={faultOf(add.failure, 'description', t)}
        />
        {Object.entries(events).map(([id, pair]) => (
          <Toggle
            key={id}
            label={say(pair)}
            value={chosen.includes(id as WebhookEvent)}
            onChange={(is) =>
              edit.set('events', is ? [...chosen, id as WebhookEvent] : chosen.filter((one) => one !== id))
            }
          />
        ))}
        <Problem>{namedIn(add.failure, t)}</Problem>
        <Button type="submit" className="primary" isPending={add.doing}>
          {t.add}
        </Button>
      </Form>
    </>
  )
}

/** outcomeOf returns the outcome of the last attempt: the status of the answer, or why there was none. */
function outcomeOf({ status, failure }: { status?: number | null; failure?: string | null }) {
  if (status) return `HTTP ${status}`
  const words = failure && failures[failure]
  return words ? say(words) : failure
}

function Deliveries({ shop, id }: ScreenProps & { id: string }) {
  const t = useWords(words)
  const f = useFormats()
  const walk = useWalk(DeliveriesDocument, { shop: shop.id, webhook: id }, (data) => data.webhookDeliveriesConnection)
  const redeliver = useDoing(RedeliverDocument)
  const test = useDoing(SendTestEventDocument)
  return (
    <>
      <p>
        <a href={to(shop.domain, 'webhooks')}>{t.back}</a>
      </p>
      <h1>{t.deliveries}</h1>
      <p>
        <Button
          isPending={test.doing}
          onPress={async () => {
            await test.run({ shop: shop.id, webhook: id })
            walk.again()
          }}
        >
          {t.test}
        </Button>
      </p>
      <Problem>{walk.failure?.message ?? redeliver.failure?.message ?? test.failure?.message}</Problem>
      {walk.items.length === 0 && !walk.reading && !walk.failure && <p className="empty">{t.none}</p>}
      <ul className="opinions">
        {walk.items.map((delivery) => (
          <li key={delivery.eventId}>
            <article>
              <strong>{say(events[delivery.type] ?? tests)}</strong> · {f.moment(delivery.createdAt)}
              <footer>
                {say(states[delivery.state] ?? ['', ''])} · {t.attempts}: {f.number(delivery.attempts)}
                {outcomeOf(delivery) && ` · ${outcomeOf(delivery)}`}
              </footer>
            </article>
            <Button
              isPending={redeliver.doing}
              onPress={async () => {
                await redeliver.run({ shop: shop.id, webhook: id, event: delivery.eventId })
                walk.again()
              }}
            >
              {t.again}
            </Button>
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
