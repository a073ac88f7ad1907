// The text of descriptions and bodies: plain text as long as nothing in it needs more, else HTML of few elements.
import { mailTo } from '../format'
import { DOMParser as Parser, DOMSerializer, Schema, type Node } from 'prosemirror-model'

/**
 * safe returns the address if a link or an image may have it, or null. One that begins with / leads to a page of the
 * shop as browsers read it: they take a backslash for a slash and leave out tabs. A mailto: has only an address.
 */
export function safe(address: string): string | null {
  const text = address.trim()
  const shop = 'https://shop.invalid'
  if (!/^(https?:\/\/|mailto:|tel:|\/|#)/i.test(text) || !URL.canParse(text, shop)) return null
  if (/^mailto:/i.test(text) && !mailTo(text.slice('mailto:'.length))) return null
  return /^[/#]/.test(text) && new URL(text, shop).origin !== shop ? null : text
}

const attribute = (element: HTMLElement, name: string) => safe(element.getAttribute(name) ?? '')

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      attrs: { level: {} },
      content: 'inline*',
      group: 'block',
      defining: true,
      parseDOM: [2, 3, 4].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: (node) => [`h${node.attrs.level as number}`, 0],
    },
    blockquote: {
      content: 'block+',
      group: 'block',
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
    ordered_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
    list_item: { content: 'paragraph block*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    text: { group: 'inline' },
    image: {
      inline: true,
      group: 'inline',
      draggable: true,
      attrs: { src: {}, alt: { default: '' } },
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (element) => {
            const src = attribute(element, 'src')
            return src !== null && { src, alt: element.getAttribute('alt') ?? '' }
          },
        },
      ],
      toDOM: ({ attrs }) => ['img', { src: attrs.src as string, alt: attrs.alt as string }],
    },
    hard_break: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (element) => {
            const href = attribute(element, 'href')
            return href !== null && { href }
          },
        },
      ],
      toDOM: ({ attrs }) => ['a', { href: attrs.href as string }, 0],
    },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
  },
})

/** A text that begins with one of these elements is HTML; any other is plain. */
const html = /^\s*<(p|h[2-4]|ul|ol|blockquote)[\s>]/i

/** The elements of HTML that is edited, with the attributes they may have. */
const known = new Map([
  ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'br', 'em', 'i', 'strong', 'b'].map(
    (name): [string, string[]] => [name, []],
  ),
  ['a', ['href']],
  ['img', ['src', 'alt']],
])

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string }
}

// The page's policy lets only this name, and that of ProseMirror, make HTML of a text. Nothing in the document runs,
// and nothing is loaded: it has no window.
const inert = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('inert', {
  createHTML: (text) => text,
})

const bodyOf = (text: string) => new DOMParser().parseFromString(inert?.createHTML(text) ?? text, 'text/html')

/**
 * canEdit reports whether a text loses nothing in the editor: plain text never does, HTML of other elements would.
 */
export function canEdit(text: string): boolean {
  if (!html.test(text)) return true
  const { body, head } = bodyOf(text)
  return (
    head.childElementCount === 0 &&
    [...body.querySelectorAll('*')].every((element) => {
      const attributes = known.get(element.localName)
      const may = ({ name, value }: Attr) => attributes?.includes(name) && (name === 'alt' || safe(value) !== null)
      return attributes !== undefined && [...element.attributes].every(may)
    })
  )
}

/** docOf returns a text as a document to edit. In plain text each empty line ends a paragraph. */
export function docOf(text: string): Node {
  if (html.test(text)) return Parser.fromSchema(schema).parse(bodyOf(text).body)
  const { paragraph, hard_break: line } = schema.nodes
  return schema.node(
    'doc',
    null,
    text.split('\n\n').map((part) =>
      paragraph!.create(
        null,
        part
          .split('\n')
          .flatMap((words, i) => [...(i > 0 ? [line!.create()] : []), ...(words ? [schema.text(words)] : [])]),
      ),
    ),
  )
}

/** textOf returns a document as it is stored: plain if it has only paragraphs, else as HTML. */
export function textOf(doc: Node): string {
  const parts: string[] = []
  let isPlain = true
  doc.forEach((block) => {
    if (block.type.name !== 'paragraph') isPlain = false
    let text = ''
    block.forEach((inline) => {
      if (inline.type.name === 'hard_break') text += '\n'
      else if (inline.isText && inline.marks.length === 0) text += inline.text ?? ''
      else isPlain = false
    })
    parts.push(text)
  })
  const plain = parts.join('\n\n')
  if (isPlain && !html.test(plain)) return plain
  const into = document.implementation.createHTMLDocument().createElement('div')
  into.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content))
  return into.innerHTML
}
