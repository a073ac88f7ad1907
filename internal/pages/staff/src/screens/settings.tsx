// The shop itself: names, appearance, business profile, domains, and whether it is open.
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../format'
import {
  CloseShopDocument,
  OpenShopDocument,
  RequireSecondFactorDocument,
  SettingsDocument,
  UpdateProfileDocument,
  UpdateShopDocument,
  type SettingsQuery,
} from '../graphql/graphql'
import { useDoing, useReading, useSaving } from '../query'
import type { ScreenProps, Shop } from '../shop'
import { Tags } from '../ui/content'
import { Editor, orNull, useEdit } from '../ui/editor'
import { Choice } from '../ui/choice'
import { faultOf, Problem, TextIn, Toggle } from '../ui/fields'
import { ImageIn } from '../ui/image'
import { InBoth, textsOf } from '../ui/inboth'
import { useFeedback } from '../ui/feedback'
import { OrderRules } from '../ui/orderrules'
import { ShopPages } from '../ui/shoppages'
import { Cell } from '../ui/variants'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Settings', 'تنظیمات'],
  looks: ['Names and looks', 'نام و ظاهر'],
  name: ['Name', 'نام انگلیسی'],
  nameFa: ['Persian name', 'نام فارسی'],
  primaryColor: ['Colour (#rrggbb)', 'رنگ (#rrggbb)'],
  defaultLocale: ['Language', 'زبان'],
  timeZone: ['Time zone, such as Asia/Tehran', 'منطقه زمانی، مانند Asia/Tehran'],
  second: ['The team needs a second factor', 'عامل دوم برای همکاران لازم است'],
  logoUrl: ['Address of the logo', 'نشانی نشان'],
  faviconUrl: ['Address of the small icon', 'نشانی نمادک'],
  profile: ['About the business', 'درباره کسب‌وکار'],
  about: ['About', 'درباره (انگلیسی)'],
  aboutFa: ['About, in Persian', 'درباره'],
  phones: ['Phone numbers', 'شماره‌های تلفن'],
  emails: ['E-mail addresses', 'نشانی‌های ایمیل'],
  workingHours: ['Working hours', 'ساعت کار'],
  workingHoursFa: ['Persian working hours', 'ساعت کار به فارسی'],
  addresses: ['Addresses', 'نشانی‌ها'],
  address: ['Address', 'نشانی'],
  city: ['City', 'شهر'],
  province: ['Province', 'استان'],
  postalCode: ['Postal code', 'کد پستی'],
  placeTitle: ['Title', 'عنوان'],
  socialLinks: ['Links', 'پیوندها'],
  linkType: ['Kind, such as instagram', 'نوع، مانند instagram'],
  url: ['Address', 'نشانی'],
  add: ['Add', 'افزودن'],
  remove: ['Remove', 'برداشتن'],
  access: ['Domains, and whether it is open', 'دامنه‌ها و باز بودن'],
  open: ['The shop is open.', 'فروشگاه باز است.'],
  closedSince: ['Closed to customers since', 'بسته به روی مشتریان از'],
  close: ['Close the shop', 'بستن فروشگاه'],
  reopen: ['Open the shop', 'باز کردن فروشگاه'],
  closeTitle: ['Close the shop to customers?', 'فروشگاه به روی مشتریان بسته شود؟'],
  closeText: [
    'Nobody can see it or buy until it is opened again.',
    'تا باز شدن دوباره کسی آن را نمی‌بیند و نمی‌خرد.',
  ],
} satisfies Record<string, Pair>

export default function Settings({ shop }: ScreenProps) {
  const t = useWords(words)
  const { data, failure, again } = useReading(SettingsDocument, { shop: shop.id })
  if (!data?.staffShop || !data.staffBusinessProfile || !data.shopAccess) return <Problem>{failure?.message}</Problem>
  return (
    <>
      <h1>{t.title}</h1>
      <Looks shop={shop} stored={data.staffShop} again={again} />
      <ShopPages shop={shop} stored={data.staffShop} again={again} />
      <Profile shop={shop} stored={data.staffBusinessProfile} again={again} />
      <OrderRules shop={shop} stored={data.staffShop} again={again} />
      <Access shop={shop} access={data.shopAccess} again={again} />
    </>
  )
}

type Of<K extends keyof SettingsQuery> = NonNullable<SettingsQuery[K]>

