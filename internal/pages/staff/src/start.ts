// The code that runs while the rest of the page loads: it requests the user and the first data of the screen, and
// loads the screen.
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
  // The parts of the screen are loaded all at once: by itself it would name the others once it is there.
  const parts: Record<string, string[]> = JSON.parse(document.body.dataset.parts ?? '{}')
  for (const part of parts[place.screen] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = new URL(part, import.meta.url).href
    document.head.append(link)
  }
  screen?.load().catch(() => {})
}
