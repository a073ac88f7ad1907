// Where the website of the shop has its pages, for search engines, price comparisons and canonical addresses.
import { UpdateShopDocument, type SettingsQuery } from '../graphql/graphql'
import { useSaving } from '../query'
import type { Shop } from '../shop'
import { useWords, type Pair } from '../words'
import { Editor, useEdit } from './editor'
import { faultOf, TextIn, Toggle } from './fields'

const words = {
  title: ['Pages of the shop’s website', 'صفحه‌های وب‌سایت فروشگاه'],
  help: [
    'Sitemaps, feeds and search results lead to these addresses.',
    'نقشه سایت، خوراک‌ها و نتایج جستجو به این نشانی‌ها می‌روند.',
  ],
  usual: ['The pages are at the usual addresses', 'صفحه‌ها در نشانی‌های معمول هستند'],
  rules: [
    'An address begins with / and has {slug} once, but for the home page. Without an address there are no such pages. With {locale} or, at its beginning, {prefix} there is a page in each language: {locale} is fa or en; {prefix} is nothing in the shop’s language and /fa or /en in the other one.',
    'نشانی با / آغاز می‌شود و جز در صفحه نخست یک بار {slug} دارد. بدون نشانی، چنین صفحه‌ای نیست. با {locale}، یا {prefix} در آغاز، برای هر زبان صفحه‌ای هست: {locale} همان fa یا en است؛ {prefix} در زبان فروشگاه هیچ است و در زبان دیگر /fa یا /en.',
  ],
  site: ['Website, such as https://www.{domain}', 'وب‌سایت، مانند https://www.{domain}'],
  home: ['Home page', 'صفحه نخست'],
  product: ['Product', 'محصول'],
  category: ['Category of products', 'دسته محصولات'],
  brand: ['Brand', 'برند'],
  listing: ['Listing of a customer', 'آگهی مشتری'],
  blog: ['Blog', 'نوشته'],
  blogCategory: ['Category of blogs', 'دسته نوشته‌ها'],
  portfolio: ['Portfolio', 'نمونه‌کار'],
  portfolioCategory: ['Category of portfolios', 'دسته نمونه‌کارها'],
  order: ['Order of a customer, with {number}', 'سفارش مشتری، با {number}'],
} satisfies Record<string, Pair>

const kinds = [
  'home',
  'product',
  'category',
  'brand',
  'listing',
  'blog',
  'blogCategory',
  'portfolio',
  'portfolioCategory',
  'order',
] as const
const members = ['site', ...kinds] as const

/** The addresses of pages that the shop has not set (contract 3.13). */
const usual: Partial<Record<(typeof members)[number], string>> = {
  site: 'https://{domain}',
  home: '/',
  product: '/products/{slug}',
  category: '/categories/{slug}',
  blog: '/blog/{slug}',
  portfolio: '/portfolio/{slug}',
  order: '/orders/{number}',
}

type Pages = Record<(typeof members)[number], string>

/** pagesOf returns the members of a form, in which an absent address is empty. */
const pagesOf = (from: Partial<Record<(typeof members)[number], string | null>>) =>
  Object.fromEntries(members.map((name) => [name, from[name] ?? ''])) as Pages

interface Props {
  shop: Shop
  stored: NonNullable<SettingsQuery['staffShop']>
  again: () => void
}

export function ShopPages({ shop, stored, again }: Props) {
  const t = useWords(words)
  const update = useSaving(UpdateShopDocument, `${shop.id}.shop`, stored.version)
  const edit = useEdit(`${shop.id}.pages`, {
    isUsual: !stored.pages,
    ...pagesOf(stored.pages ?? usual),
  }, update.isOld)
  const { value, set } = edit
  const save = async () => {
    const given = members.filter((name) => value[name].trim() !== '')
    const pages = value.isUsual ? null : Object.fromEntries(given.map((name) => [name, value[name].trim()]))
    const done = await update.save({ shop: shop.id, input: { pages } })
    if (done) again()
    return Boolean(done)
  }
  return (
    <>
      <h2>{t.title}</h2>
      <Editor
        edit={edit}
        failure={update.failure}
        isSaving={update.doing}
        mayEdit={shop.permissions.includes('editShop')}
        onSave={save}
        onConflict={again}
        names={{ ...t, isUsual: t.usual }}
      >
        <p className="help">{t.help}</p>
        <Toggle label={t.usual} value={value.isUsual} onChange={(to) => set('isUsual', to)} />
        {!value.isUsual && <p className="help">{t.rules}</p>}
        {!value.isUsual &&
          members.map((name) => (
            <TextIn
              key={name}
              label={t[name]}
              value={value[name]}
              onChange={(to) => set(name, to)}
              dir="ltr"
              error={faultOf(update.failure, `pages.${name}`)}
            />
          ))}
      </Editor>
    </>
  )
}
