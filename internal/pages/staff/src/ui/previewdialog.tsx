// A preview of a record: a link to the shop's own page of it, which shows what is saved to anyone who has the link.
import { useState, useSyncExternalStore } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Form } from 'react-aria-components/Form'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useFormats } from '../format'
import {
  PreviewBlogDocument,
  PreviewListingDocument,
  PreviewPortfolioDocument,
  PreviewProductDocument,
} from '../graphql/graphql'
import { kept } from '../kept'
import { useDoing } from '../query'
import { useShop } from '../shop'
import { useWords, type Pair } from '../words'
import { Choice } from './choice'
import { Copy } from './copy'
import { Problem, TextIn } from './fields'

const words = {
  title: ['Preview', 'پیش‌نمایش'],
  help: [
    'Whoever has the link sees what is saved as it would be published, until the link ends.',
    'هر که این پیوند را داشته باشد، تا پایان اعتبار آن، آنچه را ذخیره شده چنان می‌بیند که منتشر خواهد شد.',
  ],
  page: ['The page in your shop’s website', 'صفحه آن در وبسایت فروشگاه'],
  pageHelp: [
    '{slug} stands for the slug. This browser keeps the address.',
    '{slug} به جای نشانک است. این مرورگر نشانی را نگه می‌دارد.',
  ],
  wrong: ['It is an https:// address with {slug} in it.', 'نشانی با https:// آغاز می‌شود و {slug} در آن است.'],
  lasts: ['The link lasts', 'اعتبار پیوند'],
  hour: ['An hour', 'یک ساعت'],
  day: ['A day', 'یک روز'],
  week: ['A week', 'یک هفته'],
  make: ['Make the link', 'ساختن پیوند'],
  link: ['Link', 'پیوند'],
  until: ['It ends', 'پایان اعتبار:'],
  open: ['Open', 'باز کردن'],
  close: ['Close', 'بستن'],
} satisfies Record<string, Pair>

const documents = {
  products: PreviewProductDocument,
  listings: PreviewListingDocument,
  blogs: PreviewBlogDocument,
  portfolios: PreviewPortfolioDocument,
} as const
const seconds = { hour: 3600, day: 86_400, week: 604_800 }

interface Preview {
  preview: string
  expiresAt: string
}

export type Previewed = 'products' | 'listings' | 'blogs' | 'portfolios'

/** linkOf returns the address of a record's page with the preview, or null for an invalid pattern. */
function linkOf(pattern: string, slug: string, preview: string): string | null {
  if (!/^https?:\/\//.test(pattern) || !pattern.includes('{slug}')) return null
  try {
    const url = new URL(pattern.replaceAll('{slug}', encodeURIComponent(slug)))
    url.searchParams.set('preview', preview)
    return url.href
  } catch {
    return null
  }
}

export default function PreviewDialog({ of, slug, onClose }: { of: Previewed; slug: string; onClose: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const shop = useShop()
  const store = kept<string>(`page.${shop.id}.${of}`)
  const pattern = useSyncExternalStore(store.subscribe, store.get) ?? `https://${shop.domain}/${of}/{slug}`
  const [lasts, setLasts] = useState<keyof typeof seconds>('day')
  const [made, setMade] = useState<Preview>()
  const make = useDoing<Record<string, Preview>, { shop: string; slug: string; seconds: number }>(
    documents[of],
  )
  const wrong = linkOf(pattern, slug, '') === null
  const link = made && linkOf(pattern, slug, made.preview)
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{t.title}</Heading>
          <p className="help">{t.help}</p>
          <Form
            onSubmit={async (event) => {
              event.preventDefault()
              if (wrong) return
              const done = await make.run({ shop: shop.id, slug, seconds: seconds[lasts] })
              if (done) setMade(Object.values(done)[0])
            }}
          >
            <TextIn
              label={t.page}
              description={t.pageHelp}
              value={pattern}
              onChange={(to) => store.set(to)}
              dir="ltr"
              error={wrong ? t.wrong : undefined}
            />
            <Choice
              label={t.lasts}
              value={lasts}
              onChange={(to) => setLasts(to as keyof typeof seconds)}
              options={(['hour', 'day', 'week'] as const).map((id) => ({ id, name: t[id] }))}
            />
            <Problem>{make.failure?.message}</Problem>
            <Button type="submit" className="primary" isDisabled={wrong} isPending={make.doing}>
              {t.make}
            </Button>
          </Form>
          {made && link && (
            <>
              <TextIn
                label={t.link}
                description={`${t.until} ${f.moment(made.expiresAt)}`}
                value={link}
                onChange={() => {}}
                dir="ltr"
              />
              <p className="buttons">
                <Copy text={link} />
                <a className="button" href={link} target="_blank" rel="noreferrer">
                  {t.open}
                </a>
              </p>
            </>
          )}
          <footer>
            <Button onPress={onClose}>{t.close}</Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
