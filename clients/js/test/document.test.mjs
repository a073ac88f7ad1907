import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, print, visit } from "graphql";
import { fake, lost, refused, shopOf, tokens } from "./fake.mjs";

const name = (value) => ({ kind: "Name", value });
const variable = (of) => ({ kind: "Variable", name: name(of) });
const field = (of, more = {}) => ({ kind: "Field", name: name(of), ...more });
const set = (...selections) => ({ selectionSet: { kind: "SelectionSet", selections } });
const argument = (of, value) => ({ kind: "Argument", name: name(of), value });
const includeIf = (of) => ({
  directives: [{ kind: "Directive", name: name("include"), arguments: [argument("if", variable(of))] }],
});
const named = (of) => ({ kind: "NamedType", name: name(of) });
const declared = (of, type, defaultValue) => ({
  kind: "VariableDefinition",
  variable: variable(of),
  type: { kind: "NonNullType", type },
  ...(defaultValue && { defaultValue }),
});

// query Page($domain: String! $cold: Boolean! = true $cartToken: String! $hasCart: Boolean!) { … }, as parsers
// give it.
const page = {
  kind: "Document",
  definitions: [
    {
      kind: "OperationDefinition",
      operation: "query",
      name: name("Page"),
      variableDefinitions: [
        declared("domain", named("String")),
        declared("cold", named("Boolean"), { kind: "BooleanValue", value: true }),
        declared("cartToken", { kind: "ListType", type: named("String") }),
        declared("hasCart", named("Boolean")),
      ],
      ...set(
        field("tenant", {
          alias: name("shop"),
          arguments: [argument("domain", variable("domain"))],
          ...set(
            { kind: "FragmentSpread", name: name("Frame"), ...includeIf("cold") },
            field("products", {
              arguments: [
                argument("values", {
                  kind: "ListValue",
                  values: [
                    {
                      kind: "ObjectValue",
                      fields: [argument("key", { kind: "StringValue", value: 'a "b"\n' })],
                    },
                  ],
                }),
                argument("sort", { kind: "EnumValue", value: "newest" }),
                argument("name", { kind: "NullValue" }),
              ],
              ...set({ kind: "InlineFragment", typeCondition: named("Page"), ...set(field("total")) }),
            }),
          ),
        }),
        field("cart", {
          arguments: [argument("cartToken", variable("cartToken"))],
          ...includeIf("hasCart"),
          ...set(field("id")),
        }),
      ),
    },
    {
      kind: "FragmentDefinition",
      name: name("Frame"),
      typeCondition: named("Tenant"),
      ...set(field("name")),
    },
    { kind: "FragmentDefinition", name: name("Unused"), typeCondition: named("Tenant"), ...set(field("id")) },
  ],
};

test("a parsed document is sent as text, with what it declares", async () => {
  const { fetch, asked } = fake(() => ({ shop: {} }));
  const shop = shopOf(fetch);
  await shop.ask(page, { cold: true, hasCart: true, other: 1 });
  assert.equal(
    asked[0].text,
    "query Page($domain:String! $cold:Boolean!=true $cartToken:[String]! $hasCart:Boolean!)" +
      "{shop:tenant(domain:$domain){...Frame @include(if:$cold) " +
      'products(values:[{key:"a \\"b\\"\\n"}] sort:newest name:null)' +
      "{...on Page{total}}} cart(cartToken:$cartToken) @include(if:$hasCart){id}}\nfragment Frame on Tenant{name}",
  );
  assert.deepEqual(asked[0].variables, {
    domain: "shop.example",
    cartToken: null,
    hasCart: true,
    cold: true,
  });
});

test("what @include leaves out is not sent, and of a visitor's page nothing that is the cart's", async () => {
  const { fetch, asked } = fake(() => ({ shop: {} }));
  await shopOf(fetch).ask(page, { cold: false });
  assert.equal(
    asked[0].text,
    "query Page($domain:String!){shop:tenant(domain:$domain){" +
      'products(values:[{key:"a \\"b\\"\\n"}] sort:newest name:null)' +
      "{...on Page{total}}}}",
  );
  assert.deepEqual(asked[0].variables, { domain: "shop.example" });
});

