import type { LeftOut } from "./cart.js";
import { isCode } from "./errors.js";
import type { Lock } from "./lock.js";
import type { Kept } from "./storage.js";
import { askText, retried, type Service } from "./transport.js";

/** @internal The tokens of a session, as they are stored. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token ends, by this machine's clock; 0: unknown. */
  until?: number;
  /** The session that both are of: refreshed, it is the same. */
  sid?: string;
}

const pair = "accessToken refreshToken";
const granted = `${pair} formerAccessEnded message`;
const refreshTimeout = 8000; // milliseconds

/** The data of a new account. */
export interface Registration {
  cellNumber: string;
  firstName: string;
  lastName: string;
  /** Of `signInByCode`: with it neither a password nor another code is needed. */
  ticket?: string;
  password?: string;
  code?: string;
  email?: string;
  /** Links an account that the cell has at another shop of the service. */
  acknowledgeExistingAccount?: boolean;
}

/** Whether a code is on its way. */
export interface CodeSent {
  enabled: boolean;
  /** For the customer. */
  message: string;
  expiresInSeconds?: number;
}

/** A session has begun. */
export interface SignedIn {
  status: "signedIn";
  /**
   * Whether the password and sessions of before have ended, because nobody had proved that the number is theirs. What is
   * in the account stays. Show the message, and offer to set a new password.
   */
  formerAccessEnded?: true;
  /** For the customer. */
  message?: string;
  /** What of the guest's cart did not fit into the customer's. */
  leftOut: LeftOut[];
}

/** The code was right, and the cell has no account: `register` with the ticket, within `expiresInSeconds`. */
export interface NoAccount {
  status: "noAccount";
  ticket: string;
  cellNumber: string;
  expiresInSeconds: number;
}

/** The cell has an account at another shop. It is linked once it was signed in to by a code. */
export interface LinkPending {
  status: "linkPending";
  /** For the customer. */
  message: string;
}

interface Granted extends Tokens {
  formerAccessEnded?: boolean;
  message?: string | null;
}

/**
 * The session of a customer, for all tabs of a browser: one of them refreshes it, and each signs out with the
 * others. Its tokens are kept in the client's storage.
 */
export class Session {
  #service: Service;
  #kept: Kept<Tokens>;
  #lock: Lock;
  #domain: string;
  #signedIn: () => Promise<LeftOut[]>;
  #refreshing: { of: string; done: Promise<void> } | undefined;

  /** @internal */
  constructor(
    service: Service,
    kept: Kept<Tokens>,
    lock: Lock,
    domain: string,
    signedIn: () => Promise<LeftOut[]>,
  ) {
    this.#service = service;
    this.#kept = kept;
    this.#lock = lock;
    this.#domain = domain;
    this.#signedIn = signedIn;
  }

  /** Whether this browser has the session of a customer. */
  get isSignedIn(): boolean {
    return this.#kept.get() !== null;
  }

