// Payment gateways: the shop's accounts at them, which of them customers pay by, and new ones.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { useFormats } from '../format'
import {
  AddGatewayAccountDocument,
  CheckGatewayAccountDocument,
  ForgetGatewayAccountDocument,
  GatewaysDocument,
  SwitchGatewayAccountDocument,
  type GatewaysQuery,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import type { ScreenProps, Shop } from '../shop'
import { Choice } from '../ui/choice'
import { useFeedback } from '../ui/feedback'
import { faultOf, namedIn, Problem, TextIn, Toggle } from '../ui/fields'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Payment gateways', 'درگاه‌های پرداخت'],
  none: ['Nothing has been set up yet.', 'هنوز چیزی تنظیم نشده است.'],
  testing: [
    'Customers pay with test money: orders count as paid, and no money comes.',
    'مشتریان با پول آزمایشی می‌پردازند: سفارش‌ها پرداخت‌شده دیده می‌شوند و پولی نمی‌رسد.',
  ],
  test: ['test money', 'پول آزمایشی'],
  active: ['Customers pay by it', 'مشتریان با آن می‌پردازند'],
  check: ['Test it', 'آزمودن'],
  right: ['The gateway accepts the account.', 'درگاه این حساب را می‌پذیرد.'],
  forget: ['Forget the credentials', 'فراموش کردن مشخصات'],
  forgetTitle: ['Forget the credentials?', 'مشخصات فراموش شود؟'],
  forgetText: [
    'They cannot be brought back. Payments that began with them are settled in the gateway’s panel only.',
    'بازگرداندنی نیست. پرداخت‌هایی که با آن آغاز شده‌اند تنها در پنل درگاه پیگیری می‌شوند.',
  ],
  force: ['Forget them all the same', 'با این حال فراموش شود'],
  forgotten: ['forgotten', 'فراموش‌شده'],
  back: ['Customers come back to', 'بازگشت مشتریان به'],
  own: ['the service’s own address', 'نشانی خود سرویس'],
  add: ['Add an account', 'افزودن حساب'],
  addHelp: [
    'Other credentials are another account: add it, test it, and switch it on; the former one is switched off.',
    'مشخصات دیگر یعنی حسابی دیگر: آن را بیفزایید، بیازمایید و روشن کنید؛ حساب پیشین خاموش می‌شود.',
  ],
  gateway: ['Gateway', 'درگاه'],
  callbackBase: ['Customers come back to', 'بازگشت مشتریان به'],
  callbackHelp: [
    'A domain of the shop, if the gateway asks for it; it must pass /pay/ on to the service.',
    'دامنه فروشگاه، اگر درگاه آن را بخواهد؛ این دامنه باید /pay/ را به سرویس بفرستد.',
  ],
  currentPassword: ['Password of your account', 'گذرواژه حساب شما'],
  proof: [
    'Changes here need your password once more. All owners get an SMS about them.',
    'تغییرات این صفحه گذرواژه شما را دوباره می‌خواهد و به همه مالکان پیامک آن فرستاده می‌شود.',
  ],
  save: ['Add', 'افزودن'],
} satisfies Record<string, Pair>

type Account = NonNullable<GatewaysQuery['gatewayAccounts']>[number]
type Gateway = NonNullable<GatewaysQuery['gateways']>[number]

export default function Gateways({ shop }: ScreenProps) {
  const t = useWords(words)
  const { data, failure, again } = useReading(GatewaysDocument, { shop: shop.id })
  const [password, setPassword] = useState('')
  const mayEdit = shop.permissions.includes('manageGateways')
  const accounts = data?.gatewayAccounts ?? []
  const gateways = data?.gateways ?? []
  const domains = data?.shopAccess ? [data.shopAccess.domain, ...data.shopAccess.aliases] : []
  const currentPassword = password || null
  return (
    <>
      <h1>{t.title}</h1>
      <Problem>{failure?.message}</Problem>
      {accounts.some((account) => account.active && account.isTest) && (
        <p role="status" className="conflict">
          {t.testing}
        </p>
      )}
      {data && accounts.length === 0 && <p className="empty">{t.none}</p>}
      {data && mayEdit && !data.me?.secondFactor && (
        <section className="editor">
          <TextIn
            label={t.currentPassword}
            description={t.proof}
            value={password}
            onChange={setPassword}
            type="password"
            dir="ltr"
            autoComplete="current-password"
          />
        </section>
      )}
      <ul className="opinions">
        {accounts.map((account) => (
          <li key={account.id}>
            <OneAccount
              {...{ shop, account, mayEdit, currentPassword, again }}
              title={gateways.find(({ name }) => name === account.gateway)?.title ?? account.gateway}
            />
          </li>
        ))}
      </ul>
      {mayEdit && gateways.length > 0 && <NewAccount {...{ shop, gateways, domains, currentPassword, again }} />}
    </>
  )
}

