// The button that makes a preview of a record, with its dialog, which is loaded when it is opened.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useWords, type Pair } from '../words'
import { later } from './later'
import type { Previewed } from './previewdialog'

const words = { preview: ['Preview', 'پیش‌نمایش'] } satisfies Record<string, Pair>

const Dialog = later(() => import('./previewdialog'))

export function PreviewButton({ of, slug }: { of: Previewed; slug: string }) {
  const t = useWords(words)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t.preview}</Button>
      {isOpen && <Dialog of={of} slug={slug} onClose={() => setOpen(false)} />}
    </>
  )
}
