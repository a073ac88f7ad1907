// Forms for one's own name and e-mail address, and one's own password.
import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import type { Failure } from '../api'
import { ChangePasswordDocument, SendCodeDocument, UpdateOwnProfileDocument } from '../graphql/graphql'
import { useDoing } from '../query'
import { useWords, type Pair } from '../words'
import { useFeedback } from './feedback'
import { Problem, TextIn } from './fields'

const words = {
  you: ['Your name', 'نام شما'],
  first: ['First name', 'نام'],
  last: ['Last name', 'نام خانوادگی'],
  email: ['E-mail', 'ایمیل'],
  save: ['Save', 'ذخیره'],
  saved: ['Saved.', 'ذخیره شد.'],
  password: ['Password', 'گذرواژه'],
  none: ['The account has no password yet: you sign in with codes.', 'حساب هنوز گذرواژه ندارد و ورود با کد است.'],
  current: ['Current password', 'گذرواژه کنونی'],
  fresh: ['New password', 'گذرواژه تازه'],
  others: ['You will be signed out everywhere else.', 'از جاهای دیگری که وارد شده‌اید خارج می‌شوید.'],
  send: ['Send a code by SMS', 'ارسال کد با پیامک'],
  sms: ['Code from the SMS', 'کد پیامک'],
  set: ['Set the password', 'تنظیم گذرواژه'],
} satisfies Record<string, Pair>

const faultOf = (failure: Failure | undefined, name: string) =>
  failure?.fields.find(({ field }) => field.split('.').at(-1) === name)?.message

function Part({ title, failure, onSubmit, children }: {
  title: string
  failure: Failure | undefined
  onSubmit: () => Promise<void>
  children: ReactNode
}) {
  return (
    <section className="editor">
      <h2>{title}</h2>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        <Problem>{failure?.fields.length === 0 && failure.message}</Problem>
        {children}
      </Form>
    </section>
  )
}

interface ProfileProps {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  again: () => void
}

export function Profile({ again, ...stored }: ProfileProps) {
  const t = useWords(words)
  const { tell } = useFeedback()
  const update = useDoing(UpdateOwnProfileDocument)
  const [typed, setTyped] = useState<Partial<Record<'firstName' | 'lastName' | 'email', string>>>({})
  const save = async () => {
    const { email, ...names } = typed
    const input = { ...names, ...(email === undefined ? {} : { email: email.trim() || null }) }
    if (!(await update.run({ input }))) return
    setTyped({})
    tell(t.saved)
    again()
  }
  const field = (name: 'firstName' | 'lastName' | 'email', label: string, autoComplete: string) => (
    <TextIn
      label={label}
      value={typed[name] ?? stored[name] ?? ''}
      onChange={(to) => setTyped((now) => ({ ...now, [name]: to }))}
      autoComplete={autoComplete}
      error={faultOf(update.failure, name)}
      {...(name === 'email' ? { type: 'email' as const, dir: 'ltr' as const } : {})}
    />
  )
  return (
    <Part title={t.you} failure={update.failure} onSubmit={save}>
      {field('firstName', t.first, 'given-name')}
      {field('lastName', t.last, 'family-name')}
      {field('email', t.email, 'email')}
      <Button type="submit" className="primary" isPending={update.doing} isDisabled={Object.keys(typed).length === 0}>
        {t.save}
      </Button>
    </Part>
  )
}

interface PasswordProps {
  cell: string
  hasPassword: boolean
  again: () => void
}

export function Password({ cell, hasPassword, again }: PasswordProps) {
  const t = useWords(words)
  const { tell } = useFeedback()
  const change = useDoing(ChangePasswordDocument)
  const sendCode = useDoing(SendCodeDocument)
  const [current, setCurrent] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState('')
  const [unsent, setUnsent] = useState('')
  const [fresh, setFresh] = useState('')
  const failure = change.failure ?? sendCode.failure
  const send = async () => {
    setUnsent('')
    const done = await sendCode.run({ input: { cellNumber: cell } })
    if (done?.sendOtp.enabled) setSent(done.sendOtp.message)
    else setUnsent(done?.sendOtp.message ?? '')
  }
  const save = async () => {
    const proof = sent ? { code } : { currentPassword: current }
    if (!(await change.run({ input: { ...proof, newPassword: fresh } }))) return
    for (const clear of [setCurrent, setCode, setSent, setFresh]) clear('')
    tell(t.saved)
    again()
  }
  return (
    <Part title={t.password} failure={failure} onSubmit={save}>
      <p className="help">
        {!hasPassword && t.none} {t.others}
      </p>
      {sent ? (
        <TextIn
          label={t.sms}
          description={sent}
          value={code}
          onChange={setCode}
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          error={faultOf(failure, 'code')}
        />
      ) : (
        hasPassword && (
          <TextIn
            label={t.current}
            value={current}
            onChange={setCurrent}
            type="password"
            dir="ltr"
            autoComplete="current-password"
            error={faultOf(failure, 'currentPassword')}
          />
        )
      )}
      {(hasPassword || sent) && (
        <TextIn
          label={t.fresh}
          value={fresh}
          onChange={setFresh}
          type="password"
          dir="ltr"
          autoComplete="new-password"
          error={faultOf(failure, 'newPassword')}
        />
      )}
      <Problem>{unsent}</Problem>
      <p className="buttons">
        {(hasPassword || sent) && (
          <Button type="submit" className="primary" isPending={change.doing}>
            {t.set}
          </Button>
        )}
        {!sent && (
          <Button isPending={sendCode.doing} onPress={() => void send()}>
            {t.send}
          </Button>
        )}
      </p>
    </Part>
  )
}
