// Signing in: by an SMS code, or by a password.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { session } from './api'
import { SendCodeDocument, SignInByCodeDocument, SignInDocument } from './graphql/graphql'
import { useDoing } from './query'
import { LanguageSwitch } from './switches'
import { Problem, TextIn } from './ui/fields'
import { useWords, type Pair } from './words'

const words = {
  title: ['Your shop', 'فروشگاه شما'],
  cell: ['Cell number', 'شماره موبایل'],
  password: ['Password', 'گذرواژه'],
  code: ['Code', 'کد'],
  send: ['Send a code by SMS', 'ارسال کد با پیامک'],
  signIn: ['Sign in', 'ورود'],
  byPassword: ['Sign in with a password', 'ورود با گذرواژه'],
  byCode: ['Sign in with a code', 'ورود با کد'],
} satisfies Record<string, Pair>

export function SignIn() {
  const t = useWords(words)
  const [cell, setCell] = useState('')
  const [secret, setSecret] = useState('')
  const [way, setWay] = useState<'code' | 'password'>('code')
  const [sent, setSent] = useState('')
  const sendCode = useDoing(SendCodeDocument)
  const byCode = useDoing(SignInByCodeDocument)
  const byPassword = useDoing(SignInDocument)
  const failure = [sendCode, byCode, byPassword].find((doing) => doing.failure)?.failure
  const fault = (name: string) => failure?.fields.find(({ field }) => field.endsWith(name))?.message

  const submit = async () => {
    if (way === 'code' && !sent) {
      const done = await sendCode.run({ input: { cellNumber: cell } })
      if (done?.sendOtp.enabled) setSent(done.sendOtp.message)
      else if (done) setWay('password')
      return
    }
    const done =
      way === 'code'
        ? (await byCode.run({ input: { cellNumber: cell, code: secret } }))?.loginOtp
        : (await byPassword.run({ input: { cellNumber: cell, password: secret } }))?.login
    if (done) session.set({ accessToken: done.accessToken, refreshToken: done.refreshToken })
  }
  const doing = sendCode.doing || byCode.doing || byPassword.doing
  return (
    <main className="signin">
      <h1>{t.title}</h1>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextIn
          label={t.cell}
          value={cell}
          onChange={setCell}
          type="tel"
          dir="ltr"
          autoComplete="username"
          error={fault('cellNumber')}
        />
        {way === 'password' && (
          <TextIn
            label={t.password}
            value={secret}
            onChange={setSecret}
            type="password"
            dir="ltr"
            autoComplete="current-password"
            error={fault('password')}
          />
        )}
        {way === 'code' && sent && (
          <TextIn
            label={t.code}
            description={sent}
            value={secret}
            onChange={setSecret}
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={fault('code')}
          />
        )}
        <Problem>{failure && failure.fields.length === 0 && failure.message}</Problem>
        <Button type="submit" className="primary" isPending={doing}>
          {way === 'code' && !sent ? t.send : t.signIn}
        </Button>
        <Button
          className="quiet"
          onPress={() => {
            setWay(way === 'code' ? 'password' : 'code')
            setSecret('')
            setSent('')
          }}
        >
          {way === 'code' ? t.byPassword : t.byCode}
        </Button>
      </Form>
      <LanguageSwitch />
    </main>
  )
}
