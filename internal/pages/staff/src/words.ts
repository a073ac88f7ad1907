// The two languages of the page. Words stand where they are used, as pairs of English and Persian.
import { useSyncExternalStore } from 'react'
import type { PublicationStatus } from './graphql/graphql'
import { kept } from './kept'

export type Language = 'en' | 'fa'
export type Pair = readonly [en: string, fa: string]

const chosen = kept<Language>('language')
const usual: Language = navigator.language.startsWith('fa') ? 'fa' : 'en'

export const language = (): Language => chosen.get() ?? usual
export const setLanguage = (to: Language) => chosen.set(to)
export const useLanguage = (): Language => useSyncExternalStore(chosen.subscribe, language)

/** say returns the words of a pair in the language of the page. */
export const say = (pair: Pair): string => pair[language() === 'fa' ? 1 : 0]

type Text = string | null | undefined

/** either returns the text in a language, by default that of the page, or the only text there is. */
export const either = (en: Text, fa: Text, of: Language = language()): string =>
  (of === 'fa' ? fa || en : en || fa) || ''

/** useWords returns the words of a table in the language of the page, and renders again when that changes. */
export function useWords<K extends string>(table: Record<K, Pair>): Record<K, string> {
  useLanguage()
  return Object.fromEntries(Object.entries<Pair>(table).map(([name, pair]) => [name, say(pair)])) as Record<K, string>
}

export const statuses: PublicationStatus[] = ['draft', 'published', 'archived']

/** The names of enum values that several screens show. */
export const statusWords: Record<string, Pair> = {
  draft: ['Draft', 'پیش‌نویس'],
  published: ['Published', 'منتشرشده'],
  archived: ['Archived', 'بایگانی'],
  pending: ['Pending', 'در انتظار'],
  rejected: ['Rejected', 'ردشده'],
  approved: ['Approved', 'تأییدشده'],
  confirmed: ['Confirmed', 'تأییدشده'],
  processing: ['In preparation', 'در حال آماده‌سازی'],
  shipped: ['Sent', 'ارسال‌شده'],
  delivered: ['Delivered', 'تحویل‌شده'],
  cancelled: ['Cancelled', 'لغوشده'],
  unpaid: ['Not paid', 'پرداخت‌نشده'],
  paid: ['Paid', 'پرداخت‌شده'],
  refunded: ['Refunded', 'بازپرداخت‌شده'],
  failed: ['Failed', 'ناموفق'],
  begun: ['Begun', 'آغازشده'],
  sent: ['At the gateway', 'نزد درگاه'],
  returned: ['Back, not paid yet', 'بازگشته، هنوز بی‌پرداخت'],
  verifying: ['Being confirmed', 'در حال تأیید'],
  expired: ['Expired', 'منقضی‌شده'],
  superseded: ['Begun elsewhere since', 'جای خود را به تلاشی دیگر داد'],
  given_back: ['Given back by the gateway', 'بازگردانده درگاه'],
  review: ['Owed to the customer', 'بدهی به مشتری'],
  asked: ['Asked for', 'درخواست‌شده'],
  done: ['Given back', 'برگشت‌داده‌شده'],
  unknown: ['The gateway does not say', 'درگاه پاسخ روشنی نداده'],
  disputed: ['Contested at the bank', 'مورد اعتراض در بانک'],
  test: ['Test money', 'پول آزمایشی'],
}

/** statusName returns the name of an enum value, or the value itself if it has none. */
export const statusName = (value: string): string => {
  const pair = statusWords[value]
  return pair ? say(pair) : value
}
