import assert from "node:assert/strict";
import { test } from "node:test";
import { lockInProcess, memoryStorage } from "../dist/index.js";
import { fake, lost, refused, shopOf, tokens } from "./fake.mjs";

const me = "{ me { firstName } }";
const wait = (time) => new Promise((wake) => setTimeout(wake, time));

/**
 * service refreshes tokens, each good once and for a moment afterwards, and knows the access tokens that it
 * gave.
 */
function service({ life = 900, losesAnswers = 0 } = {}) {
  const first = tokens("1", life);
  const access = new Set([first.accessToken]);
  const refresh = new Set([first.refreshToken]);
  return {
    first,
    refreshes: 0,
    signedOut: [],
    /** The access token of the first pair has ended. */
    end: () => access.delete(first.accessToken),
    async answer({ text, variables, headers }) {
      if (text.includes("refreshTokens")) {
        const next = tokens(String(++this.refreshes + 1), life);
        await wait(5);
        if (!refresh.has(variables.refreshToken)) return refused("INVALID_CREDENTIALS");
        access.add(next.accessToken);
        refresh.add(next.refreshToken);
        return losesAnswers-- > 0 ? lost : { refreshTokens: next };
      }
      if (text.includes("logout")) {
        this.signedOut.push(headers.Authorization);
        return { logout: { message: "" } };
      }
      if (text.includes("login")) return { login: { ...first, message: "" } };
      const isGood = access.has(headers.Authorization?.replace("Bearer ", ""));
      return isGood ? { me: { firstName: "Sara" } } : refused("UNAUTHENTICATED");
    },
  };
}

/** tabs are clients of one browser: they share a storage and a lock. */
function tabs(of, count, more = {}) {
  const { fetch, asked } = fake((request) => of.answer(request));
  const shared = { storage: memoryStorage(), lock: lockInProcess(), ...more };
  shared.storage.setItem("storefront.session", JSON.stringify(of.first));
  return { asked, shared, tabs: Array.from({ length: count }, () => shopOf(fetch, shared)) };
}

test("two tabs, and two requests of each, refresh an ended session once", async () => {
  const of = service();
  const { tabs: both, asked } = tabs(of, 2);
  of.end();
  const answers = await Promise.all([...both, ...both].map((tab) => tab.ask(me)));
  assert.equal(of.refreshes, 1);
  assert.deepEqual(answers, Array(4).fill({ me: { firstName: "Sara" } }));
  assert.equal(asked.length, 9); // four refused, one refresh, four again
});

test("without a lock between tabs each may refresh, and none is signed out", async () => {
  const of = service();
  const { tabs: both } = tabs(of, 2, { lock: (name, work) => work() });
  of.end();
  const answers = await Promise.all(both.map((tab) => tab.ask(me)));
  assert.equal(of.refreshes, 2);
  assert.deepEqual(answers, Array(2).fill({ me: { firstName: "Sara" } }));
});

test("a refresh whose answer is lost is sent again and signs nobody out", async () => {
  const of = service({ losesAnswers: 2 });
  const {
    tabs: [tab],
  } = tabs(of, 1);
  of.end();
  assert.deepEqual(await tab.ask(me), { me: { firstName: "Sara" } });
  assert.equal(of.refreshes, 3);
});

test("while the service cannot be reached the session stays, and goes on afterwards", async () => {
  const of = service();
  let isDown = true;
  const { fetch } = fake((request) =>
    isDown && request.text.includes("refreshTokens") ? lost : of.answer(request),
  );
  const storage = memoryStorage();
  storage.setItem("storefront.session", JSON.stringify(of.first));
  const tab = shopOf(fetch, { storage });
  of.end();
  assert.equal((await tab.ask(me).catch((cause) => cause)).code, "OFFLINE");
  assert.ok(tab.session.isSignedIn);
  isDown = false;
  assert.deepEqual(await tab.ask(me), { me: { firstName: "Sara" } });
});

test("a session that the service has ended ends here, and the document is asked as a visitor", async () => {
  const of = service();
  of.end();
  const {
    tabs: [tab],
    asked,
  } = tabs({ ...of, first: { ...of.first, refreshToken: "known to nobody" } }, 1);
  let heard = 0;
  tab.session.subscribe(() => heard++);
  assert.equal((await tab.ask(me).catch((cause) => cause)).code, "UNAUTHENTICATED");
  assert.equal(tab.session.isSignedIn, false);
  assert.equal(heard, 1);
  assert.deepEqual(
    asked.map(({ headers }) => Boolean(headers.Authorization)),
    [true, false, false],
  );
});

test("an access token that has ended by its own life is refreshed before it is refused", async () => {
  const of = service({ life: 4 }); // seconds: less than the clock is trusted with
  const { fetch, asked } = fake((request) => of.answer(request));
  const shop = shopOf(fetch);
  await shop.session.signIn("0912", "secret");
  await shop.ask(me);
  assert.deepEqual(
    asked.map(({ text }) => /login|refreshTokens|me/.exec(text)[0]),
    ["login", "refreshTokens", "me"],
  );
});

test("signing out ends the session at the service and in the storage, also when it cannot be reached", async () => {
  const of = service();
  const {
    tabs: [tab],
    shared,
  } = tabs(of, 1);
  await tab.session.signOut();
  assert.deepEqual(of.signedOut, [`Bearer ${of.first.accessToken}`]);
  assert.equal(shared.storage.getItem("storefront.session"), null);
  shared.storage.setItem("storefront.session", JSON.stringify(of.first));
  const offline = shopOf(fake(() => lost).fetch, shared);
  await offline.session.signOut();
  assert.equal(offline.session.isSignedIn, false);
});

test("who signs out while a refresh is under way is not signed in again by it", async () => {
  const of = service();
  const {
    tabs: [tab, other],
  } = tabs(of, 2, { lock: (name, work) => work() });
  of.end();
  const asking = tab.ask(me).catch((cause) => cause);
  await wait(2); // the refresh is under way
  await other.session.signOut();
  assert.equal((await asking).code, "UNAUTHENTICATED");
  assert.equal(tab.session.isSignedIn, false);
});

test("by a code: a session, or a ticket with which somebody new registers", async () => {
  const { fetch, asked } = fake(({ text }) =>
    text.includes("sendOtp")
      ? { sendOtp: { enabled: true, message: "sent", expiresInSeconds: 300 } }
      : text.includes("signInByCode")
        ? { signInByCode: { ticket: "t1", cellNumber: "+989120000000", expiresInSeconds: 600 } }
        : { register: { signIn: { ...tokens("new"), message: "welcome" } } },
  );
  const { session } = shopOf(fetch);
  assert.equal((await session.sendCode("0912")).enabled, true);
  const found = await session.signInByCode("0912", "123456");
  assert.deepEqual(found, {
    status: "noAccount",
    ticket: "t1",
    cellNumber: "+989120000000",
    expiresInSeconds: 600,
  });
  const { ticket, cellNumber } = found;
  const done = await session.register({ ticket, cellNumber, firstName: "Sara", lastName: "Karimi" });
  assert.deepEqual(done, { status: "signedIn", message: "welcome", leftOut: [] });
  assert.ok(session.isSignedIn);
  assert.deepEqual(asked[2].variables.input, {
    ticket,
    cellNumber,
    firstName: "Sara",
    lastName: "Karimi",
    domain: "shop.example",
  });
});
