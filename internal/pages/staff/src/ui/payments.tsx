// The payments of an order: each try at a gateway, as a history.
import { useFormats } from '../format'
import type { OneOrderQuery } from '../graphql/graphql'
import { useWords, type Pair } from '../words'
import { Badge } from './bits'
import { Copy } from './copy'
import { Problem } from './fields'

const words = {
  tries: ['Tries at gateways', 'تلاش‌ها در درگاه‌ها'],
  card: ['card', 'کارت'],
  payUrl: ['The customer pays here', 'نشانی پرداخت مشتری'],
} satisfies Record<string, Pair>

type Payment = NonNullable<OneOrderQuery['shopOrder']>['order']['payment']

/** Payments shows where an order can be paid, and each try to. */
export function Payments({ payment }: { payment: Payment }) {
  const t = useWords(words)
  const f = useFormats()
  const attempts = payment.attempts ?? []
  return (
    <>
      {payment.payUrl && (
        <p>
          {t.payUrl}: <bdi dir="ltr">{payment.payUrl}</bdi> <Copy text={payment.payUrl} />
        </p>
      )}
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
          </li>
        ))}
      </ol>
    </>
  )
}
