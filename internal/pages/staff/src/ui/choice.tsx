// A field that takes one of a few options.
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'
import { Below, type Common } from './fields'

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
