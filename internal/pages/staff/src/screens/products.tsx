// Products: the list, and one product with its variants and technical values.
import {
  BrandsDocument,
  ChangeProductsDocument,
  CreateProductDocument,
  DeleteProductDocument,
  OneProductDocument,
  UpdateProductDocument,
  type OneProductQuery,
  type ProductInput,
} from '../graphql/graphql'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../screens'
import { useCategories } from '../ui/categories'
import {
  contentInput,
  contentOf,
  Find,
  PlaceFields,
  PublishFields,
  statuses,
  TitleFields,
  useContentWords,
} from '../ui/content'
import { Problem } from '../ui/fields'
import { Prose } from '../ui/prose'
import { RecordEditor } from '../ui/record'
import { Records } from '../ui/records'
import { SheetIn, SheetOut } from '../ui/sheets'
import { TechnicalFields } from '../ui/technical'
import { variantsOf, VariantTable, variationsOf } from '../ui/variants'
import { statusName, useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Products', 'محصولات'],
  add: ['Add a product', 'افزودن محصول'],
  description: ['Description', 'توضیح'],
  brand: ['Brand', 'برند'],
  variants: ['Variants', 'تنوع‌ها'],
  variations: ['What tells the variants apart', 'تفاوت تنوع‌ها'],
  values: ['Technical values', 'مشخصات فنی'],
} satisfies Record<string, Pair>

export default function Products(props: ScreenProps) {
  const [slug] = props.place.rest
  const t = useWords(words)
  if (slug === '+') return <ProductForm {...props} stored={null} again={() => {}} />
  if (slug !== undefined) return <OneProduct {...props} slug={slug} />
  return (
    <Records
      {...props}
      kind="product"
      section="products"
      title={t.title}
      may="editCatalog"
      statuses={statuses}
      document={ChangeProductsDocument}
      changedOf={(data) => data.changeProducts}
      changes={statuses.map((status) => ({ name: statusName(status), change: { status } }))}
      deletion={{ delete: true }}
    >
      {props.shop.permissions.includes('editCatalog') && (
        <p className="buttons">
          <a className="button" href={to(props.shop.domain, 'products', ['+'])}>
            {t.add}
          </a>
          <SheetOut shop={props.shop} kind="products" />
          <SheetIn shop={props.shop} kind="products" again={() => location.reload()} />
        </p>
      )}
    </Records>
  )
}

function OneProduct(props: ScreenProps & { slug: string }) {
  const { data, failure, again } = useReading(OneProductDocument, { shop: props.shop.id, slug: props.slug })
  const content = data?.staffProduct?.content
  if (!content) return <Problem>{failure?.message}</Problem>
  return <ProductForm key={content.id} {...props} stored={content} again={again} />
}

type Stored = NonNullable<OneProductQuery['staffProduct']>['content']

function ProductForm({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  const language = useLanguage()
  const common = useContentWords()
  const categories = useCategories(shop, 'product')
  const { data } = useReading(BrandsDocument, { domain: shop.domain })
  const brands = (data?.tenant?.brands ?? []).map(({ slug, name, nameFa }) => ({
    id: slug,
    name: language === 'fa' ? nameFa : name,
  }))
  return (
    <RecordEditor
      shop={shop}
      section="products"
      heading={stored?.titleFa ?? t.add}
      stored={stored}
      members={{
        ...contentOf(stored),
        description: stored?.description ?? '',
        brand: stored?.brand ?? '',
        values: (stored?.values ?? []).map(({ key, value }) => ({ key, value })),
        variations: variationsOf(stored?.variations ?? []),
        variants: variantsOf(stored?.variants ?? []),
      }}
      mayEdit={shop.permissions.includes('editCatalog')}
      documents={{ create: CreateProductDocument, update: UpdateProductDocument, remove: DeleteProductDocument }}
      input={(changed, value): ProductInput => {
        const { description, brand, values, variations, variants, ...content } = changed
        return {
          ...contentInput(content, value, !stored),
          ...(description === undefined ? {} : { description: description || null }),
          ...(brand === undefined ? {} : { brand: brand || null }),
          ...(values ? { values } : {}),
          ...(variations ? { variations } : {}),
          ...(variants ? { variants } : {}),
        }
      }}
      names={{
        ...common,
        description: t.description,
        brand: t.brand,
        variants: t.variants,
        variations: t.variations,
        values: t.values,
      }}
      again={again}
    >
      {(form) => (
        <>
          <TitleFields form={form} />
          <Prose
            label={t.description}
            value={form.value.description}
            onChange={(to) => form.set('description', to)}
            error={form.fault('description')}
          />
          <Find
            label={t.brand}
            value={form.value.brand}
            onChange={(to) => form.set('brand', to)}
            options={brands}
            error={form.fault('brand')}
          />
          <PlaceFields form={form} categories={categories} />
          <TechnicalFields
            shop={shop}
            category={form.value.category}
            value={form.value.values}
            onChange={(to) => form.set('values', to)}
            fault={form.fault}
          />
          <VariantTable
            variations={form.value.variations}
            variants={form.value.variants}
            onVariations={(to) => form.set('variations', to)}
            onVariants={(to) => form.set('variants', to)}
            fault={form.fault}
          />
          <PublishFields form={form} />
        </>
      )}
    </RecordEditor>
  )
}
