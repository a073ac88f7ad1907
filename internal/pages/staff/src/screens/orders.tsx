// Orders: the list with its filters, and one order with its history, its moves and its payment.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { disputed, ordersOf, refundDue } from '../ahead'
import { asset } from '../api'
import { useDraft } from '../draft'
import { useFormats } from '../format'
import {
  DeleteReceiptDocument,
  MarkPaymentDocument,
  MoveOrderDocument,
  OneOrderDocument,
  OrdersDocument,
  type OrdersQuery,
  type OrderStatus,
  type PaymentStatus,
} from '../graphql/graphql'
import { useOrderChanges } from '../live'
import { useDoing, useReading } from '../query'
import { back, go, to } from '../router'
import type { ScreenProps } from '../shop'
import { addressOf, Badge, nameOf, Search } from '../ui/bits'
import { Choice } from '../ui/choice'
import { namedIn, Problem, TextIn } from '../ui/fields'
import { useFeedback } from '../ui/feedback'
import { List } from '../ui/list'
import { useWalk } from '../ui/walk'
import { Payments } from '../ui/payments'
import { SheetOut } from '../ui/sheets'
import { Unread } from '../ui/unread'
import { either, statusName, useLanguage, useWords, type Pair } from '../words'

const words = {
  title: ['Orders', 'سفارش‌ها'],
  number: ['Number', 'شماره'],
  customer: ['Customer', 'مشتری'],
  placed: ['Placed', 'زمان ثبت'],
  status: ['Status', 'وضعیت'],
  payment: ['Payment', 'پرداخت'],
  total: ['Total', 'مبلغ کل'],
  included: ['included', 'در قیمت‌ها'],
  units: ['Units', 'تعداد'],
  all: ['All', 'همه'],
  refundDue: ['Refund due', 'بازپرداخت بدهکار'],
  find: ['Order number or cell number', 'شماره سفارش یا موبایل'],
  erased: ['erased', 'حذف‌شده'],
  back: ['All orders', 'همه سفارش‌ها'],
  note: ['Note for the customer', 'یادداشت برای مشتری'],
  reference: ['Reference of the payment', 'شماره پیگیری پرداخت'],
  history: ['History', 'سابقه'],
  address: ['Address', 'نشانی'],
  print: ['Print a packing list', 'چاپ برگه بسته‌بندی'],
  cancelTitle: ['Cancel the order?', 'سفارش لغو شود؟'],
  cancelText: [
    'Its units go back to the stock. This cannot be undone.',
    'کالاها به انبار برمی‌گردند. این کار برگشت ندارد.',
  ],
  cancel: ['Cancel the order', 'لغو سفارش'],
  done: ['Done.', 'انجام شد.'],
  lines: ['Lines', 'اقلام'],
  receipt: ['Receipt', 'رسید'],
  receiptOf: ['Receipt of the transfer', 'رسید انتقال وجه'],
  deleteReceipt: ['Delete the receipt', 'حذف رسید'],
  deleteTitle: ['Delete the receipt?', 'رسید حذف شود؟'],
  deleteText: [
    'The customer does not see it any more either. This cannot be undone.',
    'مشتری نیز دیگر آن را نمی‌بیند. این کار برگشت ندارد.',
  ],
  fromCustomer: ['The customer wrote', 'یادداشت مشتری'],
} satisfies Record<string, Pair>

type Row = OrdersQuery['shopOrdersConnection'] extends infer C
  ? C extends { nodes: (infer N)[] }
    ? N
    : never
  : never

const statuses: OrderStatus[] = ['pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled']
/** The statuses that an order may change to (contract 3.3). */
const next: Record<OrderStatus, OrderStatus[]> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['processing', 'cancelled'],
  processing: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
}
const marks: Record<PaymentStatus, PaymentStatus[]> = {
  pending: ['paid', 'failed'],
  failed: ['paid'],
  cancelled: ['paid'],
  paid: [], // it is refunded in parts: Payments
  refunded: [],
}

export default function Orders(props: ScreenProps) {
  const [order] = props.place.rest
  return order ? <OneOrder key={order} {...props} id={order} /> : <AllOrders {...props} />
}

