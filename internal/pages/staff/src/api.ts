// The service, as the page asks it: public GraphQL, with the session of whoever is signed in.
import { RefreshDocument, type TypedDocumentString } from './graphql/graphql'
import { kept } from './kept'
import { language, say, type Pair } from './words'

export type Session = { accessToken: string; refreshToken: string }
export const session = kept<Session>('session')

/** The address of the service, relative to the page. */
export const service = new URL(document.body.dataset.root ?? '.', location.href.split('#')[0])

/** A failure with a code of the service, to decide by. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields: { field: string; message: string }[] = [],
    readonly details: unknown = null,
  ) {
    super(message)
  }
}

// Whether the service requires the second factor. Queries are repeated once it is proved.
let isAsked = false
let proved = 0
const listeners = new Set<() => void>()
const tell = (asked: boolean) => {
  isAsked = asked
  listeners.forEach((heard) => heard())
}
export const proof = {
  isAsked: () => isAsked,
  /** How often it was proved. */
  proved: () => proved,
  given: () => {
    proved++
    tell(false)
  },
  later: () => tell(false),
  subscribe: (heard: () => void) => {
    listeners.add(heard)
    return () => listeners.delete(heard)
  },
}

interface Answer<T> {
  data?: T | null
  errors?: {
    message: string
    extensions?: { code?: string; errors?: { field: string; message: string }[]; details?: unknown }
  }[]
}

const words = {
  offline: [
    'The service could not be reached. What you typed is kept; try again.',
    'به سرویس دسترسی نیست. آنچه نوشته‌اید نگه داشته شده است؛ دوباره تلاش کنید.',
  ],
  unavailable: [
    'The service gave no answer that can be read. Try again.',
    'پاسخ سرویس خوانا نیست. دوباره تلاش کنید.',
  ],
} satisfies Record<string, Pair>

async function send<T>(text: string, variables: unknown, headers: Record<string, string>): Promise<T> {
  let response: Response
  try {
    response = await fetch(new URL('graphql', service), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Accept-Language': language(),
        ...headers,
      },
      body: JSON.stringify({ query: text, variables }),
    })
  } catch {
    throw new Failure('OFFLINE', say(words.offline))
  }
  let answer: Answer<T>
  try {
    answer = (await response.json()) as Answer<T>
  } catch {
    throw new Failure('UNAVAILABLE', say(words.unavailable))
  }
  const first = answer.errors?.[0]
  if (first) {
    const { code, errors, details } = first.extensions ?? {}
    if (code === 'SECOND_FACTOR_REQUIRED') tell(true)
    throw new Failure(code ?? 'INTERNAL', first.message, errors, details)
  }
  if (!answer.data) throw new Failure('UNAVAILABLE', say(words.unavailable))
  return answer.data
}

const bearer = (now: Session | null): Record<string, string> =>
  now ? { Authorization: `Bearer ${now.accessToken}` } : {}

/** credentials returns the headers that identify the session. */
export const credentials = () => bearer(session.get())

// Answers that were requested ahead of the screen that needs them, by document and variables. They belong to one
// session, and are dropped soon or with the first change.
const asked = new Map<string, Promise<unknown>>()
const askedFor = 10_000 // milliseconds
session.subscribe(() => session.get() === null && asked.clear())
const isMutation = (document: unknown) => /^\s*mutation\b/.test(String(document))
const nameOf = (document: unknown, variables: unknown) => String(document) + JSON.stringify(variables)

/** askAhead sends the document of a query; the answer is used by the next call of ask for it. */
export function askAhead<T, V>(document: TypedDocumentString<T, V>, variables: V): Promise<T> {
  const answer = send<T>(document.toString(), variables, bearer(session.get()))
  answer.catch(() => {}) // the next caller of ask gets the failure
  const name = nameOf(document, variables)
  asked.set(name, answer)
  setTimeout(() => asked.get(name) === answer && asked.delete(name), askedFor)
  return answer
}

/**
 * ask sends a document and returns its data, or fails with a Failure. If the access token, which lives for minutes, has
 * expired, it refreshes the session and sends the document again. key is the Idempotency-Key of a mutation.
 */
export async function ask<T, V>(document: TypedDocumentString<T, V>, variables: V, key?: string): Promise<T> {
  const more: Record<string, string> = key ? { 'Idempotency-Key': key } : {}
  const before = session.get()
  const ahead = asked.get(nameOf(document, variables)) as Promise<T> | undefined
  asked.delete(nameOf(document, variables))
  if (isMutation(document)) asked.clear()
  try {
    return await (ahead ?? send<T>(document.toString(), variables, { ...bearer(before), ...more }))
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.code !== 'UNAUTHENTICATED' || !before) throw failure
    await refresh(before)
    return send<T>(document.toString(), variables, { ...bearer(session.get()), ...more })
  }
}

/**
 * refresh exchanges the refresh token, which is valid once. Tabs take turns: the second one finds the new pair in
 * localStorage.
 */
async function refresh(before: Session): Promise<void> {
  const exchange = async () => {
    const now = session.get()
    if (now === null || now.refreshToken !== before.refreshToken) return
    try {
      const { refreshTokens } = await send<{ refreshTokens: Session }>(
        RefreshDocument.toString(),
        { token: now.refreshToken },
        {},
      )
      session.set(refreshTokens)
    } catch (failure) {
      if (failure instanceof Failure && failure.code === 'INVALID_CREDENTIALS') session.set(null)
      else throw failure
    }
  }
  // Pages by plain HTTP have no locks.
  await (isSecureContext ? navigator.locks.request('storefront.staff.refresh', exchange) : exchange())
}

/** asset returns the address of an image, which may be a path of the service. */
export const asset = (url: string): string => new URL(url, service).href
