// Customers' listings: the list, and one listing, which is published, rejected or archived.
import { Button } from 'react-aria-components/Button'
import { asset } from '../api'
import { useDraft } from '../draft'
import { useFormats } from '../format'
import {
  ChangeListingsDocument,
  OneListingDocument,
  UpdateListingDocument,
  type ListingStatus,
} from '../graphql/graphql'
import { useReading, useSaving } from '../query'
import { back } from '../router'
import type { ScreenProps } from '../shop'
import { Badge } from '../ui/bits'
import { useFeedback } from '../ui/feedback'
import { namedIn, Problem, TextIn } from '../ui/fields'
import { PreviewButton } from '../ui/preview'
import { Records } from '../ui/records'
import { Unread } from '../ui/unread'
import { either, say, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Customers’ listings', 'آگهی‌های مشتریان'],
  back: ['All listings', 'همه آگهی‌ها'],
  reason: ['Why it is rejected, for the customer', 'دلیل رد، برای مشتری'],
  elsewhere: ['Image elsewhere:', 'تصویر در جای دیگر:'],
  by: ['By', 'از'],
  done: ['Done.', 'انجام شد.'],
} satisfies Record<string, Pair>

const conditions: Record<string, Pair> = {
  new: ['New', 'نو'],
  stock: ['As good as new', 'در حد نو'],
  needs_repair: ['Needs repair', 'نیازمند تعمیر'],
  scrap: ['Scrap', 'اوراق'],
}
const statuses: ListingStatus[] = ['pending', 'published', 'rejected', 'archived', 'draft']

export default function Listings(props: ScreenProps) {
  const [slug] = props.place.rest
  const t = useWords(words)
  if (slug !== undefined) return <OneListing key={slug} {...props} slug={slug} />
  return (
    <Records
      {...props}
      kind="userProduct"
      section="listings"
      title={t.title}
      may="manageListings"
      statuses={statuses}
      document={ChangeListingsDocument}
      changedOf={(data) => data.changeUserProducts}
      changes={(['published', 'rejected', 'archived'] as ListingStatus[]).map((status) => ({
        name: statusName(status),
        change: { status },
      }))}
      deletion={{ delete: true }}
    />
  )
}

function OneListing({ shop, slug }: ScreenProps & { slug: string }) {
  const t = useWords(words)
  const f = useFormats()
  const { data, failure, again } = useReading(OneListingDocument, { shop: shop.id, slug })
  const read = data?.staffListing?.content.version ?? null
  const update = useSaving(UpdateListingDocument, `${shop.id}.listings.${slug}`, read)
  const { tell } = useFeedback()
  const [reason, setReason] = useDraft(`${shop.id}.listings.${slug}.reason`)
  if (!data?.staffListing) return <Unread shop={shop} section="listings" failure={failure} />
  const { content, customer } = data.staffListing
  const move = async (status: ListingStatus) => {
    const input = { status, ...(status === 'rejected' ? { rejectionReason: reason || null } : {}) }
    if (await update.save({ shop: shop.id, slug, input })) {
      setReason(null)
      tell(t.done)
    }
    again()
  }
  return (
    <article className="editor">
      <p>
        <a href={back(shop.domain, 'listings')}>{t.back}</a>
      </p>
      <h1>
        <bdi>{either(content.titleEn, content.titleFa)}</bdi> <Badge value={content.status} />
      </h1>
      <p>
        {f.amount(content.price, content.priceCurrency)} ·{' '}
        {conditions[content.condition] ? say(conditions[content.condition]!) : content.condition}
        {customer && ` · ${t.by} `}
        {customer && <bdi>{[customer.firstName, customer.lastName].filter(Boolean).join(' ')}</bdi>}{' '}
        {customer && <bdi dir="ltr">{customer.cellNumber}</bdi>}
      </p>
      <p className="buttons">
        {content.images.map(({ url, srcset, alt, altFa }, i) => {
          const src = asset(url)
          // Another host would learn who looks at it, and when.
          return srcset || src?.startsWith(`${location.origin}/`) ? (
            <img key={i} src={src} alt={either(alt, altFa)} width="120" height="120" loading="lazy" />
          ) : (
            <a key={i} href={src} target="_blank" rel="noreferrer">
              {t.elsewhere} <bdi dir="ltr">{url}</bdi>
            </a>
          )
        })}
      </p>
      {[content.description, content.descriptionFa, content.deliveryNotes, content.technicalNotes].map(
        (text, i) =>
          text && (
            <p key={i} dir="auto">
              {text}
            </p>
          ),
      )}
      {content.rejectionReason && <p>{content.rejectionReason}</p>}
      <TextIn label={t.reason} value={reason} onChange={setReason} />
      <p className="buttons">
        {(['published', 'rejected', 'archived'] as ListingStatus[])
          .filter((status) => status !== content.status)
          .map((status) => (
            <Button key={status} isPending={update.doing} onPress={() => void move(status)}>
              {statusName(status)}
            </Button>
          ))}
        <PreviewButton of="listings" slug={slug} />
      </p>
      <Problem>{namedIn(update.failure, { rejectionReason: t.reason })}</Problem>
    </article>
  )
}
