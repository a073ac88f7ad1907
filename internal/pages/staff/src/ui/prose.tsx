// Long texts: plain, or with headings, lists, links and images.
import { useState, type ComponentType } from 'react'
import { useWords, type Pair } from '../words'
import { TextIn } from './fields'
import { later } from './later'
import type { ProseProps } from './rich'

const words = {
  other: [
    'This HTML has elements that the editor does not know. It is edited as it is written.',
    'این HTML عنصرهایی دارد که ویرایشگر نمی‌شناسد و همان‌گونه که نوشته شده ویرایش می‌شود.',
  ],
} satisfies Record<string, Pair>

export const Prose: ComponentType<ProseProps> = later(async () => {
  const [{ default: Rich }, { canEdit }] = await Promise.all([import('./rich'), import('./richtext')])
  function Either(props: ProseProps) {
    const t = useWords(words)
    // Asked for each value from outside: what is written here stays in the field that it is written in.
    const begin = () => ({ value: props.value, isRich: canEdit(props.value) })
    const [own, setOwn] = useState(begin)
    const { isRich } = own.value === props.value ? own : begin()
    if (own.value !== props.value) setOwn({ value: props.value, isRich })
    const onChange = (value: string) => {
      setOwn({ value, isRich })
      props.onChange(value)
    }
    if (isRich) return <Rich {...props} onChange={onChange} />
    return <TextIn {...props} onChange={onChange} description={t.other} lines={10} />
  }
  return { default: Either }
})
