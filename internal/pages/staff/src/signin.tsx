// Signing in by an SMS code or a password. The code also creates an account for a person whom a shop has
// invited.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { session } from './api'
import {
  RegisterDocument,
  SendCodeDocument,
  SignInByCodeDocument,
  SignInDocument,
  TicketByCodeDocument,
} from './graphql/graphql'
import { isForgetful } from './kept'
import { useDoing } from './query'
import { parse } from './router'
import { LanguageSwitch } from './switches'
import { faultOf, Problem, TextIn } from './ui/fields'
import { useWords, type Pair } from './words'

const words = {
  title: ['Your shop', 'فروشگاه شما'],
  forgetful: [
    'The settings of your browser let the page keep nothing: a reload signs you out and loses what is not saved.',
    'تنظیمات مرورگر نمی‌گذارد صفحه چیزی نگه دارد: با بارگذاری دوباره از حساب خارج می‌شوید و آنچه ذخیره نشده از دست می‌رود.',
  ],
  cell: ['Cell number', 'شماره موبایل'],
  password: ['Password', 'گذرواژه'],
  code: ['Code', 'کد'],
  send: ['Send a code by SMS', 'ارسال کد با پیامک'],
  signIn: ['Sign in', 'ورود'],
  byPassword: ['Sign in with a password', 'ورود با گذرواژه'],
  byCode: ['Sign in with a code', 'ورود با کد'],
  noAccount: [
    'This cell number has no account yet. If a shop has invited you, make one here; then you can accept the invitation.',
    'این شماره هنوز حسابی ندارد. اگر فروشگاهی شما را دعوت کرده است، این‌جا حساب بسازید و سپس دعوت را بپذیرید.',
  ],
  first: ['First name', 'نام'],
  last: ['Last name', 'نام خانوادگی'],
  shop: ['Domain of the shop, such as shop.example', 'دامنه فروشگاه، مانند shop.example'],
  register: ['Make the account', 'ساختن حساب'],
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
  // A right code of a cell without an account gives a ticket, by which one is made.
  const byTicket = useDoing(TicketByCodeDocument)
  const register = useDoing(RegisterDocument)
  const [ticket, setTicket] = useState<{ cellNumber: string; ticket: string }>()
  const [person, setPerson] = useState(() => ({ firstName: '', lastName: '', domain: parse(location.hash).shop }))
  const isNew = byCode.failure?.code === 'NO_ACCOUNT'
  const shown = isNew ? [byTicket, register] : [sendCode, byCode, byPassword]
  const failure = shown.find((doing) => doing.failure)?.failure
  const fault = (name: string) => faultOf(failure, name)
  const isUnseen = isNew && (fault('code') ?? fault('ticket')) !== undefined // their fields are not shown then

  const submit = async () => {
    if (way === 'code' && !sent) {
      const done = await sendCode.run({ input: { cellNumber: cell } })
      if (done?.sendOtp.enabled) setSent(done.sendOtp.message)
      else if (done) setWay('password')
      return
    }
    if (isNew) return makeAccount()
    const done =
      way === 'code'
        ? (await byCode.run({ input: { cellNumber: cell, code: secret } }))?.loginOtp
        : (await byPassword.run({ input: { cellNumber: cell, password: secret } }))?.login
    if (done) session.set({ accessToken: done.accessToken, refreshToken: done.refreshToken })
  }
  const makeAccount = async () => {
    register.forget()
    let good = ticket
    if (!good) {
      const input = { cellNumber: cell, code: secret, domain: person.domain }
      const found = (await byTicket.run({ input }))?.signInByCode
      if (found && 'accessToken' in found) return session.set(found) // an account was made meanwhile
      if (!found || !('ticket' in found)) return
      good = found
      setTicket(found)
    }
    const done = (await register.run({ input: { ...person, ...good } }))?.register
    if (done && 'accessToken' in done && done.accessToken && done.refreshToken) {
      session.set({ accessToken: done.accessToken, refreshToken: done.refreshToken })
    }
  }
  const beginAgain = () => {
    setSecret('')
    setSent('')
    setTicket(undefined)
    for (const doing of [byCode, byTicket, register]) doing.forget()
  }
  const doing = [sendCode, byCode, byPassword, byTicket, register].some((one) => one.doing)
  const field = (name: keyof typeof person, label: string, more: { dir?: 'ltr'; autoComplete?: string }) => (
    <TextIn
      label={label}
      value={person[name]}
      onChange={(to) => setPerson((now) => ({ ...now, [name]: to }))}
      error={fault(name)}
      {...more}
    />
  )
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
          isDisabled={isNew}
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
        {way === 'code' && sent && !isNew && (
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
        {isNew && (
          <>
            <p role="status">{t.noAccount}</p>
            {field('firstName', t.first, { autoComplete: 'given-name' })}
            {field('lastName', t.last, { autoComplete: 'family-name' })}
            {field('domain', t.shop, { dir: 'ltr' })}
          </>
        )}
        <Problem>{(failure?.fields.length === 0 || isUnseen) && failure?.message}</Problem>
        <Button type="submit" className="primary" isPending={doing}>
          {isNew ? t.register : way === 'code' && !sent ? t.send : t.signIn}
        </Button>
        <Button
          className="quiet"
          onPress={() => {
            setWay(way === 'code' && !isNew ? 'password' : 'code')
            beginAgain()
          }}
        >
          {way === 'code' && !isNew ? t.byPassword : t.byCode}
        </Button>
      </Form>
      {isForgetful && <p className="help">{t.forgetful}</p>}
      <LanguageSwitch />
    </main>
  )
}
