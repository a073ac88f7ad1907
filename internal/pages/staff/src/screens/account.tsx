// The signed-in account: its name, its password, its second factor, and its sessions.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { useFormats } from '../format'
import {
  AccountDocument,
  BeginSecondFactorDocument,
  ConfirmSecondFactorDocument,
  EndOtherSessionsDocument,
  EndSessionDocument,
  NewRecoveryCodesDocument,
  RemoveSecondFactorDocument,
  SendCodeDocument,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import { namedIn, Problem, TextIn } from '../ui/fields'
import { QR } from '../ui/qr'
import { Password, Profile } from '../ui/person'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Your account', 'حساب شما'],
  second: ['Second factor', 'عامل دوم'],
  secondHelp: [
    'Codes of an authenticator app guard what you do for shops, also from who has your phone number or password.',
    'کدهای برنامه احراز هویت از کارهای شما برای فروشگاه‌ها محافظت می‌کند، حتی در برابر کسی که شماره یا گذرواژه شما را دارد.',
  ],
  password: ['Password of the account', 'گذرواژه حساب'],
  noPassword: ['Send a code by SMS instead', 'به جای آن ارسال کد با پیامک'],
  sms: ['Code from the SMS', 'کد پیامک'],
  begin: ['Switch it on', 'فعال کردن'],
  scan: ['Scan this code with the app.', 'این کد را با برنامه بخوانید.'],
  secret: ['Or type this into it', 'یا این را در آن وارد کنید'],
  open: ['Open in the app', 'باز کردن در برنامه'],
  code: ['Code of the app', 'کد برنامه'],
  confirm: ['Confirm', 'تأیید'],
  on: ['It is on.', 'فعال است.'],
  left: ['recovery codes are left', 'کد بازیابی مانده است'],
  recovery: [
    'Keep these recovery codes. They are shown this once.',
    'این کدهای بازیابی را نگه دارید؛ تنها همین بار نشان داده می‌شوند.',
  ],
  fresh: ['New recovery codes', 'کدهای بازیابی تازه'],
  remove: ['Switch it off', 'غیرفعال کردن'],
  sessions: ['Where you are signed in', 'جاهایی که وارد شده‌اید'],
  here: ['here', 'همین‌جا'],
  used: ['last used', 'آخرین استفاده'],
  end: ['End', 'پایان دادن'],
  endOthers: ['End all others', 'پایان دادن به بقیه'],
} satisfies Record<string, Pair>

export default function Account() {
  const t = useWords(words)
  const { data, failure, again } = useReading(AccountDocument, {})
  if (!data?.me) return <Problem>{failure?.message}</Problem>
  return (
    <>
      <h1>{t.title}</h1>
      <Profile {...data.me} again={again} />
      <Password cell={data.me.cellNumber} hasPassword={data.me.hasPassword} again={again} />
      <SecondFactor cell={data.me.cellNumber} factor={data.me.secondFactor ?? null} again={again} />
      <Sessions sessions={data.me.sessions} again={again} />
    </>
  )
}

interface SecondFactorProps {
  cell: string
  factor: { recoveryCodesLeft: number } | null
  again: () => void
}

