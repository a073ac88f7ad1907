// Small parts that several screens show.
import { useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { SearchField } from 'react-aria-components/SearchField'
import { mailTo } from '../format'
import { statusName } from '../words'

/** Badge shows an enum value, coloured by what it means. */
export const Badge = ({ value }: { value: string }) => <span className={`badge ${value}`}>{statusName(value)}</span>

/** Mail shows what a person gave as an e-mail address, as a link if it is one. */
export function Mail({ address }: { address: string }) {
  const link = mailTo(address)
  return link ? (
    <a href={link} dir="ltr">
      {address}
    </a>
  ) : (
    <bdi>{address}</bdi>
  )
}

/** Search takes words, and passes them on when Enter is pressed. */
export function Search(props: { label: string; value: string; onSubmit: (value: string) => void }) {
  const [typed, setTyped] = useState({ of: props.value, text: props.value })
  return (
    <SearchField
      value={typed.of === props.value ? typed.text : props.value}
      onChange={(text) => setTyped({ of: props.value, text })}
      onSubmit={props.onSubmit}
      onClear={() => props.onSubmit('')}
      className="field"
    >
      <Label>{props.label}</Label>
      <Input />
    </SearchField>
  )
}

/** nameOf returns the name of a customer, or the cell number if there is no name. */
export const nameOf = (customer: { firstName?: string | null; lastName?: string | null; cellNumber: string }) =>
  [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.cellNumber

interface Address {
  province?: string | null
  city?: string | null
  address?: string | null
  postalCode?: string | null
}

/**
 * addressOf returns an address as one line, with the commas and digits of its script.
 */
export function addressOf({ province, city, address, postalCode }: Address) {
  const isArabic = /[\u0600-\u06ff]/.test([province, city, address].join(''))
  const code = isArabic ? postalCode?.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)]!) : postalCode
  return [province, city, address, code].filter(Boolean).join(isArabic ? '، ' : ', ')
}
