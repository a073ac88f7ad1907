/**
 * A code of the service, to decide by, and two of the client: `OFFLINE`, no answer came; `TIMEOUT`, none came
 * in time. An answer that cannot be read is `UNAVAILABLE`. Codes may be added.
 */
// prettier-ignore
export type Code =
  | "VALIDATION_FAILED" | "BAD_REQUEST" | "INVALID_CODE" | "NO_ACCOUNT" | "CURRENT_PASSWORD_INCORRECT"
  | "CART_EMPTY" | "UNAUTHENTICATED" | "INVALID_CREDENTIALS" | "FORBIDDEN" | "SECOND_FACTOR_REQUIRED"
  | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "CELL_ALREADY_REGISTERED"
  | "CELL_EXISTS_OTHER_SITE" | "INSUFFICIENT_STOCK" | "ITEM_UNAVAILABLE" | "PRICE_CHANGED"
  | "NOT_DELIVERABLE"
  | "MAX_ORDER_QUANTITY_EXCEEDED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE"
  | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL" | "SMS_UNAVAILABLE" | "UNAVAILABLE"
  | "SHOP_CLOSED" | "GRAPHQL_PARSE_FAILED" | "GRAPHQL_VALIDATION_FAILED" | "LIMIT_EXCEEDED"
  | "PERSISTED_QUERY_NOT_FOUND" | "OFFLINE" | "TIMEOUT"
  | (string & {});

/** A fault of a member of an input. */
export interface FieldError {
  /** The dotted path of the member as it was sent: `input.cellNumber`. */
  field: string;
  /** For people. */
  message: string;
}

/** What else is known of a failure. */
export interface ErrorDetails {
  path?: readonly (string | number)[] | undefined;
  fields?: readonly FieldError[] | undefined;
  details?: unknown;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  data?: unknown;
  cause?: unknown;
}

/**
 * A failure of the service, or on the way to it. Decide by `code`; `message` is for people, in the client's
 * language.
 */
export class StorefrontError extends Error {
  override readonly name = "StorefrontError";
  readonly code: Code;
  /** The field of the document that failed. */
  readonly path: readonly (string | number)[];
  /** All members that are wrong, with `VALIDATION_FAILED`. */
  readonly fields: readonly FieldError[];
  /** Details of some codes, such as the short lines of `INSUFFICIENT_STOCK`. */
  readonly details: unknown;
  /** When to try again, in seconds. */
  readonly retryAfter: number | undefined;
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** What the document was answered beside the failure: a page may show the rest. */
  readonly data: unknown;

  constructor(code: Code, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.path = more.path ?? [];
    this.fields = more.fields ?? [];
    this.details = more.details;
    this.retryAfter = more.retryAfter;
    this.requestId = more.requestId;
    this.data = more.data;
  }

  /** The message of the member with a name, `cellNumber`, or undefined. */
  at(member: string): string | undefined {
    return this.fields.find(({ field }) => field === member || field.endsWith(`.${member}`))?.message;
  }
}

/** isCode reports whether a cause is a StorefrontError with one of the codes. */
export function isCode(cause: unknown, ...codes: Code[]): cause is StorefrontError {
  return cause instanceof StorefrontError && codes.includes(cause.code);
}

const english = {
  OFFLINE: "The shop could not be reached. Try again.",
  TIMEOUT: "The shop took too long to answer. Try again.",
  UNAVAILABLE: "The shop cannot answer at the moment. Try again.",
  UNAUTHENTICATED: "You have been signed out.",
  PAYLOAD_TOO_LARGE: "The file is too large. The most in MiB:",
};
const persian: typeof english = {
  OFFLINE: "به فروشگاه دسترسی نیست. دوباره تلاش کنید.",
  TIMEOUT: "پاسخ فروشگاه دیر شد. دوباره تلاش کنید.",
  UNAVAILABLE: "فروشگاه اکنون پاسخ نمی‌دهد. دوباره تلاش کنید.",
  UNAUTHENTICATED: "از حساب خود خارج شده‌اید.",
  PAYLOAD_TOO_LARGE: "فایل بزرگ است. بیشترین اندازه به مگابایت:",
};

/** @internal wordsOf returns the client's own message, in the language that an Accept-Language would get. */
export function wordsOf(code: keyof typeof english, language: string): string {
  return (/^fa\b/i.test(language) ? persian : english)[code];
}
