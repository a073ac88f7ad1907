// Fields for images: by their address, or of the shop's own.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { asset } from '../api'
import { useShop } from '../shop'
import { useWords, type Pair } from '../words'
import { TextIn, type Common } from './fields'
import { later } from './later'
import type { Chosen } from './picker'

const words = {
  choose: ['Choose or upload', 'انتخاب یا ارسال'],
} satisfies Record<string, Pair>

const Picker = later(() => import('./picker'))

/**
 * ImageButton opens the images of the shop, and calls onChoose with the chosen one. It is absent without the
 * permission.
 */
export function ImageButton({ onChoose, of }: { onChoose: (image: Chosen) => void; of?: string }) {
  const t = useWords(words)
  const shop = useShop()
  const [isOpen, setOpen] = useState(false)
  if (!shop.permissions.includes('editContent')) return null
  return (
    <>
      <Button {...(of ? { 'aria-label': `${t.choose}: ${of}` } : {})} onPress={() => setOpen(true)}>
        {t.choose}
      </Button>
      {isOpen && (
        <Picker
          onChoose={(image) => {
            setOpen(false)
            onChoose(image)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** ImageIn takes the address of an image; onChoose receives a chosen image with its other members. */
export function ImageIn(
  props: Common & { value: string; onChange: (value: string) => void; onChoose?: (image: Chosen) => void },
) {
  return (
    <div className="image">
      {props.value && <img src={asset(props.value)} alt="" width="56" height="56" loading="lazy" />}
      <TextIn {...props} dir="ltr" />
      <ImageButton
        of={props.label}
        onChoose={(image) => {
          props.onChange(image.url)
          props.onChoose?.(image)
        }}
      />
    </div>
  )
}
