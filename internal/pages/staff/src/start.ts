// What runs while the rest of the page is on its way: who is signed in is asked for, and what the screen asks first, and the
// screen is loaded.
import { askForScreen, shopsOf } from './ahead'
import { askAhead, session } from './api'
import { MeDocument } from './graphql/graphql'
import { parse } from './router'
import { screens } from './screens'
import { language } from './words'

if (session.get()) {
  const place = parse(location.hash)
  const screen = screens.find(({ path }) => path === place.screen)
  const may = (permissions: unknown[]) => screen && (!screen.may || permissions.includes(screen.may))
  askAhead(MeDocument, {})
    .then((data) => shopsOf(data, language()).find(({ domain }) => domain === place.shop))
    .then((shop) => shop && may(shop.permissions) && askForScreen(shop, place))
    .catch(() => {}) // the shell says so, of this and of a screen that could not be loaded
  const parts: Record<string, string[]> = JSON.parse(document.body.dataset.parts ?? '{}')
  for (const part of parts[place.screen] ?? []) {
    // All at once, where the screen would name the others once it is there.
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: new URL(part, import.meta.url) }))
  }
  screen?.load().catch(() => {})
}
