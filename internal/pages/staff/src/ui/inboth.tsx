// Texts that a shop may write in both of its languages.
import { Fragment, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useWords, type Pair } from '../words'
import { TextIn } from './fields'
import { Prose } from './prose'

const words = {
  inEnglish: ['English', 'انگلیسی'],
  inPersian: ['Persian', 'فارسی'],
  both: ['In both languages', 'به هر دو زبان'],
  stillPersian: [
    'This text is Persian. It is shown in both languages until there is an English one.',
    'متن فارسی است و تا نوشتن متن انگلیسی به هر دو زبان می‌آید.',
  ],
  inEnglishToo: [
    'This text is Persian, and it is what storefronts in English show.',
    'متن فارسی است و فروشگاه انگلیسی همین را نشان می‌دهد.',
  ],
} satisfies Record<string, Pair>

interface Text {
  /** The member with the English text, or the only one; that with Fa at its end has the Persian one. */
  name: string
  label: string
  lines?: number
  isLong?: boolean
}

interface Props {
  texts: Text[]
  get: (name: string) => string
  /** Sets several members at once. */
  set: (to: Record<string, string>) => void
  fault: (name: string) => string | undefined
}

/** persian returns the name of the member with the Persian text. */
const persian = (name: string) => `${name}Fa`

const isPersian = (text: string) => /[\u0600-\u06ff]/.test(text)

/**
 * InBoth edits texts in both languages. Storefronts show a text that exists in one language in both. So there is one
 * field for each text, until the user asks for two, or there is a Persian text or a fault in it.
 */
export function InBoth({ texts, get, set, fault }: Props) {
  const t = useWords(words)
  const [isBoth, setBoth] = useState(false)
  const [isBegun, setBegun] = useState(false)
  const hasPersian = texts.some(({ name }) => get(persian(name)) !== '' || fault(persian(name)))
  if (hasPersian && !isBoth) setBoth(true) // and so it stays, when the text is cleared
  const begin = () => {
    // The Persian text stays where clients look for it that do not know of two, until an English one is written.
    set(
      Object.fromEntries(
        texts.filter(({ name }) => isPersian(get(name))).map(({ name }) => [persian(name), get(name)]),
      ),
    )
    setBoth(true)
    setBegun(true)
  }
  /** How to render a field in one language. The English one may still have a Persian text. */
  const writing = (name: string) => {
    if (name.endsWith('Fa')) return { dir: 'rtl', lang: 'fa' } as const
    if (!isPersian(get(name))) return { dir: 'ltr', lang: 'en' } as const
    const other = get(persian(name))
    return { description: other === '' || other === get(name) ? t.stillPersian : t.inEnglishToo }
  }
  const field = ({ isLong, lines, label }: Text, name: string, of?: string) => {
    const props = {
      label: of ? `${label} (${of})` : label,
      value: get(name),
      onChange: (to: string) => set({ [name]: to }),
      error: fault(name),
      ...(of ? writing(name) : {}),
      // The button, which had the focus, is gone.
      ...(isBegun && name === persian(texts[0]!.name) ? { autoFocus: true } : {}),
    }
    return isLong ? <Prose key={name} {...props} /> : <TextIn key={name} {...props} {...(lines ? { lines } : {})} />
  }
  return (
    <>
      {texts.map((text) =>
        isBoth || hasPersian ? (
          <Fragment key={text.name}>
            {field(text, persian(text.name), t.inPersian)}
            {field(text, text.name, t.inEnglish)}
          </Fragment>
        ) : (
          field(text, text.name)
        ),
      )}
      {!isBoth && !hasPersian && (
        <p>
          <Button
            className="quiet"
            aria-label={`${t.both}: ${texts.map(({ label }) => label).join(', ')}`}
            onPress={begin}
          >
            {t.both}
          </Button>
        </p>
      )}
    </>
  )
}

/** textsOf returns the props of InBoth for a form whose members are texts, named like its input's faults. */
export const textsOf = <V extends object>(form: {
  value: V
  set: <K extends keyof V>(name: K, to: V[K]) => void
  fault: (name: string) => string | undefined
}): Omit<Props, 'texts'> => ({
  get: (name) => (form.value[name as keyof V] ?? '') as string,
  set: (to) => {
    for (const name in to) form.set(name as keyof V, to[name] as V[keyof V])
  },
  fault: form.fault,
})
