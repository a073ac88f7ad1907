// Categories of products, blogs and portfolios: the tree, its order, and one category with its technical form.
import { Button } from 'react-aria-components/Button'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import {
  CategoriesDocument,
  CreateCategoryDocument,
  DeleteCategoryDocument,
  OneCategoryDocument,
  ReorderCategoriesDocument,
  UpdateCategoryDocument,
  type CategoriesQuery,
  type CategoryInput,
  type EntityType,
  type FieldType,
  type OneCategoryQuery,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { useCategories } from '../ui/categories'
import { Find } from '../ui/content'
import { Choice } from '../ui/choice'
import { orNull } from '../ui/editor'
import { Problem, TextIn, Toggle } from '../ui/fields'
import { ImageIn } from '../ui/image'
import { InBoth, textsOf } from '../ui/inboth'
import { RecordEditor } from '../ui/record'
import { Unread } from '../ui/unread'
import { Cell } from '../ui/variants'
import { useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Categories', 'دسته‌ها'],
  add: ['Add a category', 'افزودن دسته'],
  product: ['Products', 'محصولات'],
  blog: ['Blogs', 'نوشته‌ها'],
  portfolio: ['Portfolios', 'نمونه‌کارها'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  imageUrl: ['Address of the image', 'نشانی تصویر'],
  description: ['Description', 'توضیح'],
  descriptionFa: ['Persian description', 'توضیح فارسی'],
  parent: ['Stands below', 'زیرِ'],
  form: ['Technical form of its products', 'فرم مشخصات فنی محصولات آن'],
  formTitle: ['Title of the form', 'عنوان انگلیسی فرم'],
  formTitleFa: ['Persian title of the form', 'عنوان فارسی فرم'],
  addField: ['Add a question', 'افزودن پرسش'],
  key: ['Key', 'کلید'],
  type: ['Kind', 'نوع'],
  unit: ['Unit', 'یکا'],
  unitFa: ['Persian unit', 'یکای فارسی'],
  required: ['Needed to publish', 'لازم برای انتشار'],
  addOption: ['Add an option', 'افزودن گزینه'],
  remove: ['Remove', 'برداشتن'],
  up: ['Move up', 'بالاتر'],
  down: ['Move down', 'پایین‌تر'],
  text: ['Text', 'متن'],
  number: ['Number', 'عدد'],
  boolean: ['Yes or no', 'بله یا خیر'],
  select: ['One of several', 'یکی از چند'],
  multiselect: ['Some of several', 'چندتا از چند'],
} satisfies Record<string, Pair>

const kinds: EntityType[] = ['product', 'blog', 'portfolio']
const fieldTypes: FieldType[] = ['text', 'number', 'boolean', 'select', 'multiselect']

export default function Categories(props: ScreenProps) {
  const t = useWords(words)
  const { shop, place } = props
  const [kind = 'product', slug] = place.rest as [EntityType?, string?]
  if (slug === '+') return <CategoryForm {...props} kind={kind} stored={null} again={() => {}} />
  if (slug !== undefined) return <OneCategory {...props} kind={kind} slug={slug} />
  return (
    <>
      <h1>{t.title}</h1>
      <Tabs selectedKey={kind} onSelectionChange={(key) => go(to(shop.domain, 'categories', [String(key)]), true)}>
        <TabList aria-label={t.title} className="tabs">
          {kinds.map((id) => (
            <Tab key={id} id={id}>
              {t[id as 'product' | 'blog' | 'portfolio']}
            </Tab>
          ))}
        </TabList>
        {kinds.map((id) => (
          <TabPanel key={id} id={id}>
            <Tree {...props} kind={id} />
          </TabPanel>
        ))}
      </Tabs>
    </>
  )
}

type Row = NonNullable<CategoriesQuery['tenant']>['categories'][number]

function Tree({ shop, kind }: ScreenProps & { kind: EntityType }) {
  const t = useWords(words)
  const language = useLanguage()
  const { data, failure, reading, again } = useReading(CategoriesDocument, { domain: shop.domain, type: kind })
  const reorder = useDoing(ReorderCategoriesDocument)
  const isMoving = reorder.doing || reading // an order that is not the last one is not changed
  const mayEdit = shop.permissions.includes('editCatalog')
  const all = data?.tenant?.categories ?? []
  const below = (parent: string | null) => all.filter(({ parentId }) => (parentId ?? null) === parent)
  const move = async (siblings: Row[], from: number, by: number) => {
    const slugs = siblings.map(({ slug }) => slug)
    slugs.splice(from + by, 0, ...slugs.splice(from, 1))
    await reorder.run({ shop: shop.id, type: kind, slugs })
    again()
  }
  const branch = (parent: string | null) => {
    const siblings = below(parent)
    if (siblings.length === 0) return null
    return (
      <ul className="tree">
        {siblings.map((category, i) => {
          const name = language === 'fa' ? category.nameFa : category.name
          return (
            <li key={category.id}>
              <a href={to(shop.domain, 'categories', [kind, category.slug])}>{name}</a>
              {mayEdit && (
                <>
                  <Button
                    className="quiet"
                    aria-label={`${t.up}: ${name}`}
                    isDisabled={i === 0 || isMoving}
                    onPress={() => void move(siblings, i, -1)}
                  >
                    ↑
                  </Button>
                  <Button
                    className="quiet"
                    aria-label={`${t.down}: ${name}`}
                    isDisabled={i === siblings.length - 1 || isMoving}
                    onPress={() => void move(siblings, i, 1)}
                  >
                    ↓
                  </Button>
                </>
              )}
              {branch(category.id)}
            </li>
          )
        })}
      </ul>
    )
  }
  return (
    <>
      {mayEdit && (
        <p>
          <a className="button" href={to(shop.domain, 'categories', [kind, '+'])}>
            {t.add}
          </a>
        </p>
      )}
      <Problem>{failure?.message ?? reorder.failure?.message}</Problem>
      {branch(null)}
    </>
  )
}

function OneCategory(props: ScreenProps & { kind: EntityType; slug: string }) {
  const { data, failure, again } = useReading(OneCategoryDocument, {
    shop: props.shop.id,
    type: props.kind,
    slug: props.slug,
  })
  if (!data?.staffCategory)
    return <Unread shop={props.shop} section="categories" before={[props.kind]} failure={failure} />
  return <CategoryForm key={data.staffCategory.id} {...props} stored={data.staffCategory} again={again} />
}

type Stored = NonNullable<OneCategoryQuery['staffCategory']>

interface Question {
  key: string
  label: string
  labelFa: string
  type: FieldType
  unit: string | null
  unitFa: string | null
  required: boolean
  options: { value: string; label: string; labelFa: string }[]
}

interface FormProps extends ScreenProps {
  kind: EntityType
  stored: Stored | null
  again: () => void
}

function CategoryForm({ shop, kind, stored, again }: FormProps) {
  const t = useWords(words)
  const language = useLanguage()
  const others = useCategories(shop, kind).filter(({ id }) => id !== stored?.slug)
  return (
    <RecordEditor
      shop={shop}
      section="categories"
      before={[kind]}
      more={{ type: kind }}
      heading={stored ? (language === 'fa' ? stored.nameFa : stored.name) : t.add}
      stored={stored}
      members={{
        name: stored?.name ?? '',
        nameFa: stored?.nameFa ?? '',
        imageUrl: stored?.imageUrl ?? '',
        description: stored?.description ?? '',
        descriptionFa: stored?.descriptionFa ?? '',
        parentSlug: stored?.parentSlug ?? '',
        formTitle: stored?.form?.title ?? '',
        formTitleFa: stored?.form?.titleFa ?? '',
        fields: (stored?.form?.fields ?? []).map((field): Question => ({
          ...field,
          unit: field.unit ?? null,
          unitFa: field.unitFa ?? null,
        })),
      }}
      mayEdit={shop.permissions.includes('editCatalog')}
      documents={{ create: CreateCategoryDocument, update: UpdateCategoryDocument, remove: DeleteCategoryDocument }}
      input={(changed, value): CategoryInput => {
        const { formTitle, formTitleFa, fields, ...same } = changed
        const isForm = formTitle !== undefined || formTitleFa !== undefined || fields !== undefined
        return {
          ...same,
          ...orNull(changed, 'imageUrl', 'description', 'descriptionFa', 'parentSlug'),
          ...(isForm
            ? {
                form:
                  value.fields.length === 0 && !value.formTitle && !value.formTitleFa
                    ? null
                    : { title: value.formTitle, titleFa: value.formTitleFa, fields: value.fields },
              }
            : {}),
        }
      }}
      names={{ ...t, parentSlug: t.parent, fields: t.form }}
      again={again}
    >
      {({ value, set, fault }) => (
        <>
          <TextIn
            label={t.nameFa}
            value={value.nameFa}
            onChange={(to) => set('nameFa', to)}
            error={fault('nameFa')}
          />
          <TextIn label={t.name} value={value.name} onChange={(to) => set('name', to)} error={fault('name')} />
          <Find
            label={t.parent}
            value={value.parentSlug}
            onChange={(to) => set('parentSlug', to)}
            options={others}
            error={fault('parentSlug')}
          />
          <ImageIn
            label={t.imageUrl}
            value={value.imageUrl}
            onChange={(to) => set('imageUrl', to)}
            error={fault('imageUrl')}
          />
          <InBoth
            texts={[{ name: 'description', label: t.description, lines: 3 }]}
            {...textsOf({ value, set, fault })}
          />
          {kind === 'product' && (
            <fieldset>
              <legend>{t.form}</legend>
              <TextIn
                label={t.formTitleFa}
                value={value.formTitleFa}
                onChange={(to) => set('formTitleFa', to)}
                error={fault('form.titleFa')}
              />
              <TextIn
                label={t.formTitle}
                value={value.formTitle}
                onChange={(to) => set('formTitle', to)}
                error={fault('form.title')}
              />
              <Questions value={value.fields} onChange={(to) => set('fields', to)} fault={fault} />
            </fieldset>
          )}
        </>
      )}
    </RecordEditor>
  )
}

interface QuestionsProps {
  value: Question[]
  onChange: (value: Question[]) => void
  fault: (name: string) => string | undefined
}

function Questions({ value, onChange, fault }: QuestionsProps) {
  const t = useWords(words)
  const set = (i: number, to: Partial<Question>) =>
    onChange(value.map((question, n) => (n === i ? { ...question, ...to } : question)))
  return (
    <>
      {value.map((question, i) => (
        <fieldset key={i}>
          <legend>{question.labelFa || question.key}</legend>
          <div className="cells">
            <Cell label={t.key} value={question.key} onChange={(key) => set(i, { key })} />
            <Cell label={t.nameFa} value={question.labelFa} onChange={(labelFa) => set(i, { labelFa })} />
            <Cell label={t.name} value={question.label} onChange={(label) => set(i, { label })} />
            <Cell label={t.unitFa} value={question.unitFa ?? ''} onChange={(to) => set(i, { unitFa: to || null })} />
            <Cell label={t.unit} value={question.unit ?? ''} onChange={(to) => set(i, { unit: to || null })} />
          </div>
          <div className="filters">
            <Choice
              label={t.type}
              value={question.type}
              onChange={(type) => set(i, { type: type as FieldType })}
              options={fieldTypes.map((id) => ({ id, name: t[id] }))}
            />
            <Toggle label={t.required} value={question.required} onChange={(required) => set(i, { required })} />
            <Button onPress={() => onChange(value.filter((_, n) => n !== i))}>{t.remove}</Button>
          </div>
          {(question.type === 'select' || question.type === 'multiselect') && (
            <>
              {question.options.map((option, n) => {
                const change = (to: Partial<typeof option>) =>
                  set(i, { options: question.options.map((one, m) => (m === n ? { ...one, ...to } : one)) })
                return (
                  <div className="cells" key={n}>
                    <Cell label={t.key} value={option.value} onChange={(value) => change({ value })} />
                    <Cell label={t.nameFa} value={option.labelFa} onChange={(labelFa) => change({ labelFa })} />
                    <Cell label={t.name} value={option.label} onChange={(label) => change({ label })} />
                    <Button onPress={() => set(i, { options: question.options.filter((_, m) => m !== n) })}>
                      {t.remove}
                    </Button>
                  </div>
                )
              })}
              <Button
                onPress={() => set(i, { options: [...question.options, { value: '', label: '', labelFa: '' }] })}
              >
                {t.addOption}
              </Button>
            </>
          )}
          <Problem>{fault(`form.fields.${i}`)}</Problem>
        </fieldset>
      ))}
      <Button
        onPress={() =>
          onChange([
            ...value,
            { key: '', label: '', labelFa: '', type: 'text', unit: null, unitFa: null, required: false, options: [] },
          ])
        }
      >
        {t.addField}
      </Button>
    </>
  )
}