test("where nothing is left nothing is sent", async () => {
  const [operation, frame] = page.definitions;
  const [tenant, cart] = operation.selectionSet.selections;
  const [spread] = tenant.selectionSet.selections;
  const little = { definitions: [{ ...operation, ...set({ ...tenant, ...set(spread) }, cart) }, frame] };
  const { fetch, asked } = fake(() => ({}));
  assert.deepEqual(await shopOf(fetch).ask(little, { cold: false }), {});
  assert.equal(asked.length, 0);
});

test("texts, and texts that know their types, are sent as they are", async () => {
  const { fetch, asked } = fake(() => ({ tenant: {} }));
  const shop = shopOf(fetch);
  const text = "query($domain: String!) { tenant(domain: $domain) { name } }";
  await shop.ask(text);
  await shop.ask(new (class extends String {})(text), { domain: "other.example" });
  assert.deepEqual(
    asked.map((one) => one.text),
    [text, text],
  );
  assert.deepEqual(
    asked.map((one) => one.variables),
    [{ domain: "shop.example" }, { domain: "other.example" }],
  );
});

/** made returns a document of any form, as text: fragments, aliases, directives, strings with braces, comments. */
function made(random) {
  const one = (...of) => of[Math.floor(random() * of.length)];
  const some = (most, make) => Array.from({ length: Math.floor(random() * (most + 1)) }, make).join(" ");
  const strings = ['"}{ mutation $x: \\" #"', '"""{ a "quoted" \\""" } mutation"""', '""', '"\\u0633\\n"'];
  const value = (depth = 0) =>
    one(
      "1",
      "-2.5e3",
      "true",
      "null",
      "ENUM",
      "$domain",
      "$cartToken",
      ...strings,
      ...(depth < 2 ? ["list", "object"] : []),
    )
      .replace(/^list$/, () => `[${some(3, () => value(depth + 1))}]`)
      .replace(/^object$/, () => `{${some(2, () => `${one("a", "mutation")}: ${value(depth + 1)}`)}}`);
  const given = () => one("", "", `(${one("a", "query")}: ${value()})`);
  const mark = () =>
    one(
      "",
      "",
      "",
      "@include(if: $hasCart)",
      "@include(if: $cold)",
      "@include(if: true)",
      "@skip(if: $hasCart)",
      "@live",
    );
  const count = Math.floor(random() * 4);
  const names = ["Frame", "mutation", "on_top"].slice(0, count);
  const field = (depth, after) =>
    `${one("", "", "me: ", "query:")}${one("a", "cart", "mutation", "fragment")}${given()} ${mark()} ${
      depth < 3 && random() < 0.5 ? set(depth + 1, after) : ""
    }`;
  // A fragment spreads later ones only, so that none contains itself.
  const selection = (depth, after) => {
    const kind = random();
    if (kind < 0.2 && names.length > after)
      return `...${names[after + Math.floor(random() * (names.length - after))]} ${mark()}`;
    if (kind < 0.35 && depth < 3) return `... ${one("", "on T")} ${mark()} ${set(depth + 1, after)}`;
    return field(depth, after);
  };
  const set = (depth, after) => `{ ${selection(depth, after)} ${some(2, () => selection(depth, after))} }`;
  const kind = one("query", "query", "mutation");
  const variables =
    '($domain: String! = "{mutation" $cartToken: [In!] = [{a: 1}] $hasCart: Boolean! $cold: Boolean)';
  const operation = `${kind} ${one("", "Page", "fragment_1")}${variables} ${one("", "@live")} ${set(1, 0)}`;
  const fragments = names.map(
    (name, i) => `fragment ${name} on T ${one("", "@live(a: {b: 1})")} ${set(1, i + 1)}`,
  );
  const all = [operation, ...fragments].sort(() => random() - 0.5);
  return { kind, text: all.join(one(" ", "\n", "\r\n", " # } { mutation\n", ",")) };
}

