// Uploading images: dropped or chosen, one after another, each with its progress.
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { ask, Failure, longestUpload, service } from '../api'
import { useFormats } from '../format'
import { CreateMediaUploadDocument } from '../graphql/graphql'
import { useShop } from '../shop'
import { language, say, useWords, type Pair } from '../words'

const words = {
  drop: ['Drop images here, or', 'تصویرها را این‌جا رها کنید، یا'],
  choose: ['Upload images', 'ارسال تصویر'],
  tooLarge: ['The file is too large. The most is', 'فایل بزرگ‌تر از اندازه است. بیشترین اندازه:'],
  cut: ['The line was cut. Send it again.', 'ارتباط قطع شد. دوباره بفرستید.'],
  again: ['Send again', 'ارسال دوباره'],
  done: ['is there', 'ارسال شد'],
} satisfies Record<string, Pair>

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

export interface Uploaded {
  id: string
  url: string
}

/** put sends a file to an address, and reports the part that has been sent, from 0 to 1. */
const put = (url: string, file: File, onProgress: (part: number) => void) =>
  new Promise<Uploaded>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', new URL(url, new URL('graphql', service)))
    request.setRequestHeader('Accept-Language', language())
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total))
    request.timeout = longestUpload
    request.onerror = request.ontimeout = () => reject(new Failure('OFFLINE', say(words.cut)))
    request.onload = () => {
      try {
        const answer = JSON.parse(request.responseText) as Uploaded & { message?: string }
        if (request.status < 300) resolve(answer)
        else reject(new Failure('REFUSED', answer.message ?? request.statusText))
      } catch {
        reject(new Failure('UNAVAILABLE', say(words.cut)))
      }
    }
    request.send(file)
  })

interface Sending {
  id: number
  file: File
  part: number
  failure?: string
  isDone?: boolean
}

interface UploadProps {
  /** Called for each image that is stored; isOnly: no other was chosen with it. */
  onUploaded: (image: Uploaded, isOnly: boolean) => void
}

/** Upload uploads images, and passes each on once it is stored. */
export function Upload({ onUploaded }: UploadProps) {
  const t = useWords(words)
  const f = useFormats()
  const shop = useShop()
  const [all, setAll] = useState<Sending[]>([])
  const change = (id: number, to: Partial<Sending>) =>
    setAll((now) => now.map((one) => (one.id === id ? { ...one, ...to } : one)))
  // What is stored after this was closed is among the shop's images, and passed on to nobody.
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const send = async ({ id, file }: Sending, isOnly: boolean) => {
    try {
      const { createMediaUpload: link } = await ask(CreateMediaUploadDocument, {
        shop: shop.id,
        input: { name: file.name.slice(0, 100) || null },
      })
      if (file.size > link.maxBytes) {
        throw new Failure('REFUSED', `${t.tooLarge} ${f.number(Math.floor(link.maxBytes / 1_048_576))} MiB`)
      }
      const image = await put(link.url, file, (part) => change(id, { part }))
      change(id, { part: 1, isDone: true })
      if (isOpen.current) onUploaded(image, isOnly)
    } catch (cause) {
      change(id, { failure: cause instanceof Failure ? cause.message : String(cause) })
    }
  }
  const add = async (files: File[]) => {
    const fresh = files.map((file, i) => ({ id: Date.now() + i, file, part: 0 }))
    setAll((now) => [...now, ...fresh])
    for (const one of fresh) await send(one, fresh.length === 1)
  }
  const again = (one: Sending) => {
    setAll((now) => now.map((other) => (other.id === one.id ? { id: one.id, file: one.file, part: 0 } : other)))
    void send(one, all.length === 1)
  }
  return (
    <>
      <DropZone
        className="drop"
        getDropOperation={(dragged) => (types.some((type) => dragged.has(type)) ? 'copy' : 'cancel')}
        onDrop={async ({ items }) => {
          const files = await Promise.all(items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : [])))
          void add(files)
        }}
      >
        <Text slot="label">{t.drop}</Text>{' '}
        <FileTrigger acceptedFileTypes={types} allowsMultiple onSelect={(files) => void add(files ? [...files] : [])}>
          <Button>{t.choose}</Button>
        </FileTrigger>
      </DropZone>
      <ul className="sending" aria-live="polite">
        {all.map((one) => (
          <li key={one.id}>
            <bdi>{one.file.name}</bdi>{' '}
            {one.failure ? (
              <>
                <span className="problem">{one.failure}</span> <Button onPress={() => again(one)}>{t.again}</Button>
              </>
            ) : one.isDone ? (
              t.done
            ) : (
              <progress aria-label={one.file.name} value={one.part} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