function AllOrders({ shop, place }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const status = place.filters.get('status') ?? ''
  const find = place.filters.get('find') ?? ''
  const filter = (changed: Record<string, string>) =>
    go(to(shop.domain, 'orders', [], { status, find, ...changed }), true)
  const walk = useWalk(OrdersDocument, ordersOf(shop, place), (data) => {
    const part = data.shopOrdersConnection
    return part && { ...part, nodes: part.nodes.map((node) => ({ ...node, id: node.order.id })) }
  })
  useOrderChanges(shop, walk.again)
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      <div className="filters">
        <SheetOut shop={shop} kind="orders" />
        <Search label={t.find} value={find} onSubmit={(to) => filter({ find: to })} />
        <Choice
          label={t.status}
          value={status || 'all'}
          onChange={(to) => filter({ status: to === 'all' ? '' : to })}
          options={[
            { id: 'all', name: t.all },
            ...statuses.map((id) => ({ id, name: statusName(id) })),
            { id: refundDue, name: t.refundDue },
            { id: disputed, name: statusName(disputed) },
          ]}
        />
      </div>
      <List<Row & { id: string }>
        label={t.title}
        walk={walk}
        href={({ id }) => to(shop.domain, 'orders', [id])}
        columns={[
          { id: 'number', name: t.number, show: ({ order }) => <bdi>{order.orderNumber}</bdi> },
          { id: 'customer', name: t.customer, show: ({ customer }) => (customer ? nameOf(customer) : t.erased) },
          { id: 'placed', name: t.placed, wide: true, show: ({ order }) => f.moment(order.createdAt) },
          { id: 'status', name: t.status, width: 140, show: ({ order }) => <Badge value={order.status} /> },
          { id: 'payment', name: t.payment, wide: true, show: ({ order }) => <Paid {...order.payment} /> },
          { id: 'total', name: t.total, wide: true, show: ({ order }) => f.money(order.totalMoney) },
        ]}
      />
    </>
  )
}

type Payment = { status: PaymentStatus; receipts: { id: string }[] }

/** Paid shows the status of a payment, and whether a receipt waits for a check. */
function Paid({ status, receipts }: Payment) {
  const t = useWords(words)
  return (
    <>
      <Badge value={status} /> {receipts.length > 0 && marks[status].includes('paid') && <small>{t.receipt}</small>}
    </>
  )
}

interface ReceiptProps {
  url?: string | null
  width: number
  height: number
  uploadedAt: string
  isDeleting: boolean
  onDelete: () => void
}

/** Receipt shows an image of a transfer. When pressed, it fills the available space. */
function Receipt({ url, width, height, uploadedAt, isDeleting, onDelete }: ReceiptProps) {
  const t = useWords(words)
  const f = useFormats()
  const [shown] = useState(url) // the address is another one with each reading, the picture is not
  const [isLarge, setLarge] = useState(false)
  if (!shown) return null
  return (
    <div className="transfer">
      <Button className="receipt" aria-expanded={isLarge} onPress={() => setLarge(!isLarge)}>
        <img src={asset(shown)} alt={`${t.receiptOf}, ${f.moment(uploadedAt)}`} width={width} height={height} />
      </Button>
      <small>{f.moment(uploadedAt)}</small>{' '}
      <Button
        className="quiet"
        aria-label={`${t.deleteReceipt}, ${f.moment(uploadedAt)}`}
        isDisabled={isDeleting}
        onPress={onDelete}
      >
        {t.deleteReceipt}
      </Button>
    </div>
  )
}

