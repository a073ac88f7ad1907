// What was changed in the shop, when, and by whom.
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../format'
import { AuditDocument } from '../graphql/graphql'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Search } from '../ui/bits'
import { namedIn, Problem } from '../ui/fields'
import { MomentIn } from '../ui/moment'
import { roleName } from '../ui/roles'
import { useWalk } from '../ui/walk'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Audit log', 'رویدادنگار'],
  find: ['A part of the record’s name', 'بخشی از نام رکورد'],
  action: ['Action, such as updateProduct', 'کار، مانند updateProduct'],
  from: ['From', 'از'],
  until: ['Until', 'تا'],
  command: ['a command', 'یک دستور'],
  program: ['program', 'برنامه'],
  before: ['Before', 'پیش از آن'],
  after: ['After', 'پس از آن'],
  what: ['Values', 'مقدارها'],
  onlyThis: ['Only this one’s changes', 'تنها تغییرات همین شخص'],
  everybody: ['Everybody’s', 'همه'],
  none: ['No change is recorded here.', 'تغییری این‌جا ثبت نشده است.'],
  more: ['Show more', 'نمایش بیشتر'],
} satisfies Record<string, Pair>

export default function Audit({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const at = (name: string) => place.filters.get(name) ?? ''
  const filters = {
    find: at('find'),
    action: at('action'),
    user: at('user'),
    token: at('token'),
    from: at('from'),
    until: at('until'),
  }
  const walk = useWalk(
    AuditDocument,
    {
      shop: shop.id,
      name: filters.find || null,
      action: filters.action || null,
      userId: filters.user || null,
      tokenId: filters.token || null,
      from: filters.from || null,
      until: filters.until || null,
    },
    (data) => data.auditLogConnection,
  )
  const filter = (changed: Partial<typeof filters>) =>
    go(to(shop.domain, 'audit', [], { ...filters, ...changed }), true)
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <div className="filters">
        <Search label={t.find} value={filters.find} onSubmit={(find) => filter({ find })} />
        <Search label={t.action} value={filters.action} onSubmit={(action) => filter({ action })} />
        <MomentIn label={t.from} value={filters.from || null} onChange={(from) => filter({ from: from ?? '' })} />
        <MomentIn
          label={t.until}
          value={filters.until || null}
          onChange={(until) => filter({ until: until ?? '' })}
        />
        {(filters.user || filters.token) && (
          <Button onPress={() => filter({ user: '', token: '' })}>{t.everybody}</Button>
        )}
      </div>
      <Problem>{namedIn(walk.failure, t)}</Problem>
      {walk.items.length === 0 && !walk.reading && !walk.failure && <p className="empty">{t.none}</p>}
      <ul className="opinions">
        {walk.items.map((entry) => (
          <li key={entry.id}>
            <article>
              <header>
                <code dir="ltr">{entry.action}</code> <strong>{entry.recordName}</strong>
              </header>
              <footer>
                {f.moment(entry.createdAt)} ·{' '}
                {entry.accessToken
                  ? `${t.program} ${entry.accessToken.name}`
                  : entry.role
                    ? roleName(entry.role)
                    : t.command}{' '}
                {entry.user && (
                  <bdi>
                    {[entry.user.firstName, entry.user.lastName].filter(Boolean).join(' ') || entry.user.cellNumber}
                  </bdi>
                )}{' '}
                {(entry.userId || entry.accessToken) && (
                  <Button
                    className="quiet"
                    onPress={() => filter({ user: entry.userId ?? '', token: entry.accessToken?.id ?? '' })}
                  >
                    {t.onlyThis}
                  </Button>
                )}
              </footer>
              {(entry.before != null || entry.after != null) && (
                <details>
                  <summary>{t.what}</summary>
                  <Values before={entry.before} after={entry.after} />
                </details>
              )}
            </article>
          </li>
        ))}
      </ul>
      {walk.total !== undefined && walk.items.length < walk.total && (
        <Button isPending={walk.reading} onPress={walk.more}>
          {t.more}
        </Button>
      )}
    </>
  )
}

/** Values shows the members of a record before and after a change, side by side. */
function Values({ before, after }: { before: unknown; after: unknown }) {
  const t = useWords(words)
  const [was, is] = [before, after].map((value) => (value !== null && typeof value === 'object' ? value : {})) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const shown = (value: unknown) =>
    value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <div className="sheet" role="region" aria-label={t.what} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.before}</th>
            <th scope="col">{t.after}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <bdi>{shown(was[name])}</bdi>
              </td>
              <td>
                <bdi>{shown(is[name])}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
