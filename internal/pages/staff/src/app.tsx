// The whole page: who is signed in, in which language, at which shop, on which screen.
import { useEffect, useSyncExternalStore } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { session } from './api'
import { locale } from './format'
import { go } from './router'
import { Shell } from './shell'
import { SignIn } from './signin'
import { FeedbackArea } from './ui/feedback'
import { ProofArea } from './ui/proof'
import { say, useLanguage } from './words'

export function App() {
  const language = useLanguage()
  const signedIn = useSyncExternalStore(session.subscribe, session.get) !== null
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'fa' ? 'rtl' : 'ltr'
    document.title = say(['Staff', 'کارکنان'])
  }, [language])
  return (
    <I18nProvider locale={locale(language)}>
      <RouterProvider navigate={go}>
        <FeedbackArea>{signedIn ? <Shell /> : <SignIn />}</FeedbackArea>
        <ProofArea />
      </RouterProvider>
    </I18nProvider>
  )
}
