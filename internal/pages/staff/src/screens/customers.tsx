// Customers: the list, found by name, e-mail or cell.
import { useFormats } from '../format'
import { CustomersDocument } from '../graphql/graphql'
import { go, to } from '../router'
import type { ScreenProps } from '../shop'
import { Search } from '../ui/bits'
import { later } from '../ui/later'
import { List } from '../ui/list'
import { useWalk } from '../ui/walk'
import { SheetOut } from '../ui/sheets'
import { useWords, type Pair } from '../words'

const words = {
  title: ['Customers', 'مشتریان'],
  find: ['Name, e-mail or cell number', 'نام، ایمیل یا شماره موبایل'],
  name: ['Name', 'نام'],
  cell: ['Cell number', 'شماره موبایل'],
  email: ['E-mail', 'ایمیل'],
  since: ['Since', 'عضویت'],
} satisfies Record<string, Pair>

// One customer is more than the list needs.
const Customer = later(() => import('./customer'))

export default function Customers(props: ScreenProps) {
  const [cell] = props.place.rest
  return cell ? <Customer key={cell} {...props} cell={cell} /> : <AllCustomers {...props} />
}

function AllCustomers({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const find = place.filters.get('find') ?? ''
  const walk = useWalk(
    CustomersDocument,
    { shop: shop.id, name: find || null },
    (data) => data.shopCustomersConnection,
  )
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <div className="filters">
        <SheetOut shop={shop} kind="customers" />
        <Search
          label={t.find}
          value={find}
          onSubmit={(value) => go(to(shop.domain, 'customers', [], { find: value }), true)}
        />
      </div>
      <List
        label={t.title}
        walk={walk}
        href={({ cellNumber }) => to(shop.domain, 'customers', [cellNumber])}
        columns={[
          {
            id: 'name',
            name: t.name,
            show: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') || '–',
          },
          { id: 'cell', name: t.cell, show: ({ cellNumber }) => <bdi dir="ltr">{cellNumber}</bdi> },
          { id: 'email', name: t.email, wide: true, show: ({ email }) => <bdi>{email}</bdi> },
          { id: 'since', name: t.since, wide: true, show: ({ memberSince }) => memberSince && f.day(memberSince) },
        ]}
      />
    </>
  )
}
