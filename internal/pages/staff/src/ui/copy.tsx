// A button that copies a text.
import { Button } from 'react-aria-components/Button'
import { useWords, type Pair } from '../words'
import { useFeedback } from './feedback'

const words = {
  copy: ['Copy', 'رونوشت'],
  copied: ['Copied.', 'رونوشت برداشته شد.'],
  refused: [
    'The browser does not let the page copy. Select the text and copy it.',
    'مرورگر اجازه رونوشت نمی‌دهد. متن را برگزینید و رونوشت بردارید.',
  ],
} satisfies Record<string, Pair>

/** Copy copies a text. On pages over plain HTTP, which may not, it is left out. */
export function Copy({ text }: { text: string }) {
  const t = useWords(words)
  const { tell } = useFeedback()
  if (!isSecureContext) return null
  return (
    <Button
      onPress={() =>
        void navigator.clipboard.writeText(text).then(
          () => tell(t.copied),
          () => tell(t.refused),
        )
      }
    >
      {t.copy}
    </Button>
  )
}
