// Fields of forms, from React Aria: each with its label, its description and what is wrong with it.
import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Switch } from 'react-aria-components/Switch'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField } from 'react-aria-components/TextField'
import type { Failure } from '../api'

/** What every field takes. */
export interface Common {
  label: string
  description?: string
  /** What is wrong with the value, as the service says it. */
  error?: string | undefined
  isDisabled?: boolean
  isRequired?: boolean
}

/** Below shows the description of a field, and what is wrong with its value. */
export const Below = ({ description, error }: Common) => (
  <>
    {description && <Text slot="description">{description}</Text>}
    <FieldError>{error}</FieldError>
  </>
)

interface TextProps extends Common {
  value: string
  onChange: (value: string) => void
  lines?: number
  type?: 'text' | 'tel' | 'email' | 'url' | 'password' | 'search'
  /** ltr for what is not in the page's language: slugs, addresses, numbers. */
  dir?: 'ltr' | 'rtl' | 'auto'
  /** The language of the text, where it is known. */
  lang?: string | undefined
  autoComplete?: string
  inputMode?: 'numeric' | 'tel' | 'decimal'
  name?: string
  autoFocus?: boolean
}

export function TextIn({ value, onChange, lines = 1, dir = 'auto', lang, inputMode, ...more }: TextProps) {
  return (
    <TextField
      value={value}
      onChange={onChange}
      isInvalid={Boolean(more.error)}
      isDisabled={more.isDisabled ?? false}
      isRequired={more.isRequired ?? false}
      type={more.type ?? 'text'}
      validationBehavior="aria"
      {...(more.name ? { name: more.name } : {})}
      autoFocus={more.autoFocus ?? false}
      {...(more.autoComplete ? { autoComplete: more.autoComplete } : {})}
      {...(inputMode ? { inputMode } : {})}
      className="field"
    >
      <Label>{more.label}</Label>
      {lines > 1 ? <TextArea rows={lines} dir={dir} lang={lang} /> : <Input dir={dir} lang={lang} />}
      <Below {...more} />
    </TextField>
  )
}

interface ToggleProps extends Common {
  value: boolean
  onChange: (value: boolean) => void
}

export const Toggle = ({ value, onChange, label, isDisabled }: ToggleProps) => (
  <Switch isSelected={value} onChange={onChange} isDisabled={isDisabled ?? false} className="toggle">
    <span className="track" aria-hidden="true" />
    {label}
  </Switch>
)

/** Problem shows why something could not be read or done. */
export function Problem({ children }: { children: ReactNode }) {
  return children ? (
    <p role="alert" className="problem">
      {children}
    </p>
  ) : null
}

type Names = Partial<Record<string, string>>

/** Members that a message names, such as titleEn, by their names for people. */
const named = (message: string, names: Names) =>
  message.replace(/\b[a-z]+[A-Z]\w*/g, (member) => (names[member] ? `«${names[member]}»` : member))

/** namedIn returns what has failed, if anything, with the members that are wrong by their names for people. */
export function namedIn(failure: Failure | undefined, names: Names): string | undefined {
  if (!failure || failure.fields.length === 0) return failure?.message
  const nameOf = (field: string) => {
    const [first = '', second = ''] = field.replace(/^input\./, '').split('.')
    return names[first + second.charAt(0).toUpperCase() + second.slice(1)] ?? names[first] ?? first
  }
  return failure.fields.map(({ field, message }) => `${nameOf(field)}: ${named(message, names)}`).join(' · ')
}

/** faultOf returns what is wrong with a member of an input, or with what is below it. */
export const faultOf = (failure: Failure | undefined, name: string, names: Names = {}): string | undefined => {
  const found = failure?.fields.find(({ field }) => {
    const member = field.replace(/^input\./, '')
    return member === name || member.startsWith(`${name}.`)
  })
  return found && named(found.message, names)
}
