// Numbers, money and times as people of the page's language write them. Persian dates are of the Jalali calendar.
import type { Calendar } from './graphql/graphql'
import { useLanguage, type Language } from './words'

const locales: Record<Language, string> = { en: 'en-GB', fa: 'fa-IR' }

/** calendarOf returns the calendar of all dates on a page in a language. */
export const calendarOf = (language: Language): Calendar => (language === 'fa' ? 'jalali' : 'gregorian')

export const locale = (language: Language): string => locales[language]

export interface Money {
  amount: string
  currency: string
  decimals: number
}

const currencies: Record<string, string> = { IRR: 'ریال', IRT: 'تومان' }

/**
 * mailTo returns the link to an e-mail address, or null for any other text: that could add recipients or a body to the
 * message.
 */
export const mailTo = (address: string): string | null =>
  /^[^\s?&#%,;:<>"()[\]\\@]+@[^\s?&#%,;:<>"()[\]\\@]+$/.test(address) ? `mailto:${address}` : null

export interface Formats {
  number: (n: number) => string
  /** With all decimals that a number may have. */
  exact: (n: number) => string
  /** The same without signs between thousands, as of a year. */
  plain: (n: number) => string
  money: (money: Money) => string
  amount: (amount: number | null | undefined, currency: string) => string
  currency: (code: string) => string
  day: (time: string) => string
  moment: (time: string) => string
}

/** useFormats returns the formats in the language of the page. */
export function useFormats(): Formats {
  return formats(useLanguage())
}

// Making a format is much slower than using it, and a list has hundreds of times.
const made = new Map<Language, Formats>()

export function formats(language: Language): Formats {
  const known = made.get(language) ?? make(language)
  made.set(language, known)
  return known
}

/** once returns what make returns, which is called when it is first asked for: the first one takes a phone 20 ms. */
const once = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

function make(language: Language): Formats {
  const at = locale(language)
  const number = once(() => new Intl.NumberFormat(at))
  const decimal = once(() => new Intl.NumberFormat(at, { maximumFractionDigits: 6 }))
  const plain = once(() => new Intl.NumberFormat(at, { maximumFractionDigits: 6, useGrouping: false }))
  const day = once(() => new Intl.DateTimeFormat(at, { dateStyle: 'medium' }))
  const moment = once(() => new Intl.DateTimeFormat(at, { dateStyle: 'medium', timeStyle: 'short' }))
  const exact = new Map<number, Intl.NumberFormat>()
  const named = (currency: string) => (language === 'fa' ? (currencies[currency] ?? currency) : currency)
  return {
    number: (n) => number().format(n),
    exact: (n) => decimal().format(n),
    plain: (n) => plain().format(n),
    money: ({ amount: value, currency, decimals }) => {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
      const written = exact.get(decimals) ?? new Intl.NumberFormat(at, digits)
      exact.set(decimals, written)
      return `${written.format(value as `${number}`)} ${named(currency)}` // exact: a text is not rounded
    },
    amount: (value, currency) =>
      value === null || value === undefined ? '–' : `${decimal().format(value)} ${named(currency)}`,
    currency: named,
    day: (time) => day().format(new Date(time)),
    moment: (time) => moment().format(new Date(time)),
  }
}
