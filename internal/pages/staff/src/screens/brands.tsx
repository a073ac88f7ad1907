// Brands: the list, and one brand.
import { useState } from 'react'
import { Button } from 'react-aria-components'
import {
  BrandsDocument,
  CreateBrandDocument,
  DeleteBrandDocument,
  OneBrandDocument,
  UpdateBrandDocument,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { go, to } from '../router'
import type { ScreenProps } from '../screens'
import { Editor, faultOf, useEdit } from '../ui/editor'
import { Problem, TextIn } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { Rows } from '../ui/rows'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Brands', 'برندها'],
  add: ['Add a brand', 'افزودن برند'],
  back: ['All brands', 'همه برندها'],
  slug: ['Slug', 'نشانک'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  logoUrl: ['Address of the logo', 'نشانی نشان'],
  delete: ['Delete', 'حذف'],
  deleteTitle: ['Delete the brand?', 'برند حذف شود؟'],
  deleteText: ['This cannot be undone.', 'این کار برگشت ندارد.'],
} satisfies Record<string, Pair>

export default function Brands(props: ScreenProps) {
  const [slug] = props.place.rest
  if (slug === undefined) return <AllBrands {...props} />
  return slug === '+' ? <Form {...props} stored={null} again={() => {}} /> : <OneBrand {...props} slug={slug} />
}

function AllBrands({ shop }: ScreenProps) {
  const t = useWords(words)
  const { data, failure, reading } = useReading(BrandsDocument, { domain: shop.domain })
  return (
    <>
      <h1>{t.title}</h1>
      <p>
        <a className="button" href={to(shop.domain, 'brands', ['+'])}>
          {t.add}
        </a>
      </p>
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
  if (!data?.staffBrand) return <Problem>{failure?.message}</Problem>
  return <Form key={data.staffBrand.id} {...props} stored={data.staffBrand} again={again} />
}

interface Stored {
  slug: string
  version: string
  name: string
  nameFa: string
  logoUrl?: string | null
}

function Form({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  const { confirm } = useFeedback()
  const [slug, setSlug] = useState(stored?.slug ?? '')
  const edit = useEdit(`${shop.id}.brand.${stored?.slug ?? ''}`, {
    name: stored?.name ?? '',
    nameFa: stored?.nameFa ?? '',
    logoUrl: stored?.logoUrl ?? '',
  })
  const create = useDoing(CreateBrandDocument)
  const update = useDoing(UpdateBrandDocument)
  const remove = useDoing(DeleteBrandDocument)
  const failure = create.failure ?? update.failure ?? remove.failure
  const { value, set } = edit

  const save = async () => {
    const input = { ...edit.changed, ...('logoUrl' in edit.changed ? { logoUrl: value.logoUrl || null } : {}) }
    if (stored) {
      const done = await update.run({ shop: shop.id, slug: stored.slug, input, version: stored.version })
      if (done) again()
      return Boolean(done)
    }
    const done = await create.run({ shop: shop.id, slug, input })
    if (done) go(to(shop.domain, 'brands', [slug]))
    return Boolean(done)
  }
  const drop = async () => {
    if (!stored || !(await confirm({ title: t.deleteTitle, text: t.deleteText, yes: t.delete }))) return
    if (await remove.run({ shop: shop.id, slug: stored.slug })) {
      edit.end()
      go(to(shop.domain, 'brands'))
    }
  }
  return (
    <>
      <p>
        <a href={to(shop.domain, 'brands')}>{t.back}</a>
      </p>
      <h1>{stored ? stored.nameFa : t.add}</h1>
      <Editor
        edit={edit}
        failure={failure}
        isSaving={create.doing || update.doing}
        onSave={save}
        onConflict={again}
        names={{ name: t.name, nameFa: t.nameFa, logoUrl: t.logoUrl }}
        actions={
          stored && (
            <Button className="danger" onPress={() => void drop()}>
              {t.delete}
            </Button>
          )
        }
      >
        {!stored && <TextIn label={t.slug} value={slug} onChange={setSlug} dir="ltr" error={faultOf(failure, 'slug')} />}
        <TextIn label={t.nameFa} value={value.nameFa} onChange={(to) => set('nameFa', to)} error={faultOf(failure, 'nameFa')} />
        <TextIn label={t.name} value={value.name} onChange={(to) => set('name', to)} dir="ltr" error={faultOf(failure, 'name')} />
        <TextIn
          label={t.logoUrl}
          value={value.logoUrl}
          onChange={(to) => set('logoUrl', to)}
          dir="ltr"
          type="url"
          error={faultOf(failure, 'logoUrl')}
        />
      </Editor>
    </>
  )
}
