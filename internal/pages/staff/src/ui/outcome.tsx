// What a sheet would change, before it is written, or what was written of it.
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useFormats } from '../format'
import { useWords, type Pair } from '../words'
import { Problem } from './fields'

const words = {
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
} satisfies Record<string, Pair>

export interface Outcome {
  written: boolean
  counts: Record<string, { created: number; updated: number; unchanged: number; moved: number }>
  faults: { row: number; column: string | null; message: string }[]
  total: number
  stopped: { message: string } | null
  problem?: string // why not all is written
}

interface OutcomesProps {
  found: Outcome
  isSending: boolean
  onClose: () => void
  onWrite: () => void
}

export default function Outcomes({ found, isSending, onClose, onWrite }: OutcomesProps) {
  const t = useWords(words)
  const f = useFormats()
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal">
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
            <Button onPress={onClose}>{t.close}</Button>
            <Button className="primary" isDisabled={found.faults.length > 0} isPending={isSending} onPress={onWrite}>
              {t.write}
            </Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
