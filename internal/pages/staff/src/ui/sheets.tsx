// Sheets: what a list has as CSV, and CSV in, with a dry run shown as a table before anything is written.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { longestUpload, service } from '../api'
import {
  CustomerExportDocument,
  OfferExportDocument,
  OfferImportDocument,
  OrderExportDocument,
  PaymentExportDocument,
  ProductExportDocument,
  ProductImportDocument,
} from '../graphql/graphql'
import { useDoing } from '../query'
import type { Shop } from '../shop'
import { language, say, useWords, type Pair } from '../words'
import { Problem } from './fields'
import { useFeedback } from './feedback'
import { later } from './later'
import type { Outcome } from './outcome'

const words = {
  out: ['Download as CSV', 'دریافت CSV'],
  in: ['Upload a CSV', 'ارسال CSV'],
  done: ['The sheet is written.', 'برگه نوشته شد.'],
  cut: [
    'No answer came that can be read. What was written is not known; send the sheet again.',
    'پاسخی خوانا نرسید. معلوم نیست چه نوشته شده است؛ برگه را دوباره بفرستید.',
  ],
} satisfies Record<string, Pair>

const exports = {
  products: { document: ProductExportDocument, field: 'createProductExport' },
  offers: { document: OfferExportDocument, field: 'createOfferExport' },
  orders: { document: OrderExportDocument, field: 'createOrderExport' },
  payments: { document: PaymentExportDocument, field: 'createPaymentExport' },
  customers: { document: CustomerExportDocument, field: 'createCustomerExport' },
} as const

/** SheetOut downloads a list as CSV, through a link that is valid for some minutes. */
export function SheetOut({ shop, kind }: { shop: Shop; kind: keyof typeof exports }) {
  const t = useWords(words)
  const { document: made, field } = exports[kind]
  const make = useDoing<Record<string, { url: string }>, { shop: string }>(made)
  const get = async () => {
    const done = await make.run({ shop: shop.id })
    const url = done?.[field]?.url
    if (url) location.assign(new URL(url, service))
  }
  return (
    <>
      <Button isPending={make.doing} onPress={() => void get()}>
        {t.out}
      </Button>
      <Problem>{make.failure?.message}</Problem>
    </>
  )
}

/** send uploads a sheet to a link, and returns its result, or a message on why it was refused. */
async function send(url: string, file: File): Promise<Outcome | string> {
  let response: Response
  let answer: Outcome & { message?: string; details?: Outcome }
  try {
    response = await fetch(new URL(url, service), {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', 'Accept-Language': language() },
      body: file,
      signal: AbortSignal.timeout(longestUpload),
    })
    answer = await response.json()
  } catch {
    return say(words.cut)
  }
  if (response.ok) return answer
  const { details, message } = answer
  if (!details?.faults) return message ?? response.statusText
  return { ...details, problem: [message, details.stopped?.message].filter(Boolean).join(' ') }
}

// The dialog that shows what a sheet would change is loaded when it is first needed.
const Outcomes = later(
  () => import('./outcome'),
  () => null,
)

/** SheetIn uploads a CSV: first to be checked, then, after a confirmation, to be written. */
export function SheetIn({ shop, kind, again }: { shop: Shop; kind: 'products' | 'offers'; again: () => void }) {
  const t = useWords(words)
  const { tell } = useFeedback()
  const products = useDoing(ProductImportDocument)
  const offers = useDoing(OfferImportDocument)
  const [sheet, setSheet] = useState<{ file: File; url: string } | null>(null)
  const [found, setFound] = useState<Outcome | null>(null)
  const [refused, setRefused] = useState('')
  const [isSending, setSending] = useState(false)
  const check = async (file: File) => {
    setRefused('')
    const link =
      kind === 'products'
        ? (await products.run({ shop: shop.id }))?.createProductImport
        : (await offers.run({ shop: shop.id }))?.createOfferImport
    if (!link) return
    setSending(true)
    const outcome = await send(link.checkUrl, file)
    setSending(false)
    if (typeof outcome === 'string') return setRefused(outcome)
    setSheet({ file, url: link.url })
    setFound(outcome)
  }
  const write = async () => {
    if (!sheet || !found) return
    setSending(true)
    const outcome = await send(sheet.url, sheet.file)
    setSending(false)
    if (typeof outcome === 'string') return setFound({ ...found, problem: outcome }) // in the dialog
    if (outcome.problem) setFound(outcome)
    else {
      setFound(null)
      tell(t.done)
    }
    if (outcome.written || outcome.stopped) again()
  }
  return (
    <>
      <FileTrigger
        acceptedFileTypes={['text/csv', '.csv']}
        onSelect={(files) => {
          const file = files?.[0]
          if (file) void check(file)
        }}
      >
        <Button isPending={isSending}>{t.in}</Button>
      </FileTrigger>
      <Problem>{refused || products.failure?.message || offers.failure?.message}</Problem>
      {found && (
        <Outcomes found={found} isSending={isSending} onClose={() => setFound(null)} onWrite={() => void write()} />
      )}
    </>
  )
}