function Looks({ shop, stored, again }: { shop: Shop; stored: Of<'staffShop'>; again: () => void }) {
  const t = useWords(words)
  const update = useSaving(UpdateShopDocument, `${shop.id}.shop`, stored.version)
  const edit = useEdit(`${shop.id}.looks`, {
    name: stored.name,
    nameFa: stored.nameFa,
    primaryColor: stored.primaryColor ?? '',
    defaultLocale: stored.defaultLocale,
    timeZone: stored.timeZone ?? '',
    logoUrl: stored.logoUrl ?? '',
    faviconUrl: stored.faviconUrl ?? '',
  }, update.isOld)
  const { value, set, changed } = edit
  const save = async () => {
    const input = { ...changed, ...orNull(changed, 'primaryColor', 'logoUrl', 'faviconUrl', 'timeZone') }
    const done = await update.save({ shop: shop.id, input })
    if (done) again()
    return Boolean(done)
  }
  return (
    <>
      <h2>{t.looks}</h2>
      <Editor
        edit={edit}
        failure={update.failure}
        isSaving={update.doing}
        mayEdit={shop.permissions.includes('editShop')}
        onSave={save}
        onConflict={again}
        names={t}
      >
        {(['logoUrl', 'faviconUrl'] as const).map((name) => (
          <ImageIn
            key={name}
            label={t[name]}
            value={value[name]}
            onChange={(to) => set(name, to)}
            error={faultOf(update.failure, name)}
          />
        ))}
        {(['nameFa', 'name', 'primaryColor', 'timeZone'] as const).map((name) => (
          <TextIn
            key={name}
            label={t[name]}
            value={value[name]}
            onChange={(to) => set(name, to)}
            error={faultOf(update.failure, name)}
          />
        ))}
        <Choice
          label={t.defaultLocale}
          value={value.defaultLocale}
          onChange={(to) => set('defaultLocale', to)}
          options={[
            { id: 'fa', name: 'فارسی' },
            { id: 'en', name: 'English' },
          ]}
        />
      </Editor>
    </>
  )
}

