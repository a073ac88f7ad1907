// Portfolios: the list, and one portfolio.
import {
  ChangePortfoliosDocument,
  CreatePortfolioDocument,
  DeletePortfolioDocument,
  OnePortfolioDocument,
  UpdatePortfolioDocument,
  type PortfolioInput,
  type OnePortfolioQuery,
} from '../graphql/graphql'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { useCategories } from '../ui/categories'
import { contentInput, contentOf, PlaceFields, PublishFields, TitleFields, useContentWords } from '../ui/content'
import { orNull } from '../ui/editor'
import { TextIn } from '../ui/fields'
import { InBoth, textsOf } from '../ui/inboth'
import { DayIn } from '../ui/moment'
import { PreviewButton } from '../ui/preview'
import { RecordEditor } from '../ui/record'
import { Records } from '../ui/records'
import { Unread } from '../ui/unread'
import { either, statuses, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Portfolios', 'نمونه‌کارها'],
  add: ['Add a portfolio', 'افزودن نمونه‌کار'],
  body: ['Text', 'متن'],
  bodyFa: ['Persian text', 'متن فارسی'],
  client: ['Client', 'کارفرما'],
  completedOn: ['Completed on', 'تاریخ پایان'],
} satisfies Record<string, Pair>

export default function Portfolios(props: ScreenProps) {
  const [slug] = props.place.rest
  const t = useWords(words)
  if (slug === '+') return <PortfolioForm {...props} stored={null} again={() => {}} />
  if (slug !== undefined) return <OnePortfolio {...props} slug={slug} />
  return (
    <Records
      {...props}
      kind="portfolio"
      section="portfolios"
      title={t.title}
      may="editContent"
      statuses={statuses}
      document={ChangePortfoliosDocument}
      changedOf={(data) => data.changePortfolios}
      changes={statuses.map((status) => ({ name: statusName(status), change: { status } }))}
      deletion={{ delete: true }}
    >
      {() =>
        props.shop.permissions.includes('editContent') && (
          <p>
            <a className="button" href={to(props.shop.domain, 'portfolios', ['+'])}>
              {t.add}
            </a>
          </p>
        )
      }
    </Records>
  )
}

function OnePortfolio(props: ScreenProps & { slug: string }) {
  const { data, failure, again } = useReading(OnePortfolioDocument, { shop: props.shop.id, slug: props.slug })
  if (!data?.staffPortfolio) return <Unread shop={props.shop} section="portfolios" failure={failure} />
  return <PortfolioForm key={data.staffPortfolio.id} {...props} stored={data.staffPortfolio} again={again} />
}

type Stored = NonNullable<OnePortfolioQuery['staffPortfolio']>

function PortfolioForm({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  const common = useContentWords()
  const categories = useCategories(shop, 'portfolio')
  return (
    <RecordEditor
      shop={shop}
      section="portfolios"
      heading={stored ? either(stored.titleEn, stored.titleFa) : t.add}
      stored={stored}
      members={{
        ...contentOf(stored),
        body: stored?.body ?? '',
        bodyFa: stored?.bodyFa ?? '',
        clientName: stored?.clientName ?? '',
        completedOn: stored?.completedOn ?? '',
      }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{
        create: CreatePortfolioDocument,
        update: UpdatePortfolioDocument,
        remove: DeletePortfolioDocument,
      }}
      input={(changed, value): PortfolioInput => {
        const { body, ...content } = changed
        return {
          ...contentInput(content, value, !stored),
          ...(body === undefined ? {} : { body }),
          ...orNull(changed, 'bodyFa', 'clientName', 'completedOn'),
        }
      }}
      names={{ ...common, body: t.body, bodyFa: t.bodyFa, clientName: t.client, completedOn: t.completedOn }}
      again={again}
      actions={
        stored && shop.permissions.includes('editContent') && <PreviewButton of="portfolios" slug={stored.slug} />
      }
    >
      {(form) => (
        <>
          <TitleFields form={form} />
          <InBoth texts={[{ name: 'body', label: t.body, isLong: true }]} {...textsOf(form)} />
          <TextIn
            label={t.client}
            value={form.value.clientName}
            onChange={(to) => form.set('clientName', to)}
            error={form.fault('clientName')}
          />
          <DayIn
            label={t.completedOn}
            value={form.value.completedOn}
            onChange={(to) => form.set('completedOn', to)}
            error={form.fault('completedOn')}
          />
          <PlaceFields form={form} categories={categories} />
          <PublishFields form={form} />
        </>
      )}
    </RecordEditor>
  )
}