function SecondFactor({ cell, factor, again }: SecondFactorProps) {
  const t = useWords(words)
  const f = useFormats()
  const begin = useDoing(BeginSecondFactorDocument)
  const confirm = useDoing(ConfirmSecondFactorDocument)
  const fresh = useDoing(NewRecoveryCodesDocument)
  const remove = useDoing(RemoveSecondFactorDocument)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null)
  const [recovery, setRecovery] = useState<string[]>([])
  // An account without a password is confirmed by an SMS code.
  const sendCode = useDoing(SendCodeDocument)
  const [sent, setSent] = useState('')
  const [sms, setSms] = useState('')
  const failure = [begin, confirm, fresh, remove, sendCode].find((doing) => doing.failure)?.failure
  const start = async () => {
    const done = await begin.run({ input: sent ? { code: sms } : { currentPassword: password } })
    if (!done) return
    setSetup(done.beginSecondFactor)
    setSent('')
    setSms('')
  }
  const finish = async () => {
    const done = await confirm.run({ code })
    if (!done) return
    setRecovery(done.confirmSecondFactor.recoveryCodes)
    setSetup(null)
    setCode('')
    setPassword('')
    again()
  }
  const makeCodes = async () => {
    const done = await fresh.run({ code })
    if (!done) return
    setRecovery(done.newRecoveryCodes.recoveryCodes)
    setCode('')
    again()
  }
  const switchOff = async () => {
    if (await remove.run({ input: { code, currentPassword: password || null } })) {
      setCode('')
      setPassword('')
      again()
    }
  }
  const passwordField = (
    <TextIn
      label={t.password}
      value={password}
      onChange={setPassword}
      type="password"
      dir="ltr"
      autoComplete="current-password"
    />
  )
  const codeField = <TextIn label={t.code} value={code} onChange={setCode} dir="ltr" autoComplete="one-time-code" />
  return (
    <section className="editor">
      <h2>{t.second}</h2>
      <p className="help">{t.secondHelp}</p>
      {recovery.length > 0 && (
        <div role="status" className="conflict">
          <p>{t.recovery}</p>
          <pre dir="ltr">{recovery.join('\n')}</pre>
        </div>
      )}
      <Problem>{namedIn(failure, { code: sent ? t.sms : t.code, currentPassword: t.password })}</Problem>
      {factor ? (
        <>
          <p>
            {t.on} {f.number(factor.recoveryCodesLeft)} {t.left}
          </p>
          {codeField}
          {passwordField}
          <p className="buttons">
            <Button isPending={fresh.doing} onPress={() => void makeCodes()}>
              {t.fresh}
            </Button>
            <Button className="danger" isPending={remove.doing} onPress={() => void switchOff()}>
              {t.remove}
            </Button>
          </p>
        </>
      ) : setup ? (
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            void finish()
          }}
        >
          <QR text={setup.uri} label={t.scan} />
          <p>{t.scan}</p>
          <p>
            {t.secret}: <code dir="ltr">{setup.secret}</code> <a href={setup.uri}>{t.open}</a>
          </p>
          {codeField}
          <Button type="submit" className="primary" isPending={confirm.doing}>
            {t.confirm}
          </Button>
        </Form>
      ) : (
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            void start()
          }}
        >
          {sent ? (
            <TextIn
              label={t.sms}
              description={sent}
              value={sms}
              onChange={setSms}
              dir="ltr"
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          ) : (
            passwordField
          )}
          <p className="buttons">
            <Button type="submit" className="primary" isPending={begin.doing}>
              {t.begin}
            </Button>
            {!sent && (
              <Button
                isPending={sendCode.doing}
                onPress={async () => {
                  const done = await sendCode.run({ input: { cellNumber: cell } })
                  if (done?.sendOtp.enabled) setSent(done.sendOtp.message)
                }}
              >
                {t.noPassword}
              </Button>
            )}
          </p>
        </Form>
      )}
    </section>
  )
}

interface Session {
  id: string
  createdAt: string
  lastUsedAt: string
  current: boolean
  client?: string | null
  network?: string | null
}

function Sessions({ sessions, again }: { sessions: Session[]; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const end = useDoing(EndSessionDocument)
  const endOthers = useDoing(EndOtherSessionsDocument)
  return (
    <section>
      <h2>{t.sessions}</h2>
      <Problem>{end.failure?.message ?? endOthers.failure?.message}</Problem>
      <ul className="opinions">
        {sessions.map((one) => (
          <li key={one.id}>
            <article>
              <strong>{one.client ?? '–'}</strong> <bdi dir="ltr">{one.network}</bdi> {one.current && `(${t.here})`}
              <footer>
                {f.moment(one.createdAt)} · {t.used} {f.moment(one.lastUsedAt)}
              </footer>
            </article>
            {!one.current && (
              <Button
                onPress={async () => {
                  await end.run({ session: one.id })
                  again()
                }}
              >
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          className="danger"
          isPending={endOthers.doing}
          onPress={async () => {
            await endOthers.run({})
            again()
          }}
        >
          {t.endOthers}
        </Button>
      )}
    </section>
  )
}