function Profile({ shop, stored, again }: { shop: Shop; stored: Of<'staffBusinessProfile'>; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const update = useSaving(UpdateProfileDocument, `${shop.id}.profile`, stored.version ?? '0')
  const edit = useEdit(`${shop.id}.profile`, {
    about: stored.about ?? '',
    aboutFa: stored.aboutFa ?? '',
    workingHours: stored.workingHours ?? '',
    workingHoursFa: stored.workingHoursFa ?? '',
    phones: stored.phones,
    emails: stored.emails,
    addresses: stored.addresses.map((address) => ({
      title: address.title ?? null,
      titleFa: address.titleFa ?? null,
      address: address.address,
      addressFa: address.addressFa ?? null,
      province: address.province ?? null,
      provinceFa: address.provinceFa ?? null,
      city: address.city ?? null,
      cityFa: address.cityFa ?? null,
      postalCode: address.postalCode ?? null,
      latitude: address.latitude ?? null,
      longitude: address.longitude ?? null,
    })),
    socialLinks: stored.socialLinks.map(({ type, url }) => ({ type, url })),
  }, update.isOld)
  const { value, set, changed } = edit
  const fault = (name: string) => faultOf(update.failure, name)
  /** What is wrong with a list itself; what is wrong with one of it is shown there. */
  const ofAll = (name: 'addresses' | 'socialLinks') =>
    value[name].some((_, i) => fault(`${name}.${i}`)) ? undefined : fault(name)
  const save = async () => {
    const input = { ...changed, ...orNull(changed, 'about', 'aboutFa', 'workingHours', 'workingHoursFa') }
    const done = await update.save({ shop: shop.id, input })
    if (done) again()
    return Boolean(done)
  }
  const setAddress = (i: number, to: Partial<(typeof value.addresses)[number]>) =>
    set(
      'addresses',
      value.addresses.map((address, n) => (n === i ? { ...address, ...to } : address)),
    )
  const setLink = (i: number, to: Partial<(typeof value.socialLinks)[number]>) =>
    set(
      'socialLinks',
      value.socialLinks.map((link, n) => (n === i ? { ...link, ...to } : link)),
    )
  return (
    <>
      <h2>{t.profile}</h2>
      <Editor
        edit={edit}
        failure={update.failure}
        isSaving={update.doing}
        mayEdit={shop.permissions.includes('editShop')}
        onSave={save}
        onConflict={again}
        names={t}
      >
        <TextIn
          label={t.aboutFa}
          value={value.aboutFa}
          onChange={(to) => set('aboutFa', to)}
          lines={4}
          error={fault('aboutFa')}
        />
        <TextIn
          label={t.about}
          value={value.about}
          onChange={(to) => set('about', to)}
          lines={4}
          error={fault('about')}
        />
        <InBoth texts={[{ name: 'workingHours', label: t.workingHours }]} {...textsOf({ value, set, fault })} />
        <Tags label={t.phones} value={value.phones} onChange={(to) => set('phones', to)} error={fault('phones')} />
        <Tags label={t.emails} value={value.emails} onChange={(to) => set('emails', to)} error={fault('emails')} />
        <fieldset>
          <legend>{t.addresses}</legend>
          {value.addresses.map((address, i) => (
            <fieldset key={i}>
              <legend>{address.titleFa || address.title || `${t.address} ${f.number(i + 1)}`}</legend>
              <InBoth
                texts={(['title', 'province', 'city', 'address'] as const).map((name) => ({
                  name,
                  label: name === 'title' ? t.placeTitle : t[name],
                }))}
                get={(name) => String(address[name as keyof typeof address] ?? '')}
                set={(to) =>
                  setAddress(i, { ...to, ...orNull(to, ...Object.keys(to).filter((name) => name !== 'address')) })
                }
                fault={(name) => fault(`addresses.${i}.${name}`)}
              />
              <TextIn
                label={t.postalCode}
                value={address.postalCode ?? ''}
                onChange={(to) => setAddress(i, { postalCode: to || null })}
                error={fault(`addresses.${i}.postalCode`)}
              />
              <Button
                onPress={() =>
                  set(
                    'addresses',
                    value.addresses.filter((_, n) => n !== i),
                  )
                }
              >
                {t.remove}
              </Button>
            </fieldset>
          ))}
          <Problem>{ofAll('addresses')}</Problem>
          <Button
            onPress={() =>
              set('addresses', [
                ...value.addresses,
                {
                  title: null,
                  titleFa: null,
                  address: '',
                  addressFa: null,
                  province: null,
                  provinceFa: null,
                  city: null,
                  cityFa: null,
                  postalCode: null,
                  latitude: null,
                  longitude: null,
                },
              ])
            }
          >
            {t.add}
          </Button>
        </fieldset>
        <fieldset>
          <legend>{t.socialLinks}</legend>
          {value.socialLinks.map((link, i) => (
            <div className="cells" key={i}>
              <Cell
                label={t.linkType}
                value={link.type}
                onChange={(type) => setLink(i, { type })}
                isInvalid={Boolean(fault(`socialLinks.${i}.type`))}
              />
              <Cell
                label={t.url}
                value={link.url}
                onChange={(url) => setLink(i, { url })}
                isInvalid={Boolean(fault(`socialLinks.${i}.url`))}
              />
              <Button
                onPress={() =>
                  set(
                    'socialLinks',
                    value.socialLinks.filter((_, n) => n !== i),
                  )
                }
              >
                {t.remove}
              </Button>
              <Problem>{fault(`socialLinks.${i}`)}</Problem>
            </div>
          ))}
          <Problem>{ofAll('socialLinks')}</Problem>
          <Button onPress={() => set('socialLinks', [...value.socialLinks, { type: '', url: '' }])}>{t.add}</Button>
        </fieldset>
      </Editor>
    </>
  )
}

function Access({ shop, access, again }: { shop: Shop; access: Of<'shopAccess'>; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm } = useFeedback()
  const close = useDoing(CloseShopDocument)
  const reopen = useDoing(OpenShopDocument)
  const require = useDoing(RequireSecondFactorDocument)
  const toggle = async () => {
    if (access.closedAt) await reopen.run({ shop: shop.id })
    else {
      if (!(await confirm({ title: t.closeTitle, text: t.closeText, yes: t.close }))) return
      await close.run({ shop: shop.id })
    }
    again()
  }
  return (
    <section className="editor">
      <h2>{t.access}</h2>
      <p>
        <bdi>{[access.domain, ...access.aliases].join(', ')}</bdi>
      </p>
      <p>{access.closedAt ? `${t.closedSince} ${f.moment(access.closedAt)}` : t.open}</p>
      {shop.permissions.includes('closeShop') && (
        <Button className={access.closedAt ? 'primary' : 'danger'} onPress={() => void toggle()}>
          {access.closedAt ? t.reopen : t.close}
        </Button>
      )}
      {shop.permissions.includes('manageStaff') && (
        <Toggle
          label={t.second}
          value={access.requiresSecondFactor}
          onChange={async (required) => {
            await require.run({ shop: shop.id, required })
            again()
          }}
        />
      )}
      <Problem>{close.failure?.message ?? reopen.failure?.message ?? require.failure?.message}</Problem>
    </section>
  )
}
