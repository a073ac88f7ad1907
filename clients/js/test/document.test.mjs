import assert from "node:assert/strict";
import { test } from "node:test";
import { fake, shopOf } from "./fake.mjs";

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