interface Changing {
  shop: Shop
  currentPassword: string | null
  again: () => void
}

function OneAccount({ shop, account, title, mayEdit, currentPassword, again }: Changing & {
  account: Account
  title: string
  mayEdit: boolean
}) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm, tell } = useFeedback()
  const turn = useDoing(SwitchGatewayAccountDocument)
  const forget = useDoing(ForgetGatewayAccountDocument)
  const check = useDoing(CheckGatewayAccountDocument)
  const [wrong, setWrong] = useState<string | null>(null)
  const [isNeeded, setNeeded] = useState(false)
  const of = { shop: shop.id, account: account.id }
  const test = async () => {
    const done = await check.run(of)
    setWrong(done?.checkGatewayAccount.wrong ?? null)
    if (done && !done.checkGatewayAccount.wrong) tell(t.right)
  }
  const drop = async () => {
    const yes = isNeeded ? t.force : t.forget
    if (!(await confirm({ title: t.forgetTitle, text: `${title} …${account.last4}: ${t.forgetText}`, yes }))) return
    setNeeded(!(await forget.run({ ...of, force: isNeeded, currentPassword })))
    again()
  }
  const failure = turn.failure ?? forget.failure ?? check.failure
  return (
    <article>
      <header>
        <strong>{title}</strong> <bdi dir="ltr">…{account.last4}</bdi>
        {account.isTest && ` · ${t.test}`}
        {account.forgotten && ` · ${t.forgotten}`}
      </header>
      {!account.forgotten && <Problem>{account.problem ?? wrong}</Problem>}
      <Problem>{namedIn(failure, t)}</Problem>
      <footer>
        {f.moment(account.createdAt)} · {t.back} <bdi dir="ltr">{account.callbackBase ?? t.own}</bdi>
      </footer>
      {mayEdit && !account.forgotten && (
        <p className="buttons">
          <Toggle
            label={t.active}
            value={account.active}
            isDisabled={turn.doing}
            onChange={async (active) => {
              await turn.run({ ...of, active, currentPassword })
              again()
            }}
          />
          <Button isPending={check.doing} onPress={test}>
            {t.check}
          </Button>
          <Button className="danger" isPending={forget.doing} onPress={drop}>
            {isNeeded ? t.force : t.forget}
          </Button>
        </p>
      )}
    </article>
  )
}

function NewAccount({ shop, gateways, domains, currentPassword, again }: Changing & {
  gateways: Gateway[]
  domains: string[]
}) {
  const t = useWords(words)
  const add = useDoing(AddGatewayAccountDocument)
  const [name, setName] = useState<string | null>(null)
  const [base, setBase] = useState('')
  const [secrets, setSecrets] = useState<Record<string, string>>({}) // never kept in the browser
  const gateway = gateways.find((one) => one.name === name)
  const submit = async () => {
    if (!gateway) return
    const given = gateway.fields.filter((field) => secrets[field.name])
    const input = {
      gateway: gateway.name,
      secrets: given.map((field) => ({ name: field.name, value: secrets[field.name]! })),
      callbackBase: base || null,
    }
    if (!(await add.run({ shop: shop.id, input, currentPassword }))) return
    setSecrets({})
    setName(null)
    again()
  }
  return (
    <Form
      className="editor"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h2>{t.add}</h2>
      <p className="help">{t.addHelp}</p>
      <Choice
        label={t.gateway}
        value={name}
        onChange={(to) => {
          setName(to)
          setSecrets({})
        }}
        options={gateways.map((one) => ({ id: one.name, name: one.title }))}
        error={gateway?.refused ?? faultOf(add.failure, 'gateway', t)}
      />
      {gateway?.fields.map((field) => {
        const common = {
          label: field.title,
          isRequired: !field.optional,
          error: faultOf(add.failure, `secrets.${field.name}`, t),
          onChange: (value: string) => setSecrets({ ...secrets, [field.name]: value }),
        }
        return field.choices ? (
          <Choice
            key={field.name}
            {...common}
            value={secrets[field.name] ?? null}
            options={field.choices.map((choice) => ({ id: choice, name: choice }))}
          />
        ) : (
          <TextIn key={field.name} {...common} value={secrets[field.name] ?? ''} dir="ltr" autoComplete="off" />
        )
      })}
      {gateway && (
        <Choice
          label={t.callbackBase}
          description={t.callbackHelp}
          value={base}
          onChange={setBase}
          options={[
            { id: '', name: t.own },
            ...domains.map((domain) => ({ id: `https://${domain}`, name: `https://${domain}` })),
          ]}
          error={faultOf(add.failure, 'callbackBase', t)}
        />
      )}
      <Problem>{namedIn(add.failure, t)}</Problem>
      <Button type="submit" className="primary" isPending={add.doing} isDisabled={!gateway}>
        {t.save}
      </Button>
    </Form>
  )
}
