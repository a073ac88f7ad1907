// Small parts that several screens show.
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { SearchField } from 'react-aria-components/SearchField'
import { statusName, type Language } from '../words'

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

/** nameOf returns the name of a customer, or the cell number of one who has none. */
export const nameOf = (customer: { firstName?: string | null; lastName?: string | null; cellNumber: string }) =>
  [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.cellNumber

interface Address {
  province?: string | null
  city?: string | null
  address?: string | null
  postalCode?: string | null
}

/** addressOf returns the lines of an address as one. */
export const addressOf = ({ province, city, address, postalCode }: Address, language: Language) =>
  [province, city, address, postalCode].filter(Boolean).join(language === 'fa' ? '، ' : ', ')