function OneOrder({ shop, id }: ScreenProps & { id: string }) {
  const t = useWords(words)
  const f = useFormats()
  const language = useLanguage()
  const { tell, confirm } = useFeedback()
  const { data, failure, again } = useReading(OneOrderDocument, { shop: shop.id, order: id })
  useOrderChanges(shop, again)
  const move = useDoing(MoveOrderDocument)
  const mark = useDoing(MarkPaymentDocument)
  const remove = useDoing(DeleteReceiptDocument)
  const [note, setNote] = useDraft(`${shop.id}.orders.${id}.note`)
  const [reference, setReference] = useDraft(`${shop.id}.orders.${id}.reference`)
  const found = data?.shopOrder
  if (!found) return <Unread shop={shop} section="orders" failure={failure} />
  const { order, customer } = found

  const moveTo = async (status: OrderStatus) => {
    if (
      status === 'cancelled' &&
      !(await confirm({ title: t.cancelTitle, text: `${order.orderNumber}: ${t.cancelText}`, yes: t.cancel }))
    )
      return
    if (await move.run({ shop: shop.id, order: order.id, status, note: note || null })) {
      setNote(null)
      tell(t.done)
    }
    again()
  }
  const markAs = async (status: PaymentStatus) => {
    if (await mark.run({ shop: shop.id, order: order.id, input: { status, reference: reference || null } })) {
      setReference(null)
      tell(t.done)
    }
    again()
  }
  const deleteReceipt = async (receipt: string) => {
    if (!(await confirm({ title: t.deleteTitle, text: t.deleteText, yes: t.deleteReceipt }))) return
    if (await remove.run({ shop: shop.id, order: order.id, receipt })) tell(t.done)
    again()
  }
  const toMark = shop.permissions.includes('markPayments') ? marks[order.payment.status] : []
  return (
    <article className="order">
      <p className="unprinted">
        <a href={back(shop.domain, 'orders')}>{t.back}</a>
      </p>
      <h1>
        <bdi>{order.orderNumber}</bdi> <Badge value={order.status} />
      </h1>
      <p>
        {f.moment(order.createdAt)} · {!customer && t.erased}
        {customer &&
          (shop.permissions.includes('seeCustomers') ? (
            <a href={to(shop.domain, 'customers', [customer.cellNumber])}>{nameOf(customer)}</a>
          ) : (
            nameOf(customer)
          ))}{' '}
        {customer && (
          <a href={`tel:${customer.cellNumber}`} dir="ltr">
            {customer.cellNumber}
          </a>
        )}
      </p>
      <h2>{t.lines}</h2>
      <ul className="lines">
        {order.items.map((line) => (
          <li key={line.id}>
            {line.imageUrl && <img src={asset(line.imageUrl)} alt="" width="48" height="48" loading="lazy" />}
            <span>
              <bdi>{either(line.titleEn, line.titleFa)}</bdi>
              <small>
                {line.options
                  .map((option) => (language === 'fa' ? option.labelFa : option.label))
                  .join(language === 'fa' ? '، ' : ', ')}{' '}
                <bdi>{line.sku}</bdi>
              </small>
            </span>
            <span>
              {f.number(line.quantity)} × {f.money(line.unitPriceMoney)}
            </span>
          </li>
        ))}
      </ul>
      {order.charges.map((charge) => (
        <p key={charge.id}>
          <bdi>{either(charge.name, charge.nameFa)}</bdi>: {f.money(charge.amountMoney)}
          {charge.included && ` (${t.included})`}
        </p>
      ))}
      <p className="total">
        {t.total}: <strong>{f.money(order.totalMoney)}</strong>
      </p>
      {order.customerNotes && (
        <p>
          {t.fromCustomer}: <q>{order.customerNotes}</q>
        </p>
      )}
      <h2>{t.address}</h2>
      <address>
        <bdi>{addressOf(order.shippingAddress)}</bdi>
      </address>
      <section className="unprinted">
        <h2>{t.status}</h2>
        {next[order.status].length > 0 && <TextIn label={t.note} value={note} onChange={setNote} lines={2} />}
        <p className="buttons">
          {next[order.status].map((status) => (
            <Button
              key={status}
              className={status === 'cancelled' ? 'danger' : 'primary'}
              isPending={move.doing}
              onPress={() => void moveTo(status)}
            >
              {status === 'cancelled' ? t.cancel : statusName(status)}
            </Button>
          ))}
          <Button onPress={() => print()}>{t.print}</Button>
        </p>
        <Problem>{namedIn(move.failure, t)}</Problem>
        <h2>
          {t.payment} <Badge value={order.payment.status} />
        </h2>
        <Payments {...{ shop, again }} payment={order.payment} />
        {order.payment.receipts.map((receipt) => (
          <Receipt
            key={receipt.id}
            {...receipt}
            isDeleting={remove.doing}
            onDelete={() => void deleteReceipt(receipt.id)}
          />
        ))}
        <Problem>{remove.failure?.message}</Problem>
        {toMark.length > 0 && <TextIn label={t.reference} value={reference} onChange={setReference} dir="ltr" />}
        <p className="buttons">
          {toMark.map((status) => (
            <Button key={status} isPending={mark.doing} onPress={() => void markAs(status)}>
              {statusName(status)}
            </Button>
          ))}
        </p>
        <Problem>{namedIn(mark.failure, t)}</Problem>
        <h2>{t.history}</h2>
        <ol className="history">
          {order.history.map((event) => (
            <li key={event.at}>
              <Badge value={event.status} /> {f.moment(event.at)} {event.note && <q>{event.note}</q>}
            </li>
          ))}
        </ol>
      </section>
    </article>
  )
}
