// Editing a record: the draft survives a reload and a broken connection, faults are shown at their fields, and no edit
// of another user is lost.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Form } from 'react-aria-components/Form'
import type { Failure } from '../api'
import { draft as draftOf } from '../draft'
import { say, useWords, type Pair } from '../words'
import { namedIn, Problem } from './fields'
import { useFeedback } from './feedback'
import { notNumber } from './number'

/** What is kept of an edit: the members as they were read, and as they are now. */
interface Draft<V> {
  base: V
  value: V
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** alike is same for a member, but blank parts count as absent, as in a draft from before they existed. */
const alike = (a: unknown, b: unknown) => {
  const textOf = (of: unknown) =>
    JSON.stringify(of, (name, value: unknown) =>
      name !== '' && (value === '' || value === null) ? undefined : value,
    )
  return textOf(a) === textOf(b)
}

type Members = Record<string, unknown>
type Items = (Members & { sku: string })[]

/** isItems reports whether a member is a list of variants. */
const isItems = (of: unknown): of is Items =>
  Array.isArray(of) && of.every((one: unknown) => typeof (one as Partial<Items[0]> | null)?.sku === 'string')

/** Conflict is a member that somebody else has changed as well since the edit began; stored is its value. */
export interface Conflict {
  /** The name of the member; of a variant, that of the list, the SKU and, unless it was deleted, the name. */
  path: string[]
  was: unknown
  stored: unknown
  mine: unknown
}

/**
 * merge takes over what only others have changed, and adds what both have changed to the conflicts. Variants are merged
 * by their SKU and members.
 */
function merge(was: Members, mine: Members, theirs: Members, conflicts: Conflict[], path: string[] = []) {
  const base = { ...was }
  const value = { ...mine }
  for (const name of Object.keys(theirs)) {
    const [before, here, there] = [was[name], mine[name], theirs[name]]
    if (alike(before, there)) continue
    if (alike(before, here) || alike(here, there)) {
      base[name] = value[name] = there
    } else if (isItems(before) && isItems(here) && isItems(there)) {
      ;[base[name], value[name]] = mergeItems(before, here, there, conflicts, [...path, name])
    } else {
      conflicts.push({ path: [...path, name], was: before, stored: there, mine: here })
    }
  }
  return { base, value }
}

function mergeItems(was: Items, mine: Items, theirs: Items, conflicts: Conflict[], path: string[]) {
  const base: Members[] = []
  const value: Members[] = []
  const bySKU = (items: Items, sku: string) => items.find((one) => one.sku === sku)
  for (const there of theirs) {
    const before = bySKU(was, there.sku)
    const here = bySKU(mine, there.sku)
    // A variant that is not here is new, or has another SKU here.
    const one = here
      ? merge(before ?? {}, here, there, conflicts, [...path, there.sku])
      : { base: there, value: there }
    base.push(one.base)
    if (here || !before) value.push(one.value)
  }
  for (const here of mine) {
    const before = bySKU(was, here.sku)
    if (bySKU(theirs, here.sku) || (before && alike(before, here))) continue
    value.push(here)
    if (!before) continue
    base.push(before)
    conflicts.push({ path: [...path, here.sku], was: before, stored: undefined, mine: here })
  }
  return [base, value]
}

/** put sets what a path leads to; an undefined variant is left out. */
function put<V extends object>(of: V, [name = '', sku, member]: string[], to: unknown): V {
  if (sku === undefined) return { ...of, [name]: to }
  const items = ((of as Members)[name] as Items).flatMap((one) => {
    if (one.sku !== sku) return [one]
    return member === undefined ? (to === undefined ? [] : [to]) : [{ ...one, [member]: to }]
  })
  return { ...of, [name]: items }
}

export interface Edit<V extends object> {
  value: V
  /** The members before they were changed here. */
  base: V
  set: <K extends keyof V>(name: K, to: V[K]) => void
  /** The members that differ from what is stored. */
  changed: Partial<V>
  isChanged: boolean
  conflicts: Conflict[]
  /** Resolves a conflict by a value. */
  settle: (conflict: Conflict, by: unknown) => void
  /** Ends the edit after it was saved. */
  end: () => void
  /** Discards the edit. */
  discard: () => void
}

/**
 * useEdit edits a record. name identifies the draft, stored is the record as it was read last. It may be read again
 * during the edit: fields that only others have changed are taken over, fields that both have changed are conflicts.
 * isOld, for records with a version, is whether stored was read before the last save of this page (useSaving).
 */
export function useEdit<V extends object>(name: string, stored: V, isOld?: boolean): Edit<V> {
  const store = draftOf<Draft<V>>(name)
  const begin = (): Draft<V> => store.get() ?? { base: stored, value: stored }
  const [state, setState] = useState(() => ({ name, draft: begin() }))
  // For another name the edit begins anew.
  const draft = useMemo(() => (state.name === name ? state.draft : begin()), [state, name])
  const latest = useRef(draft)
  // What was stored before the last save: until the record is read again, it is no conflict.
  const before = useRef('')
  if (JSON.stringify(stored) !== before.current) before.current = ''
  const keep = (to: Draft<V>) => {
    latest.current = to
    setState({ name, draft: to })
    store.set(same(to.base, to.value) ? null : to)
  }
  const conflicts: Conflict[] = []
  let merged = draft
  if (!(isOld ?? before.current) && !same(draft.base, stored)) {
    merged = merge(draft.base as Members, draft.value as Members, stored as Members, conflicts) as Draft<V>
  }
  latest.current = merged
  const text = JSON.stringify(merged)
  useEffect(() => {
    if (!same(merged, draft)) keep(merged)
    // Only if merging changed something.
  }, [text])
  const changed: Partial<V> = {}
  for (const member of Object.keys(merged.value) as (keyof V)[]) {
    if (!alike(merged.value[member], merged.base[member])) changed[member] = merged.value[member]
  }
  return {
    value: merged.value,
    base: merged.base,
    set: (member, to) => keep({ base: latest.current.base, value: { ...latest.current.value, [member]: to } }),
    changed,
    isChanged: Object.keys(changed).length > 0,
    conflicts,
    settle: ({ path, stored }, by) =>
      keep({ base: put(merged.base, path, stored), value: put(merged.value, path, by) }),
    // What was typed during saving stays a draft.
    end() {
      before.current = JSON.stringify(stored)
      keep({ base: merged.value, value: latest.current.value })
    },
    discard: () => keep({ base: merged.base, value: merged.base }),
  }
}

/** orNull returns the changed ones of the given members; blank texts become null, which clears them. */
export const orNull = <K extends string>(changed: Partial<Record<K, unknown>>, ...names: K[]) =>
  Object.fromEntries(
    names.flatMap((name) => (changed[name] === undefined ? [] : [[name, changed[name] || null]])),
  ) as { [N in K]?: string | null }

const words = {
  save: ['Save', 'ذخیره'],
  saved: ['Saved.', 'ذخیره شد.'],
  discard: ['Discard the changes', 'دور ریختن تغییرات'],
  discardText: ['What you have typed since it was saved is lost.', 'هر چه از آخرین ذخیره نوشته‌اید از دست می‌رود.'],
  unsaved: ['There are changes that are not saved.', 'تغییرات ذخیره‌نشده دارید.'],
  conflict: ['Somebody else has changed this meanwhile.', 'کسی دیگر هم‌زمان این را تغییر داده است.'],
  theirs: ['Theirs', 'از او'],
  mine: ['Yours', 'از شما'],
  takeTheirs: ['Take theirs', 'گرفتن تغییر او'],
  keepMine: ['Keep yours', 'نگه داشتن تغییر خود'],
  inStock: ['In stock', 'موجود'],
  asTyped: ['As typed', 'همان‌گونه که نوشته‌اید'],
  lessSold: ['As typed, less what was sold since', 'نوشتهٔ شما، منهای فروش پس از آن'],
} satisfies Record<string, Pair>

interface EditorProps<V extends object> {
  edit: Edit<V>
  failure: Failure | undefined
  isSaving: boolean
  /** Without the permission the form is shown, but cannot be saved. */
  mayEdit?: boolean
  /** Saves the changes; resolves to whether that worked. */
  onSave: () => Promise<boolean>
  /** Names of members for people, for conflicts and faults. */
  names: Partial<Record<keyof V & string, string>>
  /** Reads the record again, after a conflict. */
  onConflict: () => void
  children: ReactNode
  actions?: ReactNode
  /** What the button that saves says. */
  saves?: string
}

/** Editor shows a form with saving, discarding, conflicts, and faults that no field shows. */
export function Editor<V extends object>(props: EditorProps<V>) {
  const { edit, failure } = props
  const t = useWords(words)
  const { tell, confirm } = useFeedback()
  const form = useRef<HTMLFormElement>(null)
  const [unread, setUnread] = useState('') // a number that cannot be read, and so not be saved
  useEffect(() => {
    if (failure?.code === 'CONFLICT') props.onConflict()
    // The fault may be far from the button that saves.
    form.current?.querySelector<HTMLElement>(`[aria-invalid='true'], [data-invalid] [role='textbox']`)?.focus()
    // A failure is a new object each time.
  }, [failure])
  const save = async () => {
    tell('') // clears the message of an earlier save
    const wrong = form.current?.querySelector<HTMLInputElement>('[data-wrong] input')
    setUnread(wrong ? `${wrong.ariaLabel ?? wrong.labels?.[0]?.innerText}: ${say(notNumber)}` : '')
    if (wrong) return wrong.focus()
    if (await props.onSave()) {
      edit.end()
      tell(t.saved)
    }
  }
  const discard = async () => {
    if (!(await confirm({ title: `${t.discard}?`, text: t.discardText, yes: t.discard }))) return
    edit.discard()
  }
  return (
    <Form
      ref={form}
      className="editor"
      validationBehavior="aria" // the browser's own messages are in its language, and not all of the service's rules
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {edit.conflicts.length > 0 && (
        <section className="conflict" role="alert">
          <p>{t.conflict}</p>
          {edit.conflicts.map((conflict) => {
            const { path, stored, mine } = conflict
            const isStock = path[2] === 'stock'
            const left = isStock ? Number(mine) - Number(conflict.was) + Number(stored) : NaN
            return (
              <div key={path.join()}>
                <strong>
                  {path.slice(path.length > 1 ? 1 : 0).map((name, i) => (
                    <bdi key={i}>
                      {i > 0 && ' · '}
                      {(props.names as Partial<Record<string, string>>)[name] ?? name}
                    </bdi>
                  ))}
                </strong>
                <p>
                  {isStock ? t.inStock : t.theirs}: <del>{shown(stored, mine)}</del>
                </p>
                <p>
                  {t.mine}: <ins>{shown(mine, stored)}</ins>
                </p>
                <Button onPress={() => edit.settle(conflict, stored)}>{t.takeTheirs}</Button>{' '}
                <Button onPress={() => edit.settle(conflict, mine)}>
                  {isStock ? `${t.asTyped}: ${shown(mine, stored)}` : t.keepMine}
                </Button>{' '}
                {left >= 0 && left < Number(mine) && (
                  <Button onPress={() => edit.settle(conflict, left)}>{`${t.lessSold}: ${left}`}</Button>
                )}
              </div>
            )
          })}
        </section>
      )}
      <fieldset className="bare" disabled={props.mayEdit === false}>
        {props.children}
      </fieldset>
      <Problem>{unread}</Problem>
      <Problem>
        {failure && (edit.conflicts.length === 0 || failure.code !== 'CONFLICT') && namedIn(failure, props.names)}
      </Problem>
      <p className="buttons save">
        {props.mayEdit !== false && (
          <Button type="submit" className="primary" isPending={props.isSaving} isDisabled={edit.conflicts.length > 0}>
            {props.saves ?? t.save}
          </Button>
        )}
        {edit.isChanged && <Button onPress={() => void discard()}>{t.discard}</Button>}
        {props.actions}
        {edit.isChanged && <span className="unsaved">{t.unsaved}</span>}
      </p>
    </Form>
  )
}

/** The values in a member, in a row. */
const valuesIn = (value: unknown): unknown[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(valuesIn) : [value]

/** A member as text: of a list each part is a line, without those that other has too. */
function shown(value: unknown, other: unknown): string {
  const text = (part: unknown) =>
    valuesIn(part)
      .filter((one) => one !== null && one !== undefined && one !== '')
      .join(' · ')
  if (!Array.isArray(value)) return text(value) || '–'
  const lines = (list: unknown) => (Array.isArray(list) ? list.map(text) : [])
  const others = new Set(lines(other))
  const own = lines(value).filter((line) => !others.has(line))
  return (own.length > 0 ? own : lines(value)).join('\n') || '–'
}
