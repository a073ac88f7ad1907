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
import type { ScreenProps } from '../screens'
import { useCategories } from '../ui/categories'
import { contentInput, contentOf, PlaceFields, PublishFields, TitleFields, useContentWords } from '../ui/content'
import { Problem, TextIn } from '../ui/fields'
import { DayIn } from '../ui/moment'
import { PreviewButton } from '../ui/preview'
import { Prose } from '../ui/prose'
import { RecordEditor } from '../ui/record'
import { Records } from '../ui/records'
import { statuses, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Portfolios', 'نمونه‌کارها'],
  add: ['Add a portfolio', 'افزودن نمونه‌کار'],
  body: ['Text', 'متن'],
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
  if (!data?.staffPortfolio) return <Problem>{failure?.message}</Problem>
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
      heading={stored?.titleFa ?? t.add}
      stored={stored}
      members={{
        ...contentOf(stored),
        body: stored?.body ?? '',
        clientName: stored?.clientName ?? '',
        completedOn: stored?.completedOn ?? '',
      }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{ create: CreatePortfolioDocument, update: UpdatePortfolioDocument, remove: DeletePortfolioDocument }}
      input={(changed, value): PortfolioInput => {
        const { body, clientName, completedOn, ...content } = changed
        return {
          ...contentInput(content, value, !stored),
          ...(body === undefined ? {} : { body }),
          ...(clientName === undefined ? {} : { clientName: clientName || null }),
          ...(completedOn === undefined ? {} : { completedOn: completedOn || null }),
        }
      }}
      names={{ ...common, body: t.body, clientName: t.client, completedOn: t.completedOn }}
      again={again}
      actions={
        stored && shop.permissions.includes('editContent') && <PreviewButton of="portfolios" slug={stored.slug} />
      }
    >
      {(form) => (
        <>
          <TitleFields form={form} />
          <Prose
            label={t.body}
            value={form.value.body}
            onChange={(to) => form.set('body', to)}
            error={form.fault('body')}
          />
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
