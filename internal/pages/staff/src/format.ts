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
  day: (time: string) => string
  moment: (time: string) => string
}

/** useFormats returns the ways of writing in the language of the page. */
export function useFormats(): Formats {
  return formats(useLanguage())
}

export function formats(language: Language): Formats {
  const at = locale(language)
  const amount = (value: number | null | undefined, currency: string): string => {
    if (value === null || value === undefined) return '–'
    const written = new Intl.NumberFormat(at, { maximumFractionDigits: 4 }).format(value)
    return `${written} ${language === 'fa' ? (currencies[currency] ?? currency) : currency}`
  }
  return {
    number: (n) => new Intl.NumberFormat(at).format(n),
    money: ({ amount: value, currency, decimals }) => {
      const written = new Intl.NumberFormat(at, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      const shown = written.format(value as unknown as number) // exact: a text is not rounded
      return `${shown} ${language === 'fa' ? (currencies[currency] ?? currency) : currency}`
    },
    amount,
    day: (time) => new Intl.DateTimeFormat(at, { dateStyle: 'medium' }).format(new Date(time)),
    moment: (time) =>
      new Intl.DateTimeFormat(at, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time)),
  }
}
