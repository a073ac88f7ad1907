import { useEffect, useSyncExternalStore } from 'react'
import { Button } from 'react-aria-components/Button'
import { kept } from './kept'
import { setLanguage, useLanguage, useWords, type Pair } from './words'

export function LanguageSwitch() {
  const language = useLanguage()
  return (
    <Button className="quiet" onPress={() => setLanguage(language === 'fa' ? 'en' : 'fa')}>
      <span lang={language === 'fa' ? 'en' : 'fa'}>{language === 'fa' ? 'English' : 'فارسی'}</span>
    </Button>
  )
}

const theme = kept<'light' | 'dark'>('theme')
const dark = matchMedia('(prefers-color-scheme: dark)')
const words: Record<'light' | 'dark', Pair> = { light: ['Light', 'روشن'], dark: ['Dark', 'تیره'] }

export function ThemeSwitch() {
  const t = useWords(words)
  const chosen = useSyncExternalStore(theme.subscribe, theme.get) ?? (dark.matches ? 'dark' : 'light')
  useEffect(() => {
    document.documentElement.dataset.theme = chosen
  }, [chosen])
  const other = chosen === 'dark' ? 'light' : 'dark'
  return (
    <Button className="quiet" onPress={() => theme.set(other)}>
      {t[other]}
    </Button>
  )
}
