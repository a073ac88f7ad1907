// The shop's images: adding to them, their texts, and where each is used.
import { Button } from 'react-aria-components/Button'
import { asset } from '../api'
import { useDraft } from '../draft'
import { useFormats } from '../format'
import {
  DeleteMediaFileDocument,
  MediaFilesDocument,
  MediaUsageDocument,
  UpdateMediaFileDocument,
  type MediaFilesQuery,
} from '../graphql/graphql'
import { useDoing, useReading } from '../query'
import type { ScreenProps } from '../screens'
import { useFeedback } from '../ui/feedback'
import { faultOf, namedIn, Problem, TextIn } from '../ui/fields'
import { useWalk } from '../ui/walk'
import { Upload } from '../ui/upload'
import { say, useWords, type Pair } from '../words'

const words = {
  title: ['Images', 'تصویرها'],
  none: ['No image has been uploaded yet.', 'هنوز تصویری ارسال نشده است.'],
  altFa: ['What it shows, in Persian', 'توضیح تصویر به فارسی'],
  altEn: ['What it shows, in English', 'توضیح تصویر به انگلیسی'],
  save: ['Save', 'ذخیره'],
  saved: ['Saved.', 'ذخیره شد.'],
  delete: ['Delete', 'حذف'],
  deleteTitle: ['Delete the image?', 'تصویر حذف شود؟'],
  deleteText: ['This cannot be undone.', 'این کار برگشت ندارد.'],
  unused: ['used nowhere: deleted after a week', 'بی‌استفاده: پس از یک هفته حذف می‌شود'],
  in: ['in', 'در'],
  of: ['of', 'از'],
  more: ['Show more', 'نمایش بیشتر'],
} satisfies Record<string, Pair>

const kinds: Record<string, Pair> = {
  product: ['products', 'محصول'],
  variant: ['variants', 'تنوع'],
  category: ['categories', 'دسته'],
  brand: ['brands', 'برند'],
  shop: ['the shop’s looks', 'ظاهر فروشگاه'],
  slider: ['sliders', 'اسلایدر'],
  blog: ['blogs', 'نوشته'],
  portfolio: ['portfolios', 'نمونه‌کار'],
  userProduct: ['listings', 'آگهی'],
  order: ['orders', 'سفارش'],
}

export default function Media({ shop }: ScreenProps) {
  const t = useWords(words)
  const f = useFormats()
  const walk = useWalk(MediaFilesDocument, { shop: shop.id }, (data) => data.mediaFilesConnection)
  const usage = useReading(MediaUsageDocument, { shop: shop.id })
  const used = usage.data?.mediaUsage
  const again = () => {
    walk.again()
    usage.again()
  }
  const room = (bytes: number) => `${f.number(Math.ceil(bytes / 104_857.6) / 10)} MiB`
  return (
    <>
      <h1>
        {t.title} {walk.total !== undefined && <small>{f.number(walk.total)}</small>}
      </h1>
      {used && (
        <p className="help">
          {room(used.bytes)}
          {used.quota != null && ` ${t.of} ${room(used.quota)}`}
        </p>
      )}
      <Upload onUploaded={again} />
      <Problem>{walk.failure?.message ?? usage.failure?.message}</Problem>
      {walk.items.length === 0 && !walk.reading && <p className="empty">{t.none}</p>}
      <ul className="opinions">
        {walk.items.map((file) => (
          <File key={file.id} shop={shop.id} file={file} again={again} />
        ))}
      </ul>
      {walk.total !== undefined && walk.items.length < walk.total && (
        <Button isPending={walk.reading} onPress={walk.more}>
          {t.more}
        </Button>
      )}
    </>
  )
}

type Stored = NonNullable<MediaFilesQuery['mediaFilesConnection']>['nodes'][number]

function File({ shop, file, again }: { shop: string; file: Stored; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const { tell, confirm } = useFeedback()
  const [altFa, setAltFa] = useDraft(`${shop}.media.${file.id}.altFa`, file.altFa ?? '')
  const [altEn, setAltEn] = useDraft(`${shop}.media.${file.id}.altEn`, file.altEn ?? '')
  const update = useDoing(UpdateMediaFileDocument)
  const remove = useDoing(DeleteMediaFileDocument)
  const isChanged = altFa !== (file.altFa ?? '') || altEn !== (file.altEn ?? '')
  const failure = update.failure ?? remove.failure
  const uses = file.uses.map(({ kind, count }) => `${f.number(count)} ${kinds[kind] ? say(kinds[kind]!) : kind}`)
  return (
    <li>
      <img src={asset(file.image.small)} alt={file.image.alt ?? ''} width="120" height="120" loading="lazy" />
      <article>
        <header>
          <bdi>{file.name}</bdi>{' '}
          {file.image.width && `${f.number(file.image.width)} × ${f.number(file.image.height ?? 0)}`}
        </header>
        <footer>
          {f.moment(file.createdAt)} · {uses.length > 0 ? `${t.in} ${uses.join(', ')}` : t.unused}
        </footer>
        <TextIn label={t.altFa} value={altFa} onChange={setAltFa} error={faultOf(update.failure, 'altFa', t)} />
        <TextIn label={t.altEn} value={altEn} onChange={setAltEn} error={faultOf(update.failure, 'altEn', t)} />
        <Problem>{namedIn(failure, t)}</Problem>
        <p className="buttons">
          <Button
            className="primary"
            isDisabled={!isChanged}
            isPending={update.doing}
            onPress={async () => {
              const input = { altFa: altFa || null, altEn: altEn || null }
              if (!(await update.run({ shop, media: file.id, input }))) return
              setAltFa(null)
              setAltEn(null)
              tell(t.saved)
              again()
            }}
          >
            {t.save}
          </Button>
          <Button
            className="danger"
            isPending={remove.doing}
            onPress={async () => {
              if (
                !(await confirm({ title: t.deleteTitle, text: `${file.name ?? ''}: ${t.deleteText}`, yes: t.delete }))
              )
                return
              if (await remove.run({ shop, media: file.id })) again()
            }}
          >
            {t.delete}
          </Button>
        </p>
      </article>
    </li>
  )
}
