import { prepare, type Prepared } from "./document.js";
import { StorefrontError, wordsOf, type FieldError } from "./errors.js";

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
  /** Sent again if the answer is lost, although it is a mutation without a key. */
  again?: boolean;
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
  const again = sending.again ?? (!asked.isMutation || sending.key !== undefined);
  for (let turn = 0; ; turn++) {
    try {
      return (await sendOnce(service, asked, sending)) as T;
    } catch (cause) {
      const wait = waits[turn];
      if (!again || wait === undefined || !(cause instanceof StorefrontError) || !isLost(cause)) throw cause;
      await new Promise((wake) => setTimeout(wake, Math.max(wait, (cause.retryAfter ?? 0) * 1000)));
    }
  }
}

const isLost = ({ code, retryAfter = 0 }: StorefrontError) =>
  (code === "OFFLINE" || code === "TIMEOUT" || code === "UNAVAILABLE") && retryAfter <= longestWait;

async function sendOnce(service: Service, asked: Prepared, sending: Sending): Promise<unknown> {
  const response = await request(service, service.url, sending.timeout ?? service.timeout, {
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
  const { data, errors } = (await read(service, response)) as Answer;
  const more = metaOf(response);
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

/** @internal request is fetch with the client's language; it fails with a StorefrontError. */
export async function request(
  service: Service,
  url: URL,
  timeout: number,
  init: RequestInit,
): Promise<Response> {
  const late = AbortSignal.timeout(timeout);
  const language = service.language();
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(language && { "Accept-Language": language }),
  };
  try {
    return await service.fetch.call(globalThis, url, {
      ...init,
      headers,
      signal: init.signal ? AbortSignal.any([init.signal, late]) : late,
    });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw failed(service, late.aborted ? "TIMEOUT" : "OFFLINE");
  }
}

/** @internal Returns the JSON of an answer, which may be an error of REST. */
export async function read(service: Service, response: Response): Promise<unknown> {
  let body: { code?: string; message?: string; errors?: FieldError[]; details?: unknown };
  try {
    body = await response.json();
  } catch {
    throw failed(service, "UNAVAILABLE", metaOf(response));
  }
  if (!response.ok && body.code)
    throw new StorefrontError(body.code, body.message ?? "", {
      fields: body.errors,
      details: body.details,
      ...metaOf(response),
    });
  return body;
}

const metaOf = ({ headers }: Response) => ({
  retryAfter: Number(headers.get("Retry-After")) || undefined,
  requestId: headers.get("X-Request-Id") ?? undefined,
});

/** @internal failed returns the error of a failure in the client itself. */
export const failed = (
  service: Service,
  code: "OFFLINE" | "TIMEOUT" | "UNAVAILABLE",
  more?: { retryAfter?: number | undefined },
) => new StorefrontError(code, wordsOf(code, service.language()), more);

/** @internal askText sends a document of the client's own. */
export const askText = <T>(
  service: Service,
  text: string,
  variables: Record<string, unknown>,
  sending: Sending,
): Promise<T> => send<T>(service, prepare(text, variables), sending);
