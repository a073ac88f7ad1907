// The service, as the page asks it: public GraphQL, with the session of whoever is signed in.
import { RefreshDocument, SignOutDocument, type TypedDocumentString } from './graphql/graphql'
import { kept } from './kept'
import { language, say, type Pair } from './words'

export type Session = { accessToken: string; refreshToken: string }
export const session = kept<Session>('session')

/** claims returns the session that tokens belong to, which stays the same when they are refreshed, and its person. */
const claims = (of: Session | null): { sid: string; sub: string } | null => {
  if (!of) return null
  try {
    return JSON.parse(atob(of.accessToken.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return { sid: '', sub: '' } // in an unknown form
  }
}

// What the page shows, keeps in memory and has under way belongs to one session.
let own = claims(session.get())

/** person identifies whose work the page keeps. */
export const person = () => own?.sub ?? ''

/**
 * isOwn reports whether the browser still has the session of the page, or none. For another one the page begins anew:
 * it is emptied at once, and nothing of it is sent.
 */
export function isOwn(): boolean {
  const now = claims(session.get())
  own ??= now
  if (now === null || now.sid === own?.sid) return true
  document.body.hidden = true
  location.reload()
  return false
}
session.subscribe(isOwn)
for (const event of ['pageshow', 'visibilitychange']) addEventListener(event, isOwn) // it was frozen, or is shown again

/** The address of the service, relative to the page. */
export const service = new URL(document.body.dataset.root ?? '.', location.href.split('#')[0])

/** A failure with a code of the service, to decide by. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields: { field: string; message: string }[] = [],
    readonly details: unknown = null,
    cause?: unknown,
  ) {
    super(message, { cause })
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

const longest = 15_000 // milliseconds for a request
const longestRefresh = 8000
/** For a file, whose line may be slow. */
export const longestUpload = 300_000

type Headers = Record<string, string>

async function send<T>(text: string, variables: unknown, headers: Headers, time = longest): Promise<T> {
  let response: Response
  let answer: Answer<T>
  const signal = AbortSignal.timeout(time)
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
      signal,
    })
  } catch (cause) {
    throw new Failure('OFFLINE', say(words.offline), [], null, cause)
  }
  try {
    answer = (await response.json()) as Answer<T>
  } catch (cause) {
    const code = signal.aborted ? 'OFFLINE' : 'UNAVAILABLE'
    throw new Failure(code, say(signal.aborted ? words.offline : words.unavailable), [], null, cause)
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

const bearer = (now: Session | null): Headers => (now ? { Authorization: `Bearer ${now.accessToken}` } : {})

/** credentials returns the headers that identify the session. */
export const credentials = () => bearer(isOwn() ? session.get() : null)

// Answers that were requested ahead of the screen that needs them, by document and variables. They are dropped soon,
// or with the first change.
const asked = new Map<string, Promise<unknown>>()
const askedFor = 10_000 // milliseconds
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
 * expired, it refreshes the session and sends the document again, unless the session is over by then. key is the
 * Idempotency-Key of a mutation. Nothing is sent, and nothing answered, where the page is about to begin anew.
 */
export async function ask<T, V>(document: TypedDocumentString<T, V>, variables: V, key?: string): Promise<T> {
  if (!isOwn()) return new Promise(() => {})
  const more: Headers = key ? { 'Idempotency-Key': key } : {}
  const before = session.get()
  const ahead = asked.get(nameOf(document, variables)) as Promise<T> | undefined
  asked.delete(nameOf(document, variables))
  if (isMutation(document)) asked.clear()
  try {
    return await (ahead ?? send<T>(document.toString(), variables, { ...bearer(before), ...more }))
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.code !== 'UNAUTHENTICATED' || !before) throw failure
    await (refreshing ??= refresh(before).finally(() => (refreshing = null)))
    if (!isOwn()) return new Promise(() => {})
    if (session.get() === null) throw failure
    return send<T>(document.toString(), variables, { ...bearer(session.get()), ...more })
  }
}

const exchange = async (token: string) =>
  (await send<{ refreshTokens: Session }>(RefreshDocument.toString(), { token }, {}, longestRefresh)).refreshTokens

let refreshing: Promise<void> | null = null // all requests that wait share it, and its failure

/**
 * refresh exchanges the refresh token, which is valid once. Tabs take turns: the second one finds the new pair in
 * localStorage.
 */
async function refresh(before: Session): Promise<void> {
  const isStill = () => session.get()?.refreshToken === before.refreshToken
  const inTurn = async () => {
    if (!isStill()) return
    try {
      const next = await exchange(before.refreshToken)
      if (isStill()) session.set(next)
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.code !== 'INVALID_CREDENTIALS') throw failure
      if (isStill()) session.set(null)
    }
  }
  if (!isSecureContext) return inTurn() // pages by plain HTTP have no locks
  const signal = AbortSignal.timeout(longest)
  try {
    await navigator.locks.request('storefront.staff.refresh', { signal }, inTurn)
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('OFFLINE', say(words.offline), [], null, cause)
  }
}

/** signOut ends the session of the browser at once, and at the service too where it can be reached. */
export async function signOut(): Promise<void> {
  const ended = session.get()
  session.set(null)
  if (!ended) return
  const logout = (of: Session) => send(SignOutDocument.toString(), {}, bearer(of))
  try {
    await logout(ended).catch(async (failure: Failure) => {
      if (failure.code === 'UNAUTHENTICATED') await logout(await exchange(ended.refreshToken))
    })
  } catch {
    // An unused session ends by itself after a while.
  }
}

/** asset returns the URL of an image whose address may be a path of the service, or undefined if it is no URL. */
export const asset = (url: string): string | undefined =>
  URL.canParse(url, service) ? new URL(url, service).href : undefined
