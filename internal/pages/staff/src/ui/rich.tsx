// An editor for texts with headings, lists, links and images. It is large, and loaded where it is shown.
import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { EditorState, type Command } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useId, useRef, useState } from 'react'
import { either, useWords, type Language, type Pair } from '../words'
import { TextIn } from './fields'
import { ImageButton } from './image'
import { docOf, safe, schema, textOf } from './richtext'

const words = {
  tools: ['How the text looks', 'شکل متن'],
  strong: ['Bold', 'پررنگ'],
  em: ['Italic', 'کج'],
  heading: ['Heading', 'سرتیتر'],
  subheading: ['Subheading', 'زیرتیتر'],
  bullets: ['List', 'فهرست'],
  numbers: ['Numbered list', 'فهرست شماره‌دار'],
  quote: ['Quotation', 'نقل قول'],
  link: ['Link', 'پیوند'],
  image: ['Image', 'تصویر'],
  undo: ['Undo', 'واگرد'],
  redo: ['Redo', 'ازنو'],
  address: ['Address', 'نشانی'],
  alt: ['What the image shows', 'توضیح تصویر'],
  insert: ['Insert', 'درج'],
  cancel: ['Cancel', 'انصراف'],
  wrong: [
    'It begins with https://, or with / for a page of the shop.',
    'با https:// آغاز می‌شود، یا با / برای صفحه‌ای از فروشگاه.',
  ],
} satisfies Record<string, Pair>

const { nodes, marks } = schema
const hardBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break!.create()).scrollIntoView())
  return true
})
const keys = keymap({
  'Mod-b': toggleMark(marks.strong!),
  'Mod-i': toggleMark(marks.em!),
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  Enter: splitListItem(nodes.list_item!),
  'Mod-]': sinkListItem(nodes.list_item!),
  'Mod-[': liftListItem(nodes.list_item!),
  'Shift-Enter': hardBreak,
})

/** isIn reports whether the selection is within a node of a type. */
function isIn(state: EditorState, name: string, level?: number): boolean {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type.name === name && (level === undefined || node.attrs.level === level)) return true
  }
  return false
}

const hasMark = (state: EditorState, name: 'strong' | 'em' | 'link') => {
  const { from, to, empty, $from } = state.selection
  const type = marks[name]!
  return empty ? Boolean(type.isInSet(state.storedMarks ?? $from.marks())) : state.doc.rangeHasMark(from, to, type)
}

export interface ProseProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  description?: string
  dir?: 'ltr' | 'rtl' | 'auto'
  lang?: Language
  autoFocus?: boolean
}

