/**
 * A GraphQL document with the types of its result and variables, as gql.tada and GraphQL Code Generator make them:
 * `TypedDocumentNode` and `TypedDocumentString`.
 */
export interface TypedDocument<T, V = Record<string, never>> {
  readonly definitions?: readonly unknown[];
  toString(): string;
  __apiType?: (variables: V) => T;
}

/** What a document has that the printer reads; nodes of graphql-js and of gql.tada have it. */
interface Node {
  kind: string;
  name?: { value: string };
  alias?: { value: string };
  value?: unknown;
  values?: Node[];
  fields?: Node[];
  arguments?: Node[];
  directives?: Node[];
  definitions?: Node[];
  variableDefinitions?: Node[];
  variable?: Node;
  defaultValue?: Node;
  type?: Node;
  typeCondition?: Node;
  operation?: string;
  selectionSet?: { selections: Node[] };
}

/** @internal A document in the form in which it is sent. */
export interface Prepared {
  /** Empty if nothing is left to ask for. */
  text: string;
  isMutation: boolean;
  variables: Record<string, unknown>;
}

/**
 * @internal prepare writes a document as text, with the variables that it declares. What a parsed document has
 * under `@include(if: $x)` is left out where $x is false: without a part for customers the rest is public,
 * which the service keeps.
 */
export function prepare(document: unknown, variables: Record<string, unknown>): Prepared {
  const { definitions } = document as { definitions?: Node[] };
  const text = definitions ? print(definitions, variables) : String(document);
  const isMutation = /^\s*mutation\b/m.test(text);
  const declares = (name: string) => new RegExp(`\\$${name}\\s*:`).test(text);
  const declared = Object.entries(variables).filter(([name]) => declares(name));
  return { text, isMutation, variables: Object.fromEntries(declared) };
}

function print(definitions: Node[], variables: Record<string, unknown>): string {
  const fragments = new Map(definitions.filter(isFragment).map((one) => [one.name!.value, one]));
  const used = new Map<string, string>(); // the fragments that are spread, as text

  const isLeftOut = ({ directives }: Node) =>
    directives?.some(({ name, arguments: given }) => {
      const by = given?.[0]?.value as Node;
      return name!.value === "include" && by.kind === "Variable" && variables[by.name!.value] === false;
    });
  const named = (of: Node[] | undefined, open: string, close: string): string =>
    of?.length
      ? open + of.map((one) => `${one.name!.value}:${value(one.value as Node)}`).join(" ") + close
      : "";
  const marks = (of: Node[] | undefined): string =>
    (of ?? []).map((one) => ` @${one.name!.value}${named(one.arguments, "(", ")")}`).join("");
  const body = (of: Node): string | null => {
    const inner = of.selectionSet!.selections.flatMap((one) =>
      isLeftOut(one) ? [] : (selection(one) ?? []),
    );
    return inner.length ? `{${inner.join(" ")}}` : null;
  };
  const selection = (one: Node): string | null => {
    if (one.kind === "FragmentSpread") {
      const name = one.name!.value;
      if (!used.has(name)) {
        used.set(name, "");
        used.set(name, fragment(fragments.get(name)!));
      }
      return `...${name}${marks(one.directives)}`;
    }
    const inner = one.selectionSet ? body(one) : "";
    if (inner === null) return null;
    if (one.kind === "InlineFragment")
      return `...${one.typeCondition ? `on ${one.typeCondition.name!.value}` : ""}${marks(one.directives)}${inner}`;
    const alias = one.alias ? `${one.alias.value}:` : "";
    return alias + one.name!.value + named(one.arguments, "(", ")") + marks(one.directives) + inner;
  };
  const fragment = (one: Node): string =>
    `fragment ${one.name!.value} on ${one.typeCondition!.name!.value}${marks(one.directives)}${body(one)}`;

  const operation = definitions.find((one) => !isFragment(one))!;
  const asked = body(operation);
  if (asked === null) return "";
  const rest = [marks(operation.directives) + asked, ...used.values()].join("\n");
  const declared = (operation.variableDefinitions ?? [])
    .filter(({ variable }) => new RegExp(`\\$${variable!.name!.value}\\b`).test(rest))
    .map(
      ({ variable, type: of, defaultValue }) =>
        `${value(variable!)}:${type(of!)}${defaultValue ? `=${value(defaultValue)}` : ""}`,
    );
  const head = operation.operation! + (operation.name ? ` ${operation.name.value}` : "");
  return head + (declared.length ? `(${declared.join(" ")})` : "") + rest;
}

const isFragment = ({ kind }: Node) => kind === "FragmentDefinition";

function value(of: Node): string {
  if (of.kind === "Variable") return `$${of.name!.value}`;
  if (of.kind === "StringValue") return JSON.stringify(of.value);
  if (of.kind === "NullValue") return "null";
  if (of.kind === "ListValue") return `[${of.values!.map(value).join(" ")}]`;
  if (of.kind === "ObjectValue")
    return `{${of.fields!.map((one) => `${one.name!.value}:${value(one.value as Node)}`).join(" ")}}`;
  return String(of.value);
}

function type(of: Node): string {
  if (of.kind === "NonNullType") return `${type(of.type!)}!`;
  return of.kind === "ListType" ? `[${type(of.type!)}]` : of.name!.value;
}

/** @internal fragmentOf returns the name and the text of a fragment. */
export function fragmentOf(document: unknown): { name: string; text: string } {
  const { definitions } = document as { definitions?: Node[] };
  if (!definitions) {
    const text = String(document);
    return { name: /fragment\s+(\w+)/.exec(text)![1]!, text };
  }
  const name = definitions[0]!.name!.value; // the document's own definition comes before the fragments
  const spread = { kind: "FragmentSpread", name: { value: name } };
  const all = print(
    [...definitions, { kind: "", operation: "query", selectionSet: { selections: [spread] } }],
    {},
  );
  return { name, text: all.slice(all.indexOf("fragment ")) };
}