  /**
   * Calls heard whenever somebody signs in or out, until the returned function is called; elsewhere: in another tab.
   */
  subscribe(heard: (elsewhere: boolean) => void): () => void {
    const now = () => sidOf(this.#kept.get());
    let was = now();
    return this.#kept.subscribe((elsewhere) => {
      if (was === now()) return; // refreshed
      was = now();
      heard(elsewhere);
    });
  }

  /** Sends a code by SMS. If SMS is not enabled, ask for a password instead. */
  async sendCode(cellNumber: string): Promise<CodeSent> {
    const { sendOtp } = await this.#ask<{ sendOtp: CodeSent }>(
      `mutation($input: SendOtpInput!) { sendOtp(input: $input) {
        ... on OtpSent { enabled message expiresInSeconds } ... on OtpUnavailable { enabled message } } }`,
      { cellNumber, domain: this.#domain },
    );
    return sendOtp;
  }

  /** Signs in by a code, or returns the ticket with which a new customer registers. Wrong code: `INVALID_CODE`. */
  async signInByCode(cellNumber: string, code: string): Promise<SignedIn | NoAccount> {
    const { signInByCode: found } = await this.#ask<{ signInByCode: Granted | Omit<NoAccount, "status"> }>(
      `mutation($input: SignInByCodeInput!) { signInByCode(input: $input) {
        ... on SignInPayload { ${granted} } ... on NoAccount { ticket cellNumber expiresInSeconds } } }`,
      { cellNumber, code, domain: this.#domain },
    );
    return "ticket" in found ? { status: "noAccount", ...found } : this.#begin(found);
  }

  /** Signs in by a password. A wrong one: `INVALID_CREDENTIALS`. */
  async signIn(cellNumber: string, password: string): Promise<SignedIn> {
    const { login } = await this.#ask<{ login: Granted }>(
      `mutation($input: LoginInput!) { login(input: $input) { ${granted} } }`,
      { cellNumber, password },
    );
    return this.#begin(login);
  }

  /** Makes an account at the shop and signs in: by a ticket, a code or a password. */
  async register(registration: Registration): Promise<SignedIn | LinkPending> {
    const { register } = await this.#ask<{ register: { signIn: Granted } | { message: string } }>(
      `mutation($input: RegisterInput!) { register(input: $input) {
        ... on Registered { signIn { ${granted} } } ... on LinkPending { message } } }`,
      { ...registration, domain: this.#domain },
    );
    return "signIn" in register ? this.#begin(register.signIn) : { status: "linkPending", ...register };
  }

  /** Keeps a session that began elsewhere, such as in a document of your own. */
  async begin(tokens: { accessToken: string; refreshToken: string }): Promise<SignedIn> {
    return this.#begin(tokens);
  }

  /** Ends the session, in all tabs at once; at the service too, where it can be reached. */
  async signOut(): Promise<void> {
    let ended = this.#kept.get();
    this.#kept.set(null);
    if (!ended) return;
    try {
      if (isOver(ended)) ended = await this.#exchange(ended);
      await askText(this.#service, `mutation { logout { message } }`, {}, { accessToken: ended.accessToken });
    } catch {
      // An unused session ends by itself after a while.
    }
  }

  /**
   * @internal refresh exchanges a refresh token. Tabs take turns: who comes second finds the new pair.
   * Where the answer is lost it is asked for again, and the turn is given to others before. All requests that wait
   * for it share it, and its failure.
   */
  refresh(spent: Tokens): Promise<void> {
    if (this.#refreshing?.of !== spent.refreshToken) {
      const attempt = () => this.#lock("refresh", () => this.#refresh(spent));
      const refreshing = { of: spent.refreshToken, done: retried(attempt, "TIMEOUT") };
      this.#refreshing = refreshing;
      const end = () => void (this.#refreshing === refreshing && (this.#refreshing = undefined));
      refreshing.done.then(end, end);
    }
    return this.#refreshing!.done;
  }

  async #refresh(spent: Tokens): Promise<void> {
    const isStill = () => this.#kept.get()?.refreshToken === spent.refreshToken;
    if (!isStill()) return;
    try {
      const next = await this.#exchange(spent);
      if (isStill()) this.#kept.set(next);
    } catch (cause) {
      if (!isCode(cause, "INVALID_CREDENTIALS")) throw cause;
      if (isStill()) this.#kept.set(null);
    }
  }

  async #exchange({ refreshToken }: Tokens): Promise<Tokens> {
    const { refreshTokens } = await askText<{ refreshTokens: Tokens }>(
      this.#service,
      `mutation($refreshToken: String!) { refreshTokens(input: { refreshToken: $refreshToken }) { ${pair} } }`,
      { refreshToken },
      { timeout: refreshTimeout },
    );
    return withEnd(refreshTokens);
  }

  #ask<T>(text: string, input: object): Promise<T> {
    // The service recognizes who signed in before even by an expired access token.
    return askText<T>(this.#service, text, { input }, { accessToken: this.#kept.get()?.accessToken });
  }

  async #begin({ formerAccessEnded, message, ...tokens }: Granted): Promise<SignedIn> {
    this.#kept.set(withEnd(tokens));
    return {
      status: "signedIn",
      ...(formerAccessEnded && { formerAccessEnded }),
      ...(message && { message }),
      leftOut: await this.#signedIn(),
    };
  }
}

/** @internal sidOf names the session of tokens, which stays the same when they are refreshed; null: there is none. */
export const sidOf = (of: Tokens | null) => of && (of.sid ?? withEnd(of).sid ?? "");

const early = 5000; // milliseconds before its end that an access token counts as expired

/** @internal Reports whether the access token has expired by the clock. */
export const isOver = ({ until }: Tokens) => Boolean(until) && Date.now() > until! - early;

/** withEnd records when the access token expires, by its lifetime, since this machine's clock may be wrong. */
function withEnd({ accessToken, refreshToken }: Tokens): Tokens {
  try {
    const { exp, iat, sid } = JSON.parse(
      atob(accessToken.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")),
    );
    return { accessToken, refreshToken, until: Date.now() + (exp - iat) * 1000 || 0, sid };
  } catch {
    return { accessToken, refreshToken }; // in an unknown form: it is used until it is refused
  }
}
