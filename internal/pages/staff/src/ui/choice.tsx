// A field that takes one of a few options: the browser's own, which phones show in their own way.
import { useId } from 'react'
import type { Common } from './fields'

export interface Option {
  id: string
  name: string
}

interface ChoiceProps extends Common {
  value: string | null
  onChange: (value: string) => void
  options: Option[]
}

export function Choice({ value, onChange, options, label, description, error, isDisabled, isRequired }: ChoiceProps) {
  const id = useId()
  const isKnown = options.some((option) => option.id === value)
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={isKnown ? value! : ''}
        disabled={isDisabled}
        required={isRequired}
        aria-invalid={error ? true : undefined}
        aria-describedby={description || error ? `${id}-below` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {!isKnown && (
          <option value="" disabled>
            –
          </option>
        )}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
      {(description || error) && (
        <span id={`${id}-below`}>
          {description && <span slot="description">{description}</span>}
          {error && <span className="react-aria-FieldError">{error}</span>}
        </span>
      )}
    </div>
  )
}
