// Small parts that several screens show.
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { SearchField } from 'react-aria-components/SearchField'
import { statusName } from '../words'

/** Badge shows an enum value, coloured by what it means. */
export const Badge = ({ value }: { value: string }) => <span className={`badge ${value}`}>{statusName(value)}</span>

/** Search takes words, and gives them on when Enter is pressed. */
export function Search(props: { label: string; value: string; onSubmit: (value: string) => void }) {
  return (
    <SearchField
      key={props.value}
      defaultValue={props.value}
      onSubmit={props.onSubmit}
      onClear={() => props.onSubmit('')}
      className="field"
    >
      <Label>{props.label}</Label>
      <Input />
    </SearchField>
  )
}
