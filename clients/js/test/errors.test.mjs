import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode, StorefrontError } from "../dist/index.js";
import { fake, lost, refused, shopOf } from "./fake.mjs";

const query = '{ tenant(domain: "shop.example") { name } }';
const failure = async (answer, more) => {
  const { fetch, asked } = fake(answer);
  let found;
  await shopOf(fetch, more)
    .ask(query)
    .catch((cause) => (found = cause));
  return Object.assign(found, { asked });
};

test("a failure has its code, place, members and what came beside it", async () => {
  const found = await failure(() => ({
    errors: [
      {
        message: "no",
        path: ["tenant", "product"],
        extensions: {
          code: "VALIDATION_FAILED",
          errors: [
            { field: "input.cellNumber", message: "must be a cell" },
            { field: "input", message: "must be whole" },
          ],
          details: [1],
        },
      },
    ],
    data: { tenant: { product: null } },
  }));
  assert.ok(found instanceof StorefrontError && found instanceof Error);
  assert.ok(
    isCode(found, "NOT_FOUND", "VALIDATION_FAILED") &&
      !isCode(found, "NOT_FOUND") &&
      !isCode(new Error("x"), "x"),
  );
  assert.deepEqual(
    [found.code, found.message, found.path, found.details, found.data],
    ["VALIDATION_FAILED", "no", ["tenant", "product"], [1], { tenant: { product: null } }],
  );
  assert.equal(found.at("cellNumber"), "must be a cell");
  assert.equal(found.at("Number"), undefined);
  assert.equal(found.at("input"), "must be whole");
});

test("Retry-After and the id of the request come from the headers", async () => {
  const found = await failure(() =>
    Response.json(refused("RATE_LIMITED"), { headers: { "Retry-After": "120", "X-Request-Id": "r1" } }),
  );
  assert.deepEqual(
    [found.code, found.retryAfter, found.requestId, found.asked.length],
    ["RATE_LIMITED", 120, "r1", 1],
  );
});

test("a query whose answer is lost is sent three times, then fails with OFFLINE in the client's language", async () => {
  const found = await failure(() => lost, { language: "fa-IR" });
  assert.equal(found.code, "OFFLINE");
  assert.match(found.message, /دسترسی نیست/);
  assert.equal(found.asked.length, 3);
  assert.equal(found.asked[0].headers["Accept-Language"], "fa-IR");
});

test("what a proxy says in place of the service is UNAVAILABLE", async () => {
  const found = await failure(
    () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Retry-After": "60" } }),
  );
  assert.deepEqual([found.code, found.retryAfter, found.asked.length], ["UNAVAILABLE", 60, 1]); // it waits for nobody
});

test("a refusal before GraphQL has the code of REST", async () => {
  const found = await failure(() =>
    Response.json(
      { statusCode: 413, code: "PAYLOAD_TOO_LARGE", message: "too long", requestId: "r" },
      { status: 413 },
    ),
  );
  assert.deepEqual([found.code, found.message], ["PAYLOAD_TOO_LARGE", "too long"]);
});

test("an answer that does not come in time is TIMEOUT, and a signal ends the waiting", async () => {
  const hangs = (url, { signal }) =>
    new Promise((_, end) => {
      if (signal.aborted) end(signal.reason);
      signal.addEventListener("abort", () => end(signal.reason));
    });
  const keepAlive = setTimeout(() => {}, 20_000); // the signal of a timeout does not keep Node running
  const found = await shopOf(hangs, { timeout: 20 })
    .ask("mutation { x }")
    .catch((cause) => cause);
  assert.equal(found.code, "TIMEOUT");
  const left = new AbortController();
  const asked = shopOf(hangs).ask(query, {}, { signal: left.signal });
  left.abort(new Error("the page was left"));
  await assert.rejects(asked, /the page was left/);
  clearTimeout(keepAlive);
});

test("a file that is too long is not sent, and one that is refused says why", async () => {
  const { fetch, asked } = fake(({ method }) =>
    method === "PUT"
      ? Response.json({ code: "UNSUPPORTED_MEDIA_TYPE", message: "no image" }, { status: 415 })
      : { link: { url: "uploads/secret", maxBytes: 3 * 2 ** 20 } },
  );
  const shop = shopOf(fetch, { language: "fa" });
  const long = await shop
    .uploadListingImage(new Blob([new Uint8Array(3 * 2 ** 20 + 1)]))
    .catch((cause) => cause);
  assert.equal(long.code, "PAYLOAD_TOO_LARGE");
  assert.match(long.message, /۳$/);
  const bad = await shop.uploadReceipt("o1", new Blob(["x"])).catch((cause) => cause);
  assert.deepEqual([bad.code, bad.message], ["UNSUPPORTED_MEDIA_TYPE", "no image"]);
  assert.deepEqual(
    asked.map(({ method, url }) => `${method} ${url}`),
    [
      "POST https://api.example/graphql",
      "POST https://api.example/graphql",
      "PUT https://api.example/uploads/secret",
    ],
  );
});