/** less returns a parsed document without what is included by a variable that is false, and what that leaves empty. */
function less(document, variables) {
  const isOut = ({ directives = [] }) =>
    directives.some(
      ({ name, arguments: [by] = [] }) =>
        name.value === "include" && variables[by.value.name?.value] === false,
    );
  for (let isSame = false; !isSame;) {
    const before = print(document);
    const there = new Set(document.definitions.map(({ name }) => name?.value));
    const drop = (node) =>
      isOut(node) || (node.kind === "FragmentSpread" && !there.has(node.name.value)) ? null : undefined;
    document = visit(document, {
      enter: (node) => (/^(Field|FragmentSpread|InlineFragment)$/.test(node.kind) ? drop(node) : undefined),
      leave: (node) => (node.selectionSet?.selections.length === 0 ? null : undefined),
    });
    const spread = new Set();
    const reach = (node) =>
      visit(node, {
        FragmentSpread({ name }) {
          if (spread.has(name.value)) return;
          spread.add(name.value);
          const found = document.definitions.find(
            (one) => one.kind === "FragmentDefinition" && one.name.value === name.value,
          );
          if (found) reach(found);
        },
      });
    const operation = document.definitions.find(({ kind }) => kind === "OperationDefinition");
    if (!operation) return null;
    reach(operation);
    document = {
      ...document,
      definitions: document.definitions.filter((one) => one === operation || spread.has(one.name.value)),
    };
    isSame = print(document) === before;
  }
  const used = new Set();
  const look = (node) =>
    visit(node, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  document.definitions.forEach(look);
  return visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
}

/** sorted returns a document as text, its definitions in an order of their own, and block strings as others. */
const sorted = (document) =>
  document.definitions
    .map((one) => print(visit(one, { StringValue: (node) => ({ ...node, block: false }) })))
    .sort()
    .join("\n");

test("documents of every form are sent as what is left of them, as they are, and no change twice", async () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const shapes = { query: 0, mutation: 0, empty: 0 };
  let answer = () => ({});
  const { fetch, asked } = fake((request) => answer(request));
  const signed = shopOf(fetch);
  await signed.session.begin(tokens("1"));
  for (let n = 0; n < 600; n++) {
    const { kind, text } = made(random);
    const document = parse(text, { noLocation: true });
    const variables = {
      cold: random() < 0.5,
      hasCart: random() < 0.5,
      domain: "d",
      cartToken: "t",
      other: 1,
    };
    asked.length = 0;
    answer = () => ({ x: 1 });
    await shopOf(fetch).ask(document, variables);
    const want = less(document, variables);
    shapes[want ? kind : "empty"]++;
    assert.equal(asked.length, want ? 1 : 0, text);
    const declared = (of) =>
      of.definitions
        .flatMap((one) => one.variableDefinitions ?? [])
        .map(({ variable }) => variable.name.value);
    if (want) {
      assert.equal(sorted(parse(asked[0].text)), sorted(want), text);
      assert.deepEqual(Object.keys(asked[0].variables).sort(), declared(want).sort(), text);
    }
    if (n % 3) continue;

    // As text: sent as it is. A change whose answer is lost is not repeated; after a refusal of the session one is.
    asked.length = 0;
    answer = () => refused("NOT_FOUND");
    await signed.ask(text, variables).catch(() => {});
    assert.equal(asked[0].text, text);
    assert.deepEqual(Object.keys(asked[0].variables).sort(), declared(document).sort(), text);
    asked.length = 0;
    let isFirst = true;
    answer = (request) => {
      if (request.text.includes("refreshTokens(")) return { refreshTokens: tokens("2") };
      const [is] = [isFirst, (isFirst = false)];
      return is ? refused("UNAUTHENTICATED") : { x: 1 };
    };
    await signed.ask(text, variables).catch(() => {});
    const operation = document.definitions.find((one) => one.kind === "OperationDefinition");
    const roots = operation.selectionSet.selections;
    const isOne = kind === "query" || (roots.length === 1 && roots[0].kind === "Field");
    assert.equal(asked.filter((one) => one.text === text).length, isOne ? 2 : 1, text);
  }
  assert.ok(Math.min(...Object.values(shapes)) > 5, JSON.stringify(shapes));
});

test("a mutation of one line is not repeated where its answer is lost, wherever it stands", async () => {
  const { fetch, asked } = fake(() => lost);
  const text = "fragment F on P { message } mutation { a: createComment(input: {}) { ...F } }";
  await assert.rejects(shopOf(fetch).ask(text), { code: "OFFLINE" });
  assert.equal(asked.length, 1);
});
