// The shop's images: adding to them, their texts, and where each is used.
import { Button } from 'react-aria-components/Button'
import { asset } from '../api'
import { useFormats } from '../format'
import {
  DeleteMediaFileDocument,
  MediaFilesDocument,
  MediaUsageDocument,
  UpdateMediaFileDocument,
  type MediaFileInput,
  type MediaFilesQuery,
} from '../graphql/graphql'
import { useDoing, useReading, useSaving } from '../query'
import type { ScreenProps } from '../shop'
import { Editor, orNull, useEdit } from '../ui/editor'
import { useFeedback } from '../ui/feedback'
import { faultOf, Problem, TextIn } from '../ui/fields'
import { useWalk } from '../ui/walk'
import { Upload } from '../ui/upload'
import { say, useWords, type Pair } from '../words'

const words = {
  title: ['Images', 'تصویرها'],
  none: ['No image has been uploaded yet.', 'هنوز تصویری ارسال نشده است.'],
  altFa: ['What it shows, in Persian', 'توضیح تصویر به فارسی'],
  altEn: ['What it shows, in English', 'توضیح تصویر به انگلیسی'],
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
  const { confirm } = useFeedback()
  const name = `${shop}.media.${file.id}`
  const update = useSaving<object, { shop: string; media: string; input: MediaFileInput }>(
    UpdateMediaFileDocument,
    name,
    file.version,
  )
  const edit = useEdit(name, { altFa: file.altFa ?? '', altEn: file.altEn ?? '' }, update.isOld)
  const remove = useDoing(DeleteMediaFileDocument)
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
        <Editor
          edit={edit}
          failure={update.failure}
          isSaving={update.doing}
          onSave={async () => {
            const input = orNull(edit.changed, 'altFa', 'altEn')
            const done = await update.save({ shop, media: file.id, input })
            if (done) again()
            return Boolean(done)
          }}
          onConflict={again}
          names={t}
          actions={
            <Button
              className="danger"
              isPending={remove.doing}
              onPress={async () => {
                const question = { title: t.deleteTitle, text: `${file.name ?? ''}: ${t.deleteText}`, yes: t.delete }
                if ((await confirm(question)) && (await remove.run({ shop, media: file.id }))) again()
              }}
            >
              {t.delete}
            </Button>
          }
        >
          {(['altFa', 'altEn'] as const).map((name) => (
            <TextIn
              key={name}
              label={t[name]}
              value={edit.value[name]}
              onChange={(to) => edit.set(name, to)}
              error={faultOf(update.failure, name, t)}
            />
          ))}
        </Editor>
        <Problem>{remove.failure?.message}</Problem>
      </article>
    </li>
  )
}
