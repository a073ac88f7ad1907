import { BrandsDocument, CategoriesDocument, type EntityType } from '../graphql/graphql'
import { useReading } from '../query'
import type { Shop } from '../shop'
import { useLanguage } from '../words'
import type { Option } from './choice'

/** useCategories returns the categories of a kind for choices, each with the ones above it. */
export function useCategories(shop: Shop, type: EntityType): Option[] {
  const language = useLanguage()
  const { data } = useReading(CategoriesDocument, { domain: shop.domain, type })
  const all = data?.tenant?.categories ?? []
  const byId = new Map(all.map((category) => [category.id, category]))
  return all.map((category) => {
    const path: string[] = []
    for (let at: typeof category | undefined = category; at; at = at.parentId ? byId.get(at.parentId) : undefined) {
      path.unshift(language === 'fa' ? at.nameFa : at.name)
    }
    return { id: category.slug, name: path.join(' › ') }
  })
}

/** useBrands returns the brands for choices. */
export function useBrands(shop: Shop): Option[] {
  const language = useLanguage()
  const { data } = useReading(BrandsDocument, { domain: shop.domain })
  return (data?.tenant?.brands ?? []).map(({ slug, name, nameFa }) => ({
    id: slug,
    name: language === 'fa' ? nameFa : name,
  }))
}
