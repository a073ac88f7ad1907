// Brands: the list, and one brand.
import {
  BrandsDocument,
  CreateBrandDocument,
  DeleteBrandDocument,
  OneBrandDocument,
  UpdateBrandDocument,
  type OneBrandQuery,
} from '../graphql/graphql'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { Problem, TextIn } from '../ui/fields'
import { ImageIn } from '../ui/image'
import { RecordEditor } from '../ui/record'
import { Rows } from '../ui/rows'
import { Unread } from '../ui/unread'
import { either, useWords, type Pair } from '../words'

const words = {
  title: ['Brands', 'برندها'],
  add: ['Add a brand', 'افزودن برند'],
  slug: ['Slug', 'نشانک'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  logoUrl: ['Address of the logo', 'نشانی نشان'],
} satisfies Record<string, Pair>

export default function Brands(props: ScreenProps) {
  const [slug] = props.place.rest
  if (slug === undefined) return <AllBrands {...props} />
  return slug === '+' ? <BrandForm {...props} stored={null} again={() => {}} /> : <OneBrand {...props} slug={slug} />
}

function AllBrands({ shop }: ScreenProps) {
  const t = useWords(words)
  const { data, failure, reading } = useReading(BrandsDocument, { domain: shop.domain })
  return (
    <>
      <h1>{t.title}</h1>
      {shop.permissions.includes('editCatalog') && (
        <p>
          <a className="button" href={to(shop.domain, 'brands', ['+'])}>
            {t.add}
          </a>
        </p>
      )}
      <Problem>{failure?.message}</Problem>
      <Rows
        label={t.title}
        items={data?.tenant?.brands ?? []}
        reading={reading}
        href={({ slug }) => to(shop.domain, 'brands', [slug])}
        columns={[
          { id: 'nameFa', name: t.nameFa, show: (brand) => brand.nameFa },
          { id: 'name', name: t.name, show: (brand) => brand.name },
          { id: 'slug', name: t.slug, show: (brand) => <bdi>{brand.slug}</bdi> },
        ]}
      />
    </>
  )
}

function OneBrand(props: ScreenProps & { slug: string }) {
  const { data, failure, again } = useReading(OneBrandDocument, { shop: props.shop.id, slug: props.slug })
  if (!data?.staffBrand) return <Unread shop={props.shop} section="brands" failure={failure} />
  return <BrandForm key={data.staffBrand.id} {...props} stored={data.staffBrand} again={again} />
}

type Stored = NonNullable<OneBrandQuery['staffBrand']>

function BrandForm({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  return (
    <RecordEditor
      shop={shop}
      section="brands"
      heading={stored ? either(stored.name, stored.nameFa) : t.add}
      stored={stored}
      members={{ name: stored?.name ?? '', nameFa: stored?.nameFa ?? '', logoUrl: stored?.logoUrl ?? '' }}
      mayEdit={shop.permissions.includes('editCatalog')}
      documents={{ create: CreateBrandDocument, update: UpdateBrandDocument, remove: DeleteBrandDocument }}
      input={(changed) => ({ ...changed, ...('logoUrl' in changed ? { logoUrl: changed.logoUrl || null } : {}) })}
      names={{ name: t.name, nameFa: t.nameFa, logoUrl: t.logoUrl }}
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
          <ImageIn
            label={t.logoUrl}
            value={value.logoUrl}
            onChange={(to) => set('logoUrl', to)}
            error={fault('logoUrl')}
          />
        </>
      )}
    </RecordEditor>
  )
}
