import { prepare, type Prepared } from "./document.js";
import { StorefrontError, wordsOf, type Code, type ErrorDetails, type FieldError } from "./errors.js";

/** @internal How to reach the service. */
export interface Service {
  /** The address of GraphQL. */
  url: URL;
  fetch: typeof fetch;
  language: () => string;
  timeout: number;
}

/** @internal How a document is sent. */
export interface Sending {
  accessToken?: string | undefined;
  /** The Idempotency-Key: with it a mutation may be sent again. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  timeout?: number;
  /** Reports whether an error can be ignored. */
  allows?: (error: { code: string; path: readonly (string | number)[] }) => boolean;
}

interface Answer {
  data?: unknown;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions?: { code?: string; errors?: FieldError[]; details?: unknown };
  }[];
}

const waits = [300, 1500]; // milliseconds before each retry
const longestWait = 5; // seconds; a longer Retry-After is reported instead of waited for

/** @internal newKey returns an Idempotency-Key. Pages by plain HTTP have no randomUUID. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/**
 * @internal send asks GraphQL. What may be sent twice is sent again where the answer is lost: a query, and a
 * mutation with an Idempotency-Key.
 */
export async function send<T>(service: Service, asked: Prepared, sending: Sending): Promise<T> {
  const once = () => sendOnce(service, asked, sending) as Promise<T>;
  return !asked.isMutation || sending.key !== undefined ? retried(once) : once();
}

/** @internal retried attempts again what was lost, after a while, and not what failed by the code final. */
export async function retried<T>(attempt: () => Promise<T>, final?: Code): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await attempt();
    } catch (cause) {
      const wait = waits[turn];
      if (wait === undefined || !(cause instanceof StorefrontError) || !isLost(cause)) throw cause;
      if (cause.code === final) throw cause;
      await new Promise((wake) => setTimeout(wake, Math.max(wait, (cause.retryAfter ?? 0) * 1000)));
    }
  }
}

/** @internal reasonOf returns why a signal ended what was asked; not everywhere it says so. */
export const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason ?? Object.assign(new Error("This was aborted"), { name: "AbortError" });

const isLost = ({ code, retryAfter = 0 }: StorefrontError) =>
  (code === "OFFLINE" || code === "TIMEOUT" || code === "UNAVAILABLE") && retryAfter <= longestWait;

async function sendOnce(service: Service, asked: Prepared, sending: Sending): Promise<unknown> {
  const { body, more } = await request(service, service.url, sending.timeout ?? service.timeout, {
    method: "POST",
    signal: sending.signal ?? null,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json", // errors of documents are 200 then, of which a browser's console does not complain
      ...(sending.accessToken ? { Authorization: `Bearer ${sending.accessToken}` } : {}),
      ...(sending.key ? { "Idempotency-Key": sending.key } : {}),
    },
    body: JSON.stringify({ query: asked.text, variables: asked.variables }),
  });
  const { data, errors } = body as Answer;
  const failures = (errors ?? []).flatMap(({ message, path = [], extensions = {} }) => {
    const { code = "INTERNAL", errors: fields, details } = extensions;
    if (sending.allows?.({ code, path })) return [];
    return [new StorefrontError(code, message, { path, fields, details, data, ...more })];
  });
  const [first] = failures;
  if (first) throw failures.find(({ code }) => code === "UNAUTHENTICATED") ?? first; // a refresh may resolve the others
  if (!data) throw failed(service, "UNAVAILABLE", more);
  return data;
}

/**
 * @internal request is fetch with the client's language, and the JSON of the answer, which may be an error of REST. It
 * fails with a StorefrontError, or as the signal says.
 */
export async function request(
  service: Service,
  url: URL,
  timeout: number,
  init: RequestInit,
): Promise<{ body: unknown; more: ReturnType<typeof metaOf> }> {
  const { signal } = init;
  if (signal?.aborted) throw reasonOf(signal);
  // Browsers of last year have no AbortSignal.any, and React Native no AbortSignal.timeout.
  const ends = new AbortController();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    ends.abort();
  }, timeout);
  const leave = () => ends.abort();
  signal?.addEventListener("abort", leave);
  const language = service.language();
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(language && { "Accept-Language": language }),
  };
  let more: ReturnType<typeof metaOf> | undefined;
  try {
    const response = await service.fetch.call(globalThis, url, { ...init, headers, signal: ends.signal });
    more = metaOf(response);
    const body = (await response.json()) as Refusal;
    if (!response.ok && body.code) {
      const { code, message = "", errors: fields, details } = body;
      throw new StorefrontError(code, message, { fields, details, ...more });
    }
    return { body, more };
  } catch (cause) {
    if (signal?.aborted) throw reasonOf(signal);
    if (cause instanceof StorefrontError) throw cause;
    throw failed(service, isLate ? "TIMEOUT" : more ? "UNAVAILABLE" : "OFFLINE", { ...more, cause });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", leave);
  }
}

interface Refusal {
  code?: string;
  message?: string;
  errors?: FieldError[];
  details?: unknown;
}

const metaOf = ({ headers }: Response) => ({
  retryAfter: Number(headers.get("Retry-After")) || undefined,
  requestId: headers.get("X-Request-Id") ?? undefined,
});

/** @internal failed returns the error of a failure in the client itself. */
export const failed = (
  service: Service,
  code: "OFFLINE" | "TIMEOUT" | "UNAVAILABLE" | "UNAUTHENTICATED",
  more?: ErrorDetails,
) => new StorefrontError(code, wordsOf(code, service.language()), more);

/** @internal askText sends a document of the client's own. */
export const askText = <T>(
  service: Service,
  text: string,
  variables: Record<string, unknown>,
  sending: Sending,
): Promise<T> => send<T>(service, prepare(text, variables), sending);
