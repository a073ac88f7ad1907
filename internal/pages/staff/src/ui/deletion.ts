// The question before several records are deleted.
import { say } from '../words'

const named = 5

/** deletionOf returns a question that names how many records are deleted, and the first of them. */
export function deletionOf(titles: string[], number: (n: number) => string) {
  const first = titles.slice(0, named).map((title) => `«${title}»`)
  const all = [...first, ...(titles.length > named ? ['…'] : [])].join(say([', ', '، ']))
  const count = number(titles.length)
  return {
    title: say([`Delete what is chosen (${count})?`, `${count} مورد برگزیده حذف شود؟`]),
    text: say([`${all}. This cannot be undone.`, `${all}. این کار برگشت ندارد.`]),
    yes: say(['Delete', 'حذف']),
  }
}
