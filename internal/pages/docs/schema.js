// Reads the schemas of the document, and shows them.
import { h, inline } from './dom.js';

let components = {};

// use names the document that references lead into.
export function use(document) {
  components = document.components;
}

// resolve follows a reference; what stands beside it holds too.
export function resolve(part) {
  if (!part?.$ref) {
    return part ?? {};
  }
  const [, , kind, name] = part.$ref.split('/');
  const { $ref, ...beside } = part;
  return { ...resolve(components[kind][name]), ...beside };
}

// nameOf is the name of the component that a schema, or each of its items, refers to.
export function nameOf(schema) {
  return schema?.$ref?.split('/').at(-1);
}

// flatten gives a schema with what its allOf holds as its own.
export function flatten(schema) {
  const { allOf = [], ...own } = resolve(schema);
  return allOf.map(flatten).reduce(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    }),
    own,
  );
}

// typesOf are the JSON types of a schema.
export const typesOf = (schema) => [schema.type ?? []].flat();

// typeText says in a few words what a value is: "list of Variant", "integer or null".
export function typeText(part) {
  const schema = flatten(part);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    return choices.map(typeText).join(' or ');
  }
  const texts = typesOf(schema).map((type) => {
    if (type === 'array') {
      return `list of ${typeText(schema.items)}`;
    }
    return type === 'object' ? (nameOf(part) ?? type) : type;
  });
  return texts.join(' or ') || (nameOf(part) ?? 'any value');
}

// limits are what a value must hold beside its type, each in words.
export function limits(schema) {
  const found = [];
  const between = (least, most, unit) => {
    if (least !== undefined && most !== undefined) {
      found.push(`${least} to ${most}${unit}`);
    } else if (least !== undefined) {
      found.push(`at least ${least}${unit}`);
    } else if (most !== undefined) {
      found.push(`at most ${most}${unit}`);
    }
  };
  if (schema.format && !['int32', 'double'].includes(schema.format)) {
    found.push(schema.format);
  }
  between(schema.minimum, schema.maximum, '');
  between(schema.minLength, schema.maxLength, ' characters');
  between(schema.minItems, schema.maxItems, ' items');
  if (schema.items) {
    found.push(...limits(flatten(schema.items)).map((limit) => `each ${limit}`));
  }
  if (schema.default !== undefined) {
    found.push(`default ${JSON.stringify(schema.default)}`);
  }
  return found;
}

// enumOf are the values that are allowed, of each item in a list; undefined: any.
export function enumOf(part) {
  const schema = flatten(part);
  return schema.enum ?? (schema.items && enumOf(schema.items));
}

// facts shows type, limits and allowed values of a schema.
export function facts(part) {
  const schema = flatten(part);
  return [
    h('span', { class: 'type' }, typeText(part)),
    limits(schema).map((limit) => h('span', { class: 'limit' }, limit)),
    schema.pattern && h('span', { class: 'limit' }, 'matches ', h('code', { class: 'pattern' }, schema.pattern)),
    (enumOf(schema) ?? []).map((value) => h('code', { class: 'value' }, String(value))),
  ];
}

// membersOf shows the members of an object, of a list's items or of each choice; null where there are none.
export function membersOf(part) {
  const schema = flatten(part);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    return choices.map((choice) => h('div', { class: 'choice' }, h('h5', {}, nameOf(choice) ?? typeText(choice)), membersOf(choice)));
  }
  if (schema.items) {
    return membersOf(schema.items);
  }
  if (!schema.properties) {
    return null;
  }
  const rows = Object.entries(schema.properties).map(([name, member]) => row(name, member, schema.required?.includes(name)));
  return h('ul', { class: 'members' }, rows);
}

// row shows a member or parameter. What is inside is made once it is opened, as a schema may hold itself.
export function row(name, part, required, ...more) {
  const schema = flatten(part);
  const line = [
    h('span', { class: 'member' }, name),
    required && h('span', { class: 'required' }, 'required'),
    facts(part),
    ...more,
  ];
  const description = schema.description && h('p', { class: 'about', dir: 'auto' }, inline(schema.description));
  if (!hasMembers(schema)) {
    return h('li', {}, h('div', { class: 'line' }, line), description);
  }
  const inside = h('details', {}, h('summary', { class: 'line' }, line));
  inside.addEventListener('toggle', () => inside.append(...[membersOf(part)].flat()), { once: true });
  return h('li', {}, inside, description);
}

function hasMembers(schema) {
  const choices = schema.oneOf ?? schema.anyOf ?? [];
  return Boolean(schema.properties || choices.some((choice) => hasMembers(flatten(choice))) || (schema.items && hasMembers(flatten(schema.items))));
}