export default function Rich({ label, value, onChange, error, description, dir, lang, autoFocus }: ProseProps) {
  const t = useWords(words)
  const id = useId()
  const at = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const written = useRef(value)
  const change = useRef(onChange)
  change.current = onChange
  const [state, setState] = useState<EditorState>()
  const [asked, setAsked] = useState<'link' | 'image' | null>(null)

  useEffect(() => {
    const begun = EditorState.create({ doc: docOf(written.current), plugins: [history(), keys, keymap(baseKeymap)] })
    const made = new EditorView(at.current, {
      state: begun,
      editable: () => !at.current?.closest('fieldset:disabled'),
      attributes: { role: 'textbox', 'aria-multiline': 'true' },
      dispatchTransaction(transaction) {
        const next = made.state.apply(transaction)
        made.updateState(next)
        setState(next)
        if (!transaction.docChanged) return
        written.current = textOf(next.doc)
        change.current(written.current)
      },
    })
    view.current = made
    setState(begun)
    if (autoFocus) made.focus()
    return () => made.destroy()
  }, [])
  useEffect(() => {
    view.current?.setProps({
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(dir ? { dir } : {}),
        ...(lang ? { lang } : {}),
        ...(error ? { 'aria-invalid': 'true' } : {}),
        ...(error || description ? { 'aria-describedby': id } : {}),
      },
    })
  }, [label, error, description, dir, lang, id])
  useEffect(() => {
    // A value from outside, such as that of a discarded draft, replaces the content.
    if (!view.current || value === written.current) return
    written.current = value
    const next = EditorState.create({ doc: docOf(value), plugins: view.current.state.plugins })
    view.current.updateState(next)
    setState(next)
  }, [value])

  const run = (command: Command) => {
    if (!view.current) return
    command(view.current.state, view.current.dispatch)
    view.current.focus()
  }
  const block = (name: string, level?: number): Command =>
    state && isIn(state, name, level)
      ? setBlockType(nodes.paragraph!)
      : setBlockType(nodes[name]!, level === undefined ? null : { level })
  const list = (name: string): Command =>
    state && isIn(state, name) ? liftListItem(nodes.list_item!) : wrapInList(nodes[name]!)
  const tools: [name: string, shown: string, isOn: boolean | undefined, command: Command][] = state
    ? [
        [t.strong, '𝐁', hasMark(state, 'strong'), toggleMark(marks.strong!)],
        [t.em, '𝐼', hasMark(state, 'em'), toggleMark(marks.em!)],
        [t.heading, t.heading, isIn(state, 'heading', 2), block('heading', 2)],
        [t.subheading, t.subheading, isIn(state, 'heading', 3), block('heading', 3)],
        [t.bullets, '•', isIn(state, 'bullet_list'), list('bullet_list')],
        [t.numbers, t.numbers, isIn(state, 'ordered_list'), list('ordered_list')],
        [t.quote, '❝', isIn(state, 'blockquote'), isIn(state, 'blockquote') ? lift : wrapIn(nodes.blockquote!)],
        [t.undo, '↶', undefined, undo],
        [t.redo, '↷', undefined, redo],
      ]
    : []
  const insert = (address: string, alt: string) => {
    setAsked(null)
    run((now, dispatch) => {
      if (asked === 'image') {
        dispatch?.(now.tr.replaceSelectionWith(nodes.image!.create({ src: address, alt })))
        return true
      }
      if (now.selection.empty) {
        dispatch?.(now.tr.replaceSelectionWith(schema.text(address, [marks.link!.create({ href: address })]), false))
        return true
      }
      return toggleMark(marks.link!, { href: address })(now, dispatch)
    })
  }
  return (
    <div className="field rich" data-invalid={error ? true : undefined}>
      <span className="react-aria-Label">{label}</span>
      <div role="toolbar" aria-label={`${t.tools}: ${label}`} className="tools">
        {tools.map(([name, shown, isOn, command]) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={isOn}
            disabled={state && !isOn && !command(state)}
            onMouseDown={(event) => event.preventDefault() /* the selection stays */}
            onClick={() => run(command)}
          >
            <span aria-hidden="true">{shown}</span>
          </button>
        ))}
        <button
          type="button"
          aria-pressed={state ? hasMark(state, 'link') : false}
          onClick={() => (state && hasMark(state, 'link') ? run(toggleMark(marks.link!)) : setAsked('link'))}
        >
          {t.link}
        </button>
        <button type="button" onClick={() => setAsked('image')}>
          {t.image}
        </button>
      </div>
      {asked && <Asked kind={asked} lang={lang} onInsert={insert} onCancel={() => setAsked(null)} />}
      <div ref={at} className="prose" />
      <div id={id}>
        {description && <span slot="description">{description}</span>}
        {error && <span className="react-aria-FieldError">{error}</span>}
      </div>
    </div>
  )
}

interface AskedProps {
  kind: 'link' | 'image'
  lang: Language | undefined
  onInsert: (address: string, alt: string) => void
  onCancel: () => void
}

/** Asked takes the address of a link or an image. It is not a form, since it stands within one. */
function Asked({ kind, lang, onInsert, onCancel }: AskedProps) {
  const t = useWords(words)
  const [address, setAddress] = useState('')
  const [alt, setAlt] = useState('')
  const [wrong, setWrong] = useState(false)
  const insert = () => {
    const checked = safe(address)
    if (checked === null) setWrong(true)
    else onInsert(checked, alt)
  }
  return (
    <div
      className="filters"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
        if (event.key !== 'Enter') return
        event.preventDefault() // it would send the form
        insert()
      }}
    >
      <TextIn label={t.address} value={address} onChange={setAddress} dir="ltr" error={wrong ? t.wrong : undefined} />
      {kind === 'image' && (
        <ImageButton onChoose={(image) => onInsert(image.url, either(image.alt, image.altFa, lang) || alt)} />
      )}
      {kind === 'image' && <TextIn label={t.alt} value={alt} onChange={setAlt} />}
      <button type="button" onClick={insert}>
        {t.insert}
      </button>
      <button type="button" onClick={onCancel}>
        {t.cancel}
      </button>
    </div>
  )
}
