// A field for a number.
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { NumberField } from 'react-aria-components/NumberField'
import { Below, type Common } from './fields'

interface NumberProps extends Common {
  /** null: empty. */
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  decimals?: number
  /** Whether to group thousands. */
  isGrouped?: boolean
}

export function NumberIn({ value, onChange, min, max, decimals = 0, isGrouped = true, ...more }: NumberProps) {
  return (
    <NumberField
      value={value ?? NaN}
      onChange={(to) => onChange(Number.isNaN(to) ? null : to)}
      isInvalid={Boolean(more.error)}
      isDisabled={more.isDisabled ?? false}
      isRequired={more.isRequired ?? false}
      validationBehavior="aria"
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      formatOptions={{ maximumFractionDigits: decimals, useGrouping: isGrouped }}
      className="field"
    >
      <Label>{more.label}</Label>
      <Input dir="ltr" />
      <Below {...more} />
    </NumberField>
  )
}
