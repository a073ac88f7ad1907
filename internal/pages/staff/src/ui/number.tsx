// Fields for numbers, and how the numbers that people type are read, in forms and in the grid of stock.
import { useState } from 'react'
import { useFormats } from '../format'
import { say, type Pair } from '../words'
import { TextIn, type Common } from './fields'

export const notNumber: Pair = ['must be a number', 'باید عدد باشد']

/**
 * The number in a text that people typed, in digits of any script they use; null: empty; NaN: none. Commas stand
 * between thousands: 12,50 and 12/50 are none, as 12.5 may be meant.
 */
export function numberIn(text: string): number | null {
  const plain = text
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/٫/g, '.')
    .replace(/−/g, '-')
    .replace(/[\s_\u200e\u200f\u061c]/g, '')
  if (plain === '') return null
  return /^-?(\d+|\d{1,3}([,٬]\d{3})+)(\.\d+)?$/.test(plain) ? Number(plain.replace(/[,٬]/g, '')) : NaN
}

/** What a field for a number holds: a number, nothing, or the text that was typed and is no number. */
export type Typed = number | string | null

interface Value {
  label: string
  value: Typed
  /** A text, which the form does not save, is kept like a number. */
  onChange: (value: Typed) => void
  /** Without, the number is a whole one. */
  decimals?: number
  /** Whether thousands are set apart. */
  isGrouped?: boolean
}

/** useTyped keeps the text of a field as it is typed, until the field is left or another number comes from outside. */
function useTyped({ value, onChange, decimals = 0, isGrouped = true }: Value) {
  const f = useFormats()
  const [typed, setTyped] = useState('')
  const read = (text: string): Typed => {
    const n = numberIn(text)
    return Number.isNaN(n) || (n !== null && decimals === 0 && !Number.isInteger(n)) ? text : n
  }
  const written = value === null ? '' : typeof value === 'string' ? value : isGrouped ? f.exact(value) : f.plain(value)
  return {
    text: read(typed) === value ? typed : written,
    isWrong: typeof value === 'string',
    type(text: string) {
      setTyped(text)
      onChange(read(text))
    },
    leave: () => setTyped(''),
  }
}

export function NumberIn({ error, ...props }: Common & Value) {
  const { text, isWrong, type, leave } = useTyped(props)
  return (
    <div className="number" data-wrong={isWrong || undefined} onBlur={leave}>
      <TextIn
        {...props}
        value={text}
        onChange={type}
        error={isWrong ? say(notNumber) : error}
        dir="ltr"
        inputMode="decimal"
      />
    </div>
  )
}

/** Digits is NumberIn in a cell of a table. */
export function Digits(props: Value) {
  const { text, isWrong, type, leave } = useTyped(props)
  return (
    <span className="number" data-wrong={isWrong || undefined}>
      <input
        aria-label={props.label}
        aria-invalid={isWrong || undefined}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        dir="ltr"
        inputMode="decimal"
      />
    </span>
  )
}
