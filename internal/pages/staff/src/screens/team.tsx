// Who works for the shop, who is invited, and the programs that have access tokens.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import { useFormats } from '../format'
import {
  AddStaffDocument,
  ChangeStaffDocument,
  CreateAccessTokenDocument,
  RemoveStaffDocument,
  RevokeAccessTokenDocument,
  TeamDocument,
  WithdrawInvitationDocument,
  type Permission,
  type StaffRole,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import type { ScreenProps } from '../shop'
import { Choice } from '../ui/choice'
import { roleName, roles } from '../ui/roles'
import { Copy } from '../ui/copy'
import { useEdit } from '../ui/editor'
import { faultOf, namedIn, Problem, TextIn, Toggle } from '../ui/fields'
import { MomentIn } from '../ui/moment'
import { useFeedback } from '../ui/feedback'
import { say, useWords, type Pair } from '../words'

const words = {
  title: ['Team', 'همکاران'],
  invite: ['Invite somebody', 'دعوت از کسی'],
  cell: ['Cell number', 'شماره موبایل'],
  role: ['Role', 'نقش'],
  send: ['Invite', 'دعوت'],
  invited: ['Invited, not yet accepted', 'دعوت‌شده و هنوز نپذیرفته'],
  until: ['until', 'تا'],
  withdraw: ['Withdraw', 'پس گرفتن'],
  remove: ['Remove', 'برداشتن'],
  removeTitle: ['Remove from the team?', 'از همکاران برداشته شود؟'],
  removeText: ['Access ends at once.', 'دسترسی بی‌درنگ پایان می‌یابد.'],
  tokens: ['Programs', 'برنامه‌ها'],
  tokensHelp: [
    'A program works for the shop by an access token, with the permissions that you give it.',
    'برنامه‌ها با کلید دسترسی و اجازه‌هایی که می‌دهید برای فروشگاه کار می‌کنند.',
  ],
  name: ['Name of the program', 'نام برنامه'],
  expires: ['Ends at', 'پایان در'],
  permissions: ['Permissions', 'اجازه‌ها'],
  create: ['Make a token', 'ساختن کلید'],
  shown: [
    'This is the token. It is shown this once: copy it now.',
    'این کلید است و تنها همین بار نشان داده می‌شود؛ اکنون رونوشت بردارید.',
  ],
  used: ['last used', 'آخرین استفاده'],
  never: ['never used', 'استفاده‌نشده'],
  ended: ['ended', 'پایان‌یافته'],
  revoke: ['Revoke', 'باطل کردن'],
  revokeTitle: ['Revoke the token?', 'کلید باطل شود؟'],
} satisfies Record<string, Pair>

const permissions: Partial<Record<Permission, Pair>> = {
  seeShop: ['See drafts and stock', 'دیدن پیش‌نویس‌ها و موجودی'],
  readAudit: ['Read the audit log', 'خواندن رویدادنگار'],
  editShop: ['Change the shop’s looks', 'تغییر ظاهر فروشگاه'],
  editCatalog: ['Write products', 'نوشتن محصولات'],
  editContent: ['Write contents', 'نوشتن محتوا'],
  changeStock: ['Change stock and prices', 'تغییر موجودی و قیمت'],
  manageListings: ['Decide on listings', 'رسیدگی به آگهی‌ها'],
  moderate: ['Decide on comments and reviews', 'رسیدگی به دیدگاه‌ها'],
  readContacts: ['Read messages', 'خواندن پیام‌ها'],
  manageOrders: ['Move orders', 'پیش بردن سفارش‌ها'],
  markPayments: ['Mark payments', 'ثبت پرداخت‌ها'],
  seeCustomers: ['See customers', 'دیدن مشتریان'],
  manageWebhooks: ['Manage webhooks', 'مدیریت وب‌هوک‌ها'],
}

const noPermissions: Permission[] = []

export default function Team({ shop }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm } = useFeedback()
  const { data, failure, again } = useReading(TeamDocument, { shop: shop.id })
  const edit = useEdit(`${shop.id}.invitation`, { cellNumber: '', role: 'editor' as StaffRole })
  const add = useDoing(AddStaffDocument)
  const change = useDoing(ChangeStaffDocument)
  const remove = useDoing(RemoveStaffDocument)
  const withdraw = useDoing(WithdrawInvitationDocument)
  const names = { cellNumber: t.cell, role: t.role }
  const options = Object.entries(roles).map(([id, pair]) => ({ id, name: say(pair) }))
  const invite = async () => {
    if (await add.run({ shop: shop.id, input: edit.value })) edit.discard()
    again()
  }
  return (
    <>
      <h1>{t.title}</h1>
      <Problem>
        {failure?.message ?? change.failure?.message ?? remove.failure?.message ?? withdraw.failure?.message}
      </Problem>
      <ul className="opinions">
        {data?.staff?.map((member) => {
          const name = [member.firstName, member.lastName].filter(Boolean).join(' ')
          return (
            <li key={member.id}>
              <article>
                <strong>{name}</strong> <bdi dir="ltr">{member.cellNumber}</bdi>
              </article>
              <Choice
                label={t.role}
                value={member.role}
                onChange={async (to) => {
                  await change.run({ shop: shop.id, member: member.id, role: to as StaffRole })
                  again()
                }}
                options={options}
              />
              <Button
                className="danger"
                onPress={async () => {
                  if (
                    !(await confirm({
                      title: t.removeTitle,
                      text: `${name || member.cellNumber}: ${t.removeText}`,
                      yes: t.remove,
                    }))
                  )
                    return
                  await remove.run({ shop: shop.id, member: member.id })
                  again()
                }}
              >
                {t.remove}
              </Button>
            </li>
          )
        })}
      </ul>
      <h2>{t.invite}</h2>
      <Form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void invite()
        }}
      >
        <TextIn
          label={t.cell}
          value={edit.value.cellNumber}
          onChange={(to) => edit.set('cellNumber', to)}
          type="tel"
          dir="ltr"
          error={faultOf(add.failure, 'cellNumber', names)}
        />
        <Choice
          label={t.role}
          value={edit.value.role}
          onChange={(to) => edit.set('role', to as StaffRole)}
          options={options}
        />
        <Button type="submit" className="primary" isPending={add.doing}>
          {t.send}
        </Button>
      </Form>
      <Problem>{namedIn(add.failure, names)}</Problem>
      {data?.staffInvitations && data.staffInvitations.length > 0 && (
        <>
          <h2>{t.invited}</h2>
          <ul>
            {data.staffInvitations.map((invitation) => (
              <li key={invitation.id}>
                <bdi dir="ltr">{invitation.cellNumber}</bdi> · {roleName(invitation.role)} · {t.until}{' '}
                {f.day(invitation.expiresAt)}{' '}
                <Button
                  onPress={async () => {
                    await withdraw.run({ shop: shop.id, invitation: invitation.id })
                    again()
                  }}
                >
                  {t.withdraw}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Tokens shop={shop.id} tokens={data?.accessTokens ?? []} again={again} />
    </>
  )
}

interface Token {
  id: string
  name: string
  lastCharacters: string
  lastUsedAt?: string | null
  expiresAt?: string | null
  revokedAt?: string | null
}

function Tokens({ shop, tokens, again }: { shop: string; tokens: Token[]; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm } = useFeedback()
  const edit = useEdit(`${shop}.token`, { name: '', expiresAt: null as string | null, permissions: noPermissions })
  const { name, expiresAt, permissions: may } = edit.value
  const [secret, setSecret] = useState('')
  const create = useDoing(CreateAccessTokenDocument)
  const revoke = useDoing(RevokeAccessTokenDocument)
  const names = { name: t.name, expiresAt: t.expires, permissions: t.permissions }
  const make = async () => {
    const done = await create.run({ shop, input: edit.value })
    if (!done) return
    setSecret(done.createAccessToken.token)
    edit.discard()
    again()
  }
  const hasEnded = ({ revokedAt, expiresAt }: Token) =>
    Boolean(revokedAt) || (Boolean(expiresAt) && new Date(expiresAt!) < new Date())
  return (
    <section>
      <h2>{t.tokens}</h2>
      <p className="help">{t.tokensHelp}</p>
      {secret && (
        <p role="status" className="conflict">
          {t.shown} <code dir="ltr">{secret}</code> <Copy text={secret} />
        </p>
      )}
      <ul>
        {tokens.map((token) => (
          <li key={token.id}>
            <strong>{token.name}</strong> <bdi>…{token.lastCharacters}</bdi> ·{' '}
            {hasEnded(token) ? t.ended : token.lastUsedAt ? `${t.used} ${f.moment(token.lastUsedAt)}` : t.never}{' '}
            {!hasEnded(token) && (
              <Button
                className="danger"
                onPress={async () => {
                  if (
                    !(await confirm({ title: t.revokeTitle, text: `${token.name}: ${t.removeText}`, yes: t.revoke }))
                  )
                    return
                  await revoke.run({ shop, token: token.id })
                  again()
                }}
              >
                {t.revoke}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <TextIn
          label={t.name}
          value={name}
          onChange={(to) => edit.set('name', to)}
          error={faultOf(create.failure, 'name', names)}
        />
        <MomentIn
          label={t.expires}
          value={expiresAt}
          onChange={(to) => edit.set('expiresAt', to)}
          error={faultOf(create.failure, 'expiresAt', names)}
        />
        {Object.entries(permissions).map(([id, pair]) => (
          <Toggle
            key={id}
            label={say(pair)}
            value={may.includes(id as Permission)}
            onChange={(to) =>
              edit.set('permissions', to ? [...may, id as Permission] : may.filter((one) => one !== id))
            }
          />
        ))}
        <Problem>{namedIn(create.failure, names)}</Problem>
        <Button type="submit" isPending={create.doing}>
          {t.create}
        </Button>
      </Form>
    </section>
  )
}
