// The service: one GraphQL client, the customer's session and the guest's cart.
import { Client, createRequest, fetchExchange, type CombinedError } from "@urql/core";

const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content;
const fromEnvironment = (import.meta as unknown as { env?: Record<string, string> }).env?.VITE_SERVICE;

export const service = fromEnvironment || said("service");
export const domain = said("shop");

/** A failure with a code of the service, to decide by. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields: { field: string; message: string }[] = [],
  ) {
    super(message);
  }
}

// What is kept between visits. All tabs of a browser see the same.
export type Session = { accessToken: string; refreshToken: string };
export const session = kept<Session>("session");
export const guestToken = kept<string>("cart");

function kept<T>(name: string) {
  return {
    get: (): T | null => JSON.parse(localStorage.getItem(name) ?? "null"),
    set(value: T | null) {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
      dispatchEvent(new Event("kept"));
    },
  };
}

const client = new Client({
  url: `${service}/graphql`,
  exchanges: [fetchExchange],
  preferGetMethod: false,
  requestPolicy: "network-only",
  fetchOptions: () => ({ headers: usual() }),
});

/** usual are the headers of every request. As application/json an error is 200, which browsers do not complain of. */
function usual(): Record<string, string> {
  const now = session.get();
  return {
    accept: "application/json",
    "Accept-Language": document.documentElement.lang,
    ...(now ? { Authorization: `Bearer ${now.accessToken}` } : {}),
  };
}

const failureOf = (error: CombinedError): Failure => {
  const first = error.graphQLErrors[0];
  if (!first) return new Failure("UNAVAILABLE", error.message);
  const more = first.extensions as { code?: string; errors?: { field: string; message: string }[] };
  return new Failure(more.code ?? "INTERNAL", first.message, more.errors);
};

// The key of a request is a number of its own: urql gives a second request of the same key the answer that the first one
// waits for, which does not know of a change between the two.
let asked = 0;

/** ask sends a document. An access token lives minutes: where it has ended, the session is refreshed and it is sent again. */
export async function ask<T>(
  text: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<T> {
  const before = session.get();
  const more = { fetchOptions: () => ({ headers: { ...usual(), ...headers } }) };
  const send = () => {
    const request = { ...createRequest(text, variables), key: ++asked };
    return (
      text.startsWith("mutation") ? client.executeMutation(request, more) : client.executeQuery(request, more)
    ).toPromise();
  };
  let { data, error } = await send();
  if (error && before && failureOf(error).code === "UNAUTHENTICATED") {
    await refresh(before);
    ({ data, error } = await send());
  }
  if (error) throw failureOf(error);
  return data as T;
}

/**
 * refresh exchanges the refresh token, which is good once. Tabs take turns: the one that comes second finds the new pair
 * in localStorage. REFRESH_GRACE of the service covers a tab that was closed, or a network that was lost, in between.
 */
async function refresh(before: Session): Promise<void> {
  await navigator.locks.request("refresh", async () => {
    const now = session.get();
    if (now === null || now.refreshToken !== before.refreshToken) return;
    const { data, error } = await client
      .mutation(
        `mutation($token: String!) { refreshTokens(input: { refreshToken: $token }) { accessToken refreshToken } }`,
        { token: now.refreshToken },
      )
      .toPromise();
    if (data) session.set(data.refreshTokens);
    else if (error && failureOf(error).code === "INVALID_CREDENTIALS") session.set(null);
  });
}

/** Addresses of images may be paths of the service. */
export const asset = (url: string) => new URL(url, service).href;
