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
  /** Whether it is one change at most: of several the first may be done where another is refused. */
  isOne: boolean;
  /** Whether it asks for nothing that is a customer's or a guest's. */
  isPublic: boolean;
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
  const { declared, names, isMutation, fields } = outline(text);
  return {
    text,
    isMutation,
    isOne: !isMutation || fields === 1,
    isPublic: !isMutation && !names.has("me") && !names.has("cart"),
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => declared.has(`$${name}`))),
  };
}

const tokens = /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\])*"|#.*|\.{3}|[$@]?\w+|[^\s,\ufeff]/g;
const tokensOf = (text: string) => (text.match(tokens) ?? []).filter((one) => !one.startsWith("#"));

/** outline reads the kind of a document's operation, its variables, all names in it, and counts the fields at its root. */
function outline(text: string) {
  const declared = new Set<string>();
  const names = new Set<string>();
  const open: string[] = []; // the brackets around a token
  let [kind, isMutation, fields] = ["", false, 0];
  const all = tokensOf(text);
  for (const [i, one] of all.entries()) {
    const isName = /^\w/.test(one);
    if (isName) names.add(one);
    if ("([{".includes(one)) open.push(one);
    else if (")]}".includes(one)) open.pop();
    else if (!open.length && (i === 0 || all[i - 1] === "}")) {
      kind = one;
      isMutation ||= kind === "mutation";
    } else if (one.startsWith("$") && all[i + 1] === ":") declared.add(one);
    else if (open.join("") === "{" && kind === "mutation") {
      if (one === "...")
        fields += 2; // as many as there may be
      else if (isName && all[i + 1] !== ":") fields++;
    }
  }
  return { declared, names, isMutation, fields };
}

function print(definitions: Node[], variables: Record<string, unknown>): string {
  const fragments = new Map(definitions.filter(isFragment).map((one) => [one.name!.value, one]));
  const used = new Map<string, string | null>(); // the fragments that are spread, as text; null: nothing is left of it
  const mentioned = new Set<string>(); // variables

  const isLeftOut = ({ directives }: Node) =>
    directives?.some(({ name, arguments: given }) => {
      if (name!.value !== "include") return false;
      const by = given![0]!.value as Node;
      return by.kind === "Variable" && variables[by.name!.value] === false;
    });
  const value = (of: Node): string => {
    if (of.kind === "Variable") {
      mentioned.add(of.name!.value);
      return `$${of.name!.value}`;
    }
    if (of.kind === "StringValue") return JSON.stringify(of.value);
    if (of.kind === "NullValue") return "null";
    if (of.kind === "ListValue") return `[${of.values!.map(value).join(" ")}]`;
    if (of.kind === "ObjectValue") return `{${members(of.fields!)}}`;
    return String(of.value);
  };
  const members = (of: Node[]) => of.map((one) => `${one.name!.value}:${value(one.value as Node)}`).join(" ");
  const given = (of: Node[] | undefined): string => (of?.length ? `(${members(of)})` : "");
  const marks = (of: Node[] | undefined): string =>
    (of ?? []).map((one) => ` @${one.name!.value}${given(one.arguments)}`).join("");
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
      return used.get(name) === null ? null : `...${name}${marks(one.directives)}`;
    }
    const inner = one.selectionSet ? body(one) : "";
    if (inner === null) return null;
    if (one.kind === "InlineFragment")
      return `...${one.typeCondition ? `on ${one.typeCondition.name!.value}` : ""}${marks(one.directives)}${inner}`;
    const alias = one.alias ? `${one.alias.value}:` : "";
    return alias + one.name!.value + given(one.arguments) + marks(one.directives) + inner;
  };
  const fragment = (one: Node): string | null => {
    const inner = body(one);
    const head = `fragment ${one.name!.value} on ${one.typeCondition!.name!.value}`;
    return inner && head + marks(one.directives) + inner;
  };

  const operation = definitions.find((one) => !isFragment(one))!;
  const asked = body(operation);
  if (asked === null) return "";
  const rest = [marks(operation.directives) + asked, ...used.values()].filter(Boolean).join("\n");
  const declared = (operation.variableDefinitions ?? [])
    .filter(({ variable }) => mentioned.has(variable!.name!.value))
    .map(
      ({ variable, type: of, defaultValue, directives }) =>
        `$${variable!.name!.value}:${type(of!)}${defaultValue ? `=${value(defaultValue)}` : ""}${marks(directives)}`,
    );
  const head = operation.operation! + (operation.name ? ` ${operation.name.value}` : "");
  return head + (declared.length ? `(${declared.join(" ")})` : "") + rest;
}

const isFragment = ({ kind }: Node) => kind === "FragmentDefinition";

function type(of: Node): string {
  if (of.kind === "NonNullType") return `${type(of.type!)}!`;
  return of.kind === "ListType" ? `[${type(of.type!)}]` : of.name!.value;
}

/** @internal fragmentOf returns the name and the text of a fragment. */
export function fragmentOf(document: unknown): { name: string; text: string } {
  const { definitions } = document as { definitions?: Node[] };
  if (!definitions) {
    const text = String(document);
    const all = tokensOf(text);
    return { name: all[all.indexOf("fragment") + 1]!, text };
  }
  const name = definitions[0]!.name!.value; // the document's own definition comes before the fragments
  const spread = { kind: "FragmentSpread", name: { value: name } };
  const all = print(
    [...definitions, { kind: "", operation: "query", selectionSet: { selections: [spread] } }],
    {},
  );
  return { name, text: all.slice(all.indexOf("fragment ")) };
}
