// Forms for one's own name and e-mail address, and one's own password.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { ChangePasswordDocument, SendCodeDocument, UpdateOwnProfileDocument } from '../graphql/graphql'
import { useDoing } from '../query'
import { useWords, type Pair } from '../words'
import { Editor, useEdit } from './editor'
import { useFeedback } from './feedback'
import { faultOf, namedIn, Problem, TextIn } from './fields'

const words = {
  you: ['Your name', 'نام شما'],
  firstName: ['First name', 'نام'],
  lastName: ['Last name', 'نام خانوادگی'],
  email: ['E-mail', 'ایمیل'],
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

interface ProfileProps {
  id: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  again: () => void
}

export function Profile({ id, firstName, lastName, email, again }: ProfileProps) {
  const t = useWords(words)
  const update = useDoing(UpdateOwnProfileDocument)
  const edit = useEdit(`${id}.profile`, { firstName: firstName ?? '', lastName: lastName ?? '', email: email ?? '' })
  const save = async () => {
    const { email, ...names } = edit.changed
    const input = { ...names, ...(email === undefined ? {} : { email: email.trim() || null }) }
    const done = await update.run({ input })
    if (done) again()
    return Boolean(done)
  }
  const field = (name: keyof typeof edit.value, autoComplete: string) => (
    <TextIn
      label={t[name]}
      value={edit.value[name]}
      onChange={(to) => edit.set(name, to)}
      autoComplete={autoComplete}
      error={faultOf(update.failure, name)}
      {...(name === 'email' ? { type: 'email' as const, dir: 'ltr' as const } : {})}
    />
  )
  return (
    <>
      <h2>{t.you}</h2>
      <Editor edit={edit} failure={update.failure} isSaving={update.doing} onSave={save} onConflict={again} names={t}>
        {field('firstName', 'given-name')}
        {field('lastName', 'family-name')}
        {field('email', 'email')}
      </Editor>
    </>
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
    change.forget()
    const done = await sendCode.run({ input: { cellNumber: cell } })
    if (done?.sendOtp.enabled) {
      setCode('')
      setSent(done.sendOtp.message)
    } else setUnsent(done?.sendOtp.message ?? '')
  }
  const save = async () => {
    tell('')
    sendCode.forget()
    const proof = sent ? { code } : { currentPassword: current }
    if (!(await change.run({ input: { ...proof, newPassword: fresh } }))) return
    for (const clear of [setCurrent, setCode, setSent, setFresh]) clear('')
    tell(t.saved)
    again()
  }
  return (
    <section className="editor">
      <h2>{t.password}</h2>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Problem>{namedIn(failure, { code: t.sms, currentPassword: t.current, newPassword: t.fresh })}</Problem>
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
          <Button isPending={sendCode.doing} onPress={() => void send()}>
            {t.send}
          </Button>
        </p>
      </Form>
    </section>
  )
}
