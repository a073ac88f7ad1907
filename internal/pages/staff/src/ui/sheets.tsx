// Sheets: what a list has as CSV, and CSV in, with a dry run shown as a table before anything is written.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { service } from '../api'
import { useFormats } from '../format'
import {
  CustomerExportDocument,
  OfferExportDocument,
  OfferImportDocument,
  OrderExportDocument,
  ProductExportDocument,
  ProductImportDocument,
} from '../graphql/graphql'
import { useDoing } from '../query'
import type { Shop } from '../screens'
import { language, useWords, type Pair } from '../words'
import { Problem } from './fields'
import { useFeedback } from './feedback'

const words = {
  out: ['Download as CSV', 'دریافت CSV'],
  in: ['Upload a CSV', 'ارسال CSV'],
  title: ['What the sheet would change', 'آنچه این برگه تغییر می‌دهد'],
  part: ['What is written of the sheet', 'آنچه از این برگه نوشته شده است'],
  row: ['Row', 'سطر'],
  column: ['Column', 'ستون'],
  fault: ['Fault', 'ایراد'],
  whole: ['the whole row', 'کل سطر'],
  created: ['new', 'تازه'],
  updated: ['changed', 'تغییرکرده'],
  unchanged: ['as before', 'بی‌تغییر'],
  moved: ['moved to another product', 'منتقل‌شده به محصولی دیگر'],
  products: ['Products', 'محصولات'],
  variants: ['Variants', 'تنوع‌ها'],
  more: ['and more faults', 'و ایرادهای دیگر'],
  write: ['Write it', 'نوشتن'],
  close: ['Close', 'بستن'],
  done: ['The sheet is written.', 'برگه نوشته شد.'],
} satisfies Record<string, Pair>

const exports = {
  products: { document: ProductExportDocument, field: 'createProductExport' },
  offers: { document: OfferExportDocument, field: 'createOfferExport' },
  orders: { document: OrderExportDocument, field: 'createOrderExport' },
  customers: { document: CustomerExportDocument, field: 'createCustomerExport' },
} as const

/** SheetOut gets a list as CSV, through a link that is good for some minutes. */
export function SheetOut({ shop, kind }: { shop: Shop; kind: keyof typeof exports }) {
  const t = useWords(words)
  const { document: made, field } = exports[kind]
  const make = useDoing<Record<string, { url: string }>, { shop: string }>(made as never)
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

interface Outcome {
  written: boolean
  counts: Record<string, { created: number; updated: number; unchanged: number; moved: number }>
  faults: { row: number; column: string | null; message: string }[]
  total: number
  stopped: { message: string } | null
  problem?: string // why not all is written
}

/** send puts a sheet to a link, and returns what came of it, or words on why it was refused. */
async function send(url: string, file: File): Promise<Outcome | string> {
  const response = await fetch(new URL(url, service), {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv', 'Accept-Language': language() },
    body: file,
  })
  const answer = (await response.json()) as Outcome & { message?: string; details?: Outcome }
  if (response.ok) return answer
  const { details, message } = answer
  if (!details?.faults) return message ?? response.statusText
  return { ...details, problem: [message, details.stopped?.message].filter(Boolean).join(' ') }
}

/** SheetIn sends a CSV: first to be checked, then, if whoever is asked agrees, to be written. */
export function SheetIn({ shop, kind, again }: { shop: Shop; kind: 'products' | 'offers'; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
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
    try {
      const outcome = await send(link.checkUrl, file)
      if (typeof outcome === 'string') return setRefused(outcome)
      setSheet({ file, url: link.url })
      setFound(outcome)
    } catch (cause) {
      setRefused(String(cause))
    } finally {
      setSending(false)
    }
  }
  const write = async () => {
    if (!sheet) return
    setSending(true)
    try {
      const outcome = await send(sheet.url, sheet.file)
      if (typeof outcome === 'string') return setRefused(outcome)
      if (outcome.problem) setFound(outcome)
      else {
        setFound(null)
        tell(t.done)
      }
      if (outcome.written || outcome.stopped) again()
    } catch (cause) {
      setRefused(String(cause))
    } finally {
      setSending(false)
    }
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
      <ModalOverlay className="overlay" isOpen={found !== null} onOpenChange={(open) => !open && setFound(null)}>
        <Modal className="modal">
          {found && (
            <Dialog>
              <Heading slot="title">{found.written || found.stopped ? t.part : t.title}</Heading>
              <Problem>{found.problem}</Problem>
              {(['products', 'variants'] as const).map((name) => {
                const counts = found.counts[name]
                return (
                  counts && (
                    <p key={name}>
                      {t[name]}: {f.number(counts.created)} {t.created}, {f.number(counts.updated)} {t.updated}
                      {counts.moved > 0 && ` (${f.number(counts.moved)} ${t.moved})`}
                      {!found.stopped && `, ${f.number(counts.unchanged)} ${t.unchanged}`}
                    </p>
                  )
                )
              })}
              {found.faults.length > 0 && (
                <table className="faults">
                  <thead>
                    <tr>
                      <th scope="col">{t.row}</th>
                      <th scope="col">{t.column}</th>
                      <th scope="col">{t.fault}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.faults.map(({ row, column, message }, i) => (
                      <tr key={i}>
                        <td>{f.number(row)}</td>
                        <td>{column ?? t.whole}</td>
                        <td>{message}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
              {found.total > found.faults.length && (
                <p>
                  {t.more}: {f.number(found.total - found.faults.length)}
                </p>
              )}
              <footer>
                <Button onPress={() => setFound(null)}>{t.close}</Button>
                <Button
                  className="primary"
                  isDisabled={found.faults.length > 0}
                  isPending={isSending}
                  onPress={() => void write()}
                >
                  {t.write}
                </Button>
              </footer>
            </Dialog>
          )}
        </Modal>
      </ModalOverlay>
    </>
  )
}
