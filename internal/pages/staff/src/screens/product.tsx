// One product, with its variants and technical values.
import {
  CreateProductDocument,
  DeleteProductDocument,
  OneProductDocument,
  UpdateProductDocument,
  type OneProductQuery,
  type ProductInput,
} from '../graphql/graphql'
import { useReading } from '../query'
import type { ScreenProps } from '../shop'
import { useBrands, useCategories } from '../ui/categories'
import {
  contentInput,
  contentOf,
  Find,
  PlaceFields,
  PublishFields,
  TitleFields,
  useContentWords,
} from '../ui/content'
import { orNull } from '../ui/editor'
import { InBoth, textsOf } from '../ui/inboth'
import { PreviewButton } from '../ui/preview'
import { RecordEditor } from '../ui/record'
import { TechnicalFields } from '../ui/technical'
import { Unread } from '../ui/unread'
import { useVariantNames, variantInputs, variantsOf, VariantTable, variationsOf } from '../ui/variants'
import { either, useWords, type Pair } from '../words'

const words = {
  add: ['Add a product', 'افزودن محصول'],
  description: ['Description', 'توضیح'],
  descriptionFa: ['Persian description', 'توضیح فارسی'],
  brand: ['Brand', 'برند'],
  variants: ['Variants', 'تنوع‌ها'],
  variations: ['What tells the variants apart', 'تفاوت تنوع‌ها'],
  values: ['Technical values', 'مشخصات فنی'],
  noStock: ['the stock is empty; write 0 if there is none', 'موجودی خالی است؛ اگر چیزی نمانده ۰ بنویسید'],
} satisfies Record<string, Pair>

/** Product is the form of a product by its slug, or of a new one, whose slug is +. */
export default function Product(props: ScreenProps & { slug: string }) {
  return props.slug === '+' ? <ProductForm {...props} stored={null} again={() => {}} /> : <OneProduct {...props} />
}

function OneProduct(props: ScreenProps & { slug: string }) {
  const { data, failure, again } = useReading(OneProductDocument, { shop: props.shop.id, slug: props.slug })
  const content = data?.staffProduct?.content
  if (!content) return <Unread shop={props.shop} section="products" failure={failure} />
  return <ProductForm key={content.id} {...props} stored={content} again={again} />
}

type Stored = NonNullable<OneProductQuery['staffProduct']>['content']

function ProductForm({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  const common = useContentWords()
  const categories = useCategories(shop, 'product')
  const brands = useBrands(shop)
  const variantNames = useVariantNames()
  return (
    <RecordEditor
      shop={shop}
      section="products"
      heading={stored ? either(stored.titleEn, stored.titleFa) : t.add}
      stored={stored}
      members={{
        ...contentOf(stored),
        description: stored?.description ?? '',
        descriptionFa: stored?.descriptionFa ?? '',
        brand: stored?.brand ?? '',
        values: (stored?.values ?? []).map(({ key, value }) => ({ key, value })),
        variations: variationsOf(stored?.variations ?? []),
        variants: variantsOf(stored?.variants ?? []),
      }}
      mayEdit={shop.permissions.includes('editCatalog')}
      documents={{ create: CreateProductDocument, update: UpdateProductDocument, remove: DeleteProductDocument }}
      input={(changed, value, base): ProductInput => {
        const { brand, values, variations, variants, ...content } = changed
        return {
          ...contentInput(content, value, !stored),
          ...orNull(changed, 'description', 'descriptionFa', 'brand'),
          ...(values ? { values } : {}),
          ...(variations ? { variations } : {}),
          ...(variants ? { variants: variantInputs(variants, base.variants) } : {}),
        }
      }}
      check={({ variants }) =>
        variants.flatMap(({ stock }, i) =>
          stock === null ? [{ field: `variants.${i}.stock`, message: t.noStock }] : [],
        )
      }
      names={{
        ...variantNames,
        ...common,
        description: t.description,
        descriptionFa: t.descriptionFa,
        brand: t.brand,
        variants: t.variants,
        variations: t.variations,
        values: t.values,
      }}
      again={again}
      actions={
        stored && shop.permissions.includes('editCatalog') && <PreviewButton of="products" slug={stored.slug} />
      }
    >
      {(form) => (
        <>
          <TitleFields form={form} />
          <InBoth texts={[{ name: 'description', label: t.description, isLong: true }]} {...textsOf(form)} />
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
