// Fields of forms, from React Aria: each with its label, its description and what is wrong with it.
import { parseAbsolute, toZoned, type ZonedDateTime } from '@internationalized/date'
import type { ReactNode } from 'react'
import {
  Button,
  DateInput,
  DatePicker,
  DateSegment,
  Calendar,
  CalendarCell,
  CalendarGrid,
  Dialog,
  FieldError,
  Group,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  NumberField,
  Popover,
  Select,
  SelectValue,
  Switch,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components'
import { say } from '../words'

interface Common {
  label: string
  description?: string
  /** What is wrong with the value, as the service says it. */
  error?: string | undefined
  isDisabled?: boolean
  isRequired?: boolean
}

const Below = ({ description, error }: Common) => (
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
  dir?: 'ltr' | 'auto'
  autoComplete?: string
  inputMode?: 'numeric' | 'tel' | 'decimal'
  name?: string
}

export function TextIn({ value, onChange, lines = 1, dir = 'auto', inputMode, ...more }: TextProps) {
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
      {...(more.autoComplete ? { autoComplete: more.autoComplete } : {})}
      {...(inputMode ? { inputMode } : {})}
      className="field"
    >
      <Label>{more.label}</Label>
      {lines > 1 ? <TextArea rows={lines} dir={dir} /> : <Input dir={dir} />}
      <Below {...more} />
    </TextField>
  )
}

interface NumberProps extends Common {
  /** null: empty. */
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  decimals?: number
}

export function NumberIn({ value, onChange, min, max, decimals = 0, ...more }: NumberProps) {
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
      formatOptions={{ maximumFractionDigits: decimals }}
      className="field"
    >
      <Label>{more.label}</Label>
      <Input dir="ltr" />
      <Below {...more} />
    </NumberField>
  )
}

export interface Option {
  id: string
  name: string
}

interface ChoiceProps extends Common {
  value: string | null
  onChange: (value: string) => void
  options: Option[]
}

export function Choice({ value, onChange, options, ...more }: ChoiceProps) {
  return (
    <Select
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isInvalid={Boolean(more.error)}
      isDisabled={more.isDisabled ?? false}
      isRequired={more.isRequired ?? false}
      placeholder="–"
      className="field"
    >
      <Label>{more.label}</Label>
      <Button className="choice">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Below {...more} />
      <Popover className="popover">
        <ListBox items={options} className="options">
          {(option) => <ListBoxItem id={option.id}>{option.name}</ListBoxItem>}
        </ListBox>
      </Popover>
    </Select>
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

interface MomentProps extends Common {
  /** RFC 3339; null: none. */
  value: string | null
  onChange: (value: string | null) => void
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** MomentIn takes a time of the browser's zone, in the calendar of the page's language: Jalali in Persian. */
export function MomentIn({ value, onChange, ...more }: MomentProps) {
  return (
    <DatePicker<ZonedDateTime>
      value={value === null ? null : parseAbsolute(value, zone)}
      onChange={(to) => onChange(to === null ? null : toZoned(to, 'UTC').toAbsoluteString())}
      isInvalid={Boolean(more.error)}
      isDisabled={more.isDisabled ?? false}
      isRequired={more.isRequired ?? false}
      granularity="minute"
      hideTimeZone
      className="field"
    >
      <Label>{more.label}</Label>
      <Group className="moment">
        <DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput>
        <Button aria-label={say(['Calendar', 'تقویم'])}>▦</Button>
      </Group>
      <Below {...more} />
      <Popover className="popover">
        <Dialog>
          <Calendar>
            <header>
              <Button slot="previous">‹</Button>
              <Heading />
              <Button slot="next">›</Button>
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  )
}

/** Problem shows why something could not be read or done. */
export function Problem({ children }: { children: ReactNode }) {
  return children ? (
    <p role="alert" className="problem">
      {children}
    </p>
  ) : null
}
