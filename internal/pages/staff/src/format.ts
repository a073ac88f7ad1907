// Numbers, money and times as people of the page's language write them. Persian dates are of the Jalali calendar.
import { useLanguage, type Language } from './words'

const locales: Record<Language, string> = { en: 'en-GB', fa: 'fa-IR' }

export const locale = (language: Language): string => locales[language]

export interface Money {
  amount: string
  currency: string
  decimals: number
}

const currencies: Record<string, string> = { IRR: 'ریال', IRT: 'تومان' }

export interface Formats {
  number: (n: number) => string
  money: (money: Money) => string
  amount: (amount: number | null | undefined, currency: string) => string
  currency: (code: string) => string
  day: (time: string) => string
  moment: (time: string) => string
}

/** useFormats returns the ways of writing in the language of the page. */
export function useFormats(): Formats {
  return formats(useLanguage())
}

// Making a way of writing takes long beside using it: a list has hundreds of moments.
const made = new Map<Language, Formats>()

export function formats(language: Language): Formats {
  const known = made.get(language) ?? make(language)
  made.set(language, known)
  return known
}

function make(language: Language): Formats {
  const at = locale(language)
  const number = new Intl.NumberFormat(at)
  const decimal = new Intl.NumberFormat(at, { maximumFractionDigits: 4 })
  const day = new Intl.DateTimeFormat(at, { dateStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(at, { dateStyle: 'medium', timeStyle: 'short' })
  const named = (currency: string) => (language === 'fa' ? (currencies[currency] ?? currency) : currency)
  return {
    number: (n) => number.format(n),
    money: ({ amount: value, currency, decimals }) => {
      const written = new Intl.NumberFormat(at, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      return `${written.format(value as unknown as number)} ${named(currency)}` // exact: a text is not rounded
    },
    amount: (value, currency) =>
      value === null || value === undefined ? '–' : `${decimal.format(value)} ${named(currency)}`,
    currency: named,
    day: (time) => day.format(new Date(time)),
    moment: (time) => moment.format(new Date(time)),
  }
}
