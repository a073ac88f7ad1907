// The whole page: who is signed in, in which language, at which shop, on which screen.
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { proof, session } from './api'
import { locale } from './format'
import { Shell } from './shell'
import { SignIn } from './signin'
import { FeedbackArea } from './ui/feedback'
import { later } from './ui/later'
import { say, useLanguage } from './words'

const Proof = later(
  () => import('./ui/proof'),
  () => null,
)

export function App() {
  const language = useLanguage()
  const signedIn = useSyncExternalStore(session.subscribe, session.get) !== null
  const isProofAsked = useSyncExternalStore(proof.subscribe, proof.isAsked)
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'fa' ? 'rtl' : 'ltr'
    document.title = say(['Staff', 'کارکنان'])
  }, [language])
  return (
    <I18nProvider locale={locale(language)}>
      <FeedbackArea>{signedIn ? <Shell /> : <SignIn />}</FeedbackArea>
      {isProofAsked && <Proof />}
    </I18nProvider>
  )
}
