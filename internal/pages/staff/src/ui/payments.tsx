// The payments of an order: each try at a gateway and each refund, as a history, and what gives money back.
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../format'
import { RecordRefundDocument, RefundPaymentDocument, type OneOrderQuery } from '../graphql/graphql'
import { useDoing } from '../query'
import type { Shop } from '../shop'
import { useWords, type Pair } from '../words'
import { Badge } from './bits'
import { Copy } from './copy'
import { useFeedback } from './feedback'
import { namedIn, Problem, TextIn } from './fields'
import { NumberIn, type Typed } from './number'

const words = {
  tries: ['Tries at gateways', 'تلاش‌ها در درگاه‌ها'],
  card: ['card', 'کارت'],
  payUrl: ['The customer pays here', 'نشانی پرداخت مشتری'],
  owed: ['Owed to the customer', 'بدهی به مشتری'],
  refund: ['Refund', 'بازپرداخت'],
  amount: ['Amount that goes back', 'مبلغ بازپرداخت'],
  reason: ['Reason, for yourselves', 'دلیل، برای خودتان'],
  reference: ['Reference of your transfer', 'شماره پیگیری واریز شما'],
  ask: ['By the gateway', 'با درگاه'],
  askTitle: ['Does the gateway give it back?', 'درگاه پول را برگرداند؟'],
  record: ['Refunded', 'بازپرداخت‌شده'],
  recordTitle: ['Is the payment refunded?', 'پول برگردانده شده است؟'],
  text: ['This cannot be undone.', 'این کار برگشت ندارد.'],
  yes: ['It is refunded', 'برگردانده شده'],
  done: ['Done.', 'انجام شد.'],
} satisfies Record<string, Pair>

const pause = 10_000 // milliseconds between two readings while a refund is on its way

type Payment = NonNullable<OneOrderQuery['shopOrder']>['order']['payment']
type Attempt = NonNullable<Payment['attempts']>[number]

interface Props {
  shop: Shop
  payment: Payment
  again: () => void
}

/** Payments shows where an order can be paid, each try to, and what went back of its payments. */
export function Payments({ shop, payment, again }: Props) {
  const t = useWords(words)
  const f = useFormats()
  const attempts = payment.attempts ?? []
  const isTry = attempts.some(({ id }) => id === payment.id)
  const isDue = Number(payment.refundDueAmountMoney.amount) > 0
  const hasMoney = (of: Attempt) => of.state === 'paid' || of.state === 'review'
  const isOnItsWay = attempts.some((one) => one.refunds?.some(({ status }) => status === 'asked' || status === 'sent'))
  useEffect(() => {
    if (!isOnItsWay) return
    const timer = setInterval(() => {
      if (!document.hidden) again()
    }, pause)
    return () => clearInterval(timer)
  }, [isOnItsWay, again])
  return (
    <>
      {payment.payUrl && (
        <p>
          {t.payUrl}: <bdi dir="ltr">{payment.payUrl}</bdi> <Copy text={payment.payUrl} />
        </p>
      )}
      {isDue && (
        <p>
          {t.owed}: <strong>{f.money(payment.refundDueAmountMoney)}</strong>
        </p>
      )}
      {!isTry && <Parts of={payment} />}
      {!isTry && payment.status === 'paid' && <Giving {...{ shop, isDue, again }} of={payment} canAsk={false} />}
      <ol className="history" aria-label={t.tries}>
        {attempts.map((one) => (
          <li key={one.id}>
            <Badge value={one.state} /> {one.isTest && <Badge value="test" />} <bdi>{one.gateway}</bdi>{' '}
            {f.money(one.amountMoney)} · {f.moment(one.createdAt)}
            {one.card && (
              <>
                {' '}
                · {t.card} <bdi dir="ltr">…{one.card}</bdi>
              </>
            )}{' '}
            <small>
              <bdi>{one.reference ?? one.theirs}</bdi>
            </small>
            <Problem>{one.problem}</Problem>
            <Parts of={one} />
            {hasMoney(one) && <Giving {...{ shop, isDue, again }} of={one} canAsk={one.canRefund} />}
          </li>
        ))}
      </ol>
    </>
  )
}

/** Parts shows what went back of a payment, and what is about to. */
function Parts({ of }: { of: Payment | Attempt }) {
  const f = useFormats()
  return of.refunds?.map(({ id, status, amountMoney, reason, reference, problem, createdAt }) => (
    <div key={id}>
      <Badge value={status} /> {f.money(amountMoney)} · {f.moment(createdAt)} {reason && <q>{reason}</q>}{' '}
      <small>
        <bdi>{reference}</bdi>
      </small>
      <Problem>{problem}</Problem>
    </div>
  ))
}

interface GivingProps {
  shop: Shop
  of: Payment | Attempt
  isDue: boolean
  canAsk: boolean
  again: () => void
}

/** Giving gives a part of a payment back, by its gateway or as staff did it themselves. */
function Giving({ shop, of, isDue, canAsk, again }: GivingProps) {
  const { amount, currency, decimals } = of.amountMoney
  const left = (Number(amount) - Number(of.refundedAmountMoney.amount)).toFixed(decimals)
  return Number(left) > 0 && shop.permissions.includes('markPayments') ? (
    <Part key={left} {...{ shop, id: of.id, isDue, canAsk, again }} left={{ amount: left, currency, decimals }} />
  ) : null
}

interface PartProps extends Omit<GivingProps, 'of'> {
  id: string
  left: { amount: string; currency: string; decimals: number }
}

function Part({ shop, id, isDue, canAsk, left, again }: PartProps) {
  const t = useWords(words)
  const f = useFormats()
  const { confirm, tell } = useFeedback()
  const [amount, setAmount] = useState<Typed>(Number(left.amount))
  const [reason, setReason] = useState('')
  const [reference, setReference] = useState('')
  const ask = useDoing(RefundPaymentDocument)
  const record = useDoing(RecordRefundDocument)
  const give = async (byGateway: boolean) => {
    if (typeof amount !== 'number') return
    const title = byGateway ? t.askTitle : t.recordTitle
    const text = `${f.money({ ...left, amount: String(amount) })}: ${t.text}`
    if (!(await confirm({ title, text, yes: byGateway ? t.ask : t.yes }))) return
    const to = { shop: shop.id, payment: id }
    const input = { amount, reason: reason || null }
    const done = await (byGateway
      ? ask.run({ ...to, input })
      : record.run({ ...to, input: { ...input, reference: reference || null } }))
    if (done) tell(t.done)
    again()
  }
  return (
    <details open={isDue}>
      <summary>{t.refund}</summary>
      <NumberIn label={t.amount} value={amount} onChange={setAmount} decimals={left.decimals} />
      <TextIn label={t.reason} value={reason} onChange={setReason} />
      <TextIn label={t.reference} value={reference} onChange={setReference} dir="ltr" />
      <p className="buttons">
        {canAsk && (
          <Button className="danger" isPending={ask.doing} onPress={() => void give(true)}>
            {t.ask}
          </Button>
        )}
        <Button isPending={record.doing} onPress={() => void give(false)}>
          {t.record}
        </Button>
      </p>
      <Problem>{namedIn(ask.failure ?? record.failure, t)}</Problem>
    </details>
  )
}
