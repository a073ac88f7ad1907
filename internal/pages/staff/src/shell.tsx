// The frame of every screen: the menu, the shops of the signed-in account, and the switches.
import { useEffect, useMemo, useRef, type ComponentType } from 'react'
import { Button } from 'react-aria-components/Button'
import { shopsOf } from './ahead'
import { signOut } from './api'
import { forgetDrafts, hasDrafts } from './draft'
import { MeDocument } from './graphql/graphql'
import { useReading } from './query'
import { go, to, usePlace } from './router'
import { screens } from './screens'
import { ShopContext, type ScreenProps } from './shop'
import { LanguageSwitch, ThemeSwitch } from './switches'
import { Choice } from './ui/choice'
import { Problem } from './ui/fields'
import { useFeedback } from './ui/feedback'
import { Guard, later } from './ui/later'
import { say, useLanguage, useWords, type Pair } from './words'

const words = {
  menu: ['Menu', 'فهرست'],
  skip: ['Skip to the content', 'رفتن به محتوا'],
  shop: ['Shop', 'فروشگاه'],
  signOut: ['Sign out', 'خروج'],
  again: ['Try again', 'تلاش دوباره'],
  leaveTitle: ['Sign out without saving?', 'بدون ذخیره خارج می‌شوید؟'],
  leaveText: [
    'There is work on this page that is not saved. It is deleted from this browser.',
    'کارهای ذخیره‌نشده‌ای در این صفحه هست که از این مرورگر پاک می‌شود.',
  ],
  nowhere: [
    'You do not work for a shop yet. Whoever invites you needs your cell number.',
    'هنوز در فروشگاهی کار نمی‌کنید. برای دعوت از شما شماره موبایلتان لازم است.',
  ],
} satisfies Record<string, Pair>

const Invitations = later(() => import('./ui/invitations'))

const components = new Map<string, ComponentType<ScreenProps>>(screens.map(({ path, load }) => [path, later(load)]))

export function Shell() {
  const t = useWords(words)
  const language = useLanguage()
  const place = usePlace()
  const { data, failure, again } = useReading(MeDocument, {})
  const { confirm } = useFeedback()
  const shops = useMemo(() => (data ? shopsOf(data, language) : []), [data, language])
  const invitations = data?.me?.invitations ?? []
  const shop = shops.find(({ domain }) => domain === place.shop)
  const allowed = screens.filter(({ may }) => !may || shop?.permissions.includes(may))
  const screen = allowed.find(({ path }) => path === place.screen)
  const first = shop ?? shops[0]
  useEffect(() => {
    const start = screens.find(({ may }) => may && first?.permissions.includes(may))
    if (first && start && !screen) go(to(first.domain, start.path), true)
  }, [first, screen])

  const leave = async () => {
    if (hasDrafts() && !(await confirm({ title: t.leaveTitle, text: t.leaveText, yes: t.signOut }))) return
    forgetDrafts()
    await signOut()
  }

  // On phones the menu is a row wider than the screen.
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [screen, shop?.domain])

  const Component = screen && components.get(screen.path)
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={(event) => (event.preventDefault(), focusContent())}>
        {t.skip}
      </a>
      <header className="top">
        {shops.length > 1 && shop ? (
          <Choice
            label={t.shop}
            value={shop.domain}
            onChange={(domain) => go(to(domain, place.screen))}
            options={shops.map(({ domain, name }) => ({ id: domain, name }))}
          />
        ) : (
          <strong>{shop?.name}</strong>
        )}
        <span className="space" />
        <LanguageSwitch />
        <ThemeSwitch />
        <Button className="quiet" onPress={() => void leave()}>
          {t.signOut}
        </Button>
      </header>
      <nav aria-label={t.menu} ref={menu}>
        {shop &&
          allowed.map(({ path, name }) => (
            <a key={path} href={to(shop.domain, path)} aria-current={path === place.screen ? 'page' : undefined}>
              {say(name)}
            </a>
          ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <Problem>{failure?.message}</Problem>
        {failure && <Button onPress={again}>{t.again}</Button>}
        {invitations.length > 0 && <Invitations invitations={invitations} again={again} />}
        {data && shops.length === 0 && invitations.length === 0 && <p>{t.nowhere}</p>}
        {Component && shop && (
          <div key={`${shop.id} ${screen.path}`} data-screen={screen.path}>
            <Guard at={location.hash}>
              <ShopContext value={shop}>
                <Component shop={shop} place={place} />
              </ShopContext>
            </Guard>
          </div>
        )}
      </main>
    </div>
  )
}

const focusContent = () => document.getElementById('content')?.focus()
