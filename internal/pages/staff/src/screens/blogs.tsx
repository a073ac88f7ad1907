// Blogs: the list, and one blog.
import {
  ChangeBlogsDocument,
  CreateBlogDocument,
  DeleteBlogDocument,
  OneBlogDocument,
  UpdateBlogDocument,
  type BlogInput,
  type BlogType,
  type OneBlogQuery,
} from '../graphql/graphql'
import { useReading } from '../query'
import { to } from '../router'
import type { ScreenProps } from '../shop'
import { useCategories } from '../ui/categories'
import { contentInput, contentOf, PlaceFields, PublishFields, TitleFields, useContentWords } from '../ui/content'
import { Choice } from '../ui/choice'
import { orNull } from '../ui/editor'
import { TextIn } from '../ui/fields'
import { InBoth, textsOf } from '../ui/inboth'
import { PreviewButton } from '../ui/preview'
import { RecordEditor } from '../ui/record'
import { Records } from '../ui/records'
import { Unread } from '../ui/unread'
import { either, statuses, statusName, useWords, type Pair } from '../words'

const words = {
  title: ['Blogs', 'نوشته‌ها'],
  add: ['Write a blog', 'نوشتن نوشته'],
  type: ['Kind', 'نوع'],
  body: ['Text', 'متن'],
  bodyFa: ['Persian text', 'متن فارسی'],
  author: ['Author', 'نویسنده'],
  news: ['News', 'خبر'],
  article: ['Article', 'مقاله'],
  blog: ['Blog', 'نوشته'],
} satisfies Record<string, Pair>

const types: BlogType[] = ['blog', 'article', 'news']

export default function Blogs(props: ScreenProps) {
  const [slug] = props.place.rest
  const t = useWords(words)
  if (slug === '+') return <BlogForm {...props} stored={null} again={() => {}} />
  if (slug !== undefined) return <OneBlog {...props} slug={slug} />
  return (
    <Records
      {...props}
      kind="blog"
      section="blogs"
      title={t.title}
      may="editContent"
      statuses={statuses}
      document={ChangeBlogsDocument}
      changedOf={(data) => data.changeBlogs}
      changes={statuses.map((status) => ({ name: statusName(status), change: { status } }))}
      deletion={{ delete: true }}
    >
      {() =>
        props.shop.permissions.includes('editContent') && (
          <p>
            <a className="button" href={to(props.shop.domain, 'blogs', ['+'])}>
              {t.add}
            </a>
          </p>
        )
      }
    </Records>
  )
}

function OneBlog(props: ScreenProps & { slug: string }) {
  const { data, failure, again } = useReading(OneBlogDocument, { shop: props.shop.id, slug: props.slug })
  if (!data?.staffBlog) return <Unread shop={props.shop} section="blogs" failure={failure} />
  return <BlogForm key={data.staffBlog.id} {...props} stored={data.staffBlog} again={again} />
}

type Stored = NonNullable<OneBlogQuery['staffBlog']>

function BlogForm({ shop, stored, again }: ScreenProps & { stored: Stored | null; again: () => void }) {
  const t = useWords(words)
  const common = useContentWords()
  const categories = useCategories(shop, 'blog')
  return (
    <RecordEditor
      shop={shop}
      section="blogs"
      heading={stored ? either(stored.titleEn, stored.titleFa) : t.add}
      stored={stored}
      members={{
        ...contentOf(stored),
        type: stored?.type ?? ('blog' as BlogType),
        body: stored?.body ?? '',
        bodyFa: stored?.bodyFa ?? '',
        authorName: stored?.authorName ?? '',
      }}
      mayEdit={shop.permissions.includes('editContent')}
      documents={{ create: CreateBlogDocument, update: UpdateBlogDocument, remove: DeleteBlogDocument }}
      input={(changed, value): BlogInput => {
        const { type, body, ...content } = changed
        return {
          ...contentInput(content, value, !stored),
          ...(type || !stored ? { type: value.type } : {}),
          ...(body === undefined ? {} : { body }),
          ...orNull(changed, 'bodyFa', 'authorName'),
        }
      }}
      names={{ ...common, body: t.body, bodyFa: t.bodyFa, type: t.type, authorName: t.author }}
      again={again}
      actions={stored && shop.permissions.includes('editContent') && <PreviewButton of="blogs" slug={stored.slug} />}
    >
      {(form) => (
        <>
          <TitleFields form={form} />
          <InBoth texts={[{ name: 'body', label: t.body, isLong: true }]} {...textsOf(form)} />
          <Choice
            label={t.type}
            value={form.value.type}
            onChange={(to) => form.set('type', to as BlogType)}
            options={types.map((id) => ({ id, name: t[id] }))}
          />
          <TextIn
            label={t.author}
            value={form.value.authorName}
            onChange={(to) => form.set('authorName', to)}
            error={form.fault('authorName')}
          />
          <PlaceFields form={form} categories={categories} />
          <PublishFields form={form} />
        </>
      )}
    </RecordEditor>
  )
}
