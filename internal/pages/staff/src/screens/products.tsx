// Products: the list.
import { ChangeProductsDocument } from '../graphql/graphql'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { later } from '../ui/later'
import { Records } from '../ui/records'
import { SheetIn, SheetOut } from '../ui/sheets'
import { statuses, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Products', 'محصولات'],
  add: ['Add a product', 'افزودن محصول'],
} satisfies Record<string, Pair>

// One product is more than the list needs.
const Product = later(() => import('./product'))

export default function Products(props: ScreenProps) {
  const [slug] = props.place.rest
  const t = useWords(words)
  if (slug !== undefined) return <Product {...props} slug={slug} />
  return (
    <Records
      {...props}
      kind="product"
      section="products"
      title={t.title}
      may="editCatalog"
      statuses={statuses}
      document={ChangeProductsDocument}
      changedOf={(data) => data.changeProducts}
      changes={statuses.map((status) => ({ name: statusName(status), change: { status } }))}
      deletion={{ delete: true }}
    >
      {(again) =>
        props.shop.permissions.includes('editCatalog') && (
          <p className="buttons">
            <a className="button" href={to(props.shop.domain, 'products', ['+'])}>
              {t.add}
            </a>
            <SheetOut shop={props.shop} kind="products" />
            <SheetIn shop={props.shop} kind="products" again={again} />
          </p>
        )
      }
    </Records>
  )
}
