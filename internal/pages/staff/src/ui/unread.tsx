// What stands in place of a record that could not be read.
import type { Failure } from '../api'
import { back, to } from '../router'
import type { Shop } from '../shop'
import { useWords, type Pair } from '../words'
import { Problem } from './fields'

const words = {
  back: ['Back to the list', 'بازگشت به فهرست'],
  missing: ['This is not here', 'این‌جا نیست'],
  missingText: ['It has been deleted, or the address is wrong.', 'شاید حذف شده باشد یا نشانی درست نباشد.'],
  unread: ['This could not be read', 'خواندن ممکن نشد'],
} satisfies Record<string, Pair>

interface BackProps {
  shop: Shop
  /** The path of the screen, and what its addresses have before the slug. */
  section: string
  before?: string[]
}

/** Back leads from a record to the list that it is in. */
export function Back({ shop, section, before = [] }: BackProps) {
  const t = useWords(words)
  return (
    <p>
      <a href={before.length > 0 ? to(shop.domain, section, before) : back(shop.domain, section)}>{t.back}</a>
    </p>
  )
}

interface UnreadProps extends BackProps {
  /** undefined: it is still being read. */
  failure: Pick<Failure, 'code' | 'message'> | undefined
}

/** Unread says that a record is not there, or why it could not be read. */
export function Unread({ failure, ...place }: UnreadProps) {
  const t = useWords(words)
  if (!failure) return null
  const isMissing = failure.code === 'NOT_FOUND'
  return (
    <>
      <Back {...place} />
      <h1>{isMissing ? t.missing : t.unread}</h1>
      <Problem>{isMissing ? t.missingText : failure.message}</Problem>
    </>
  )
}
