// The form that sends a route's request to this very service, and shows what comes back.
import { credentials, offer } from './credentials.js';
import { h } from './dom.js';
import { showJSON } from './json.js';
import { root } from './root.js';
import { sample } from './sample.js';
import { enumOf, flatten, typesOf } from './schema.js';

const prefix = new URL('api/v1', root).pathname;

// lists are where an id can be found, by the parameter's name, and how it is taken from the list's first item; a
// slug is found in the list it stands below.
const idOf = (list) => list.items?.[0]?.id;
const lists = {
  businessId: { at: '/tenants/{domain}', take: (shop) => shop.id },
  productId: { at: '/tenants/{domain}/products?inStore=true', take: idOf },
  variantId: { at: '/tenants/{domain}/store-items?inStock=true', take: idOf },
  storeItemVariantId: { at: '/tenants/{domain}/store-items?inStock=true', take: idOf },
  entityId: { at: '/tenants/{domain}/products', take: idOf },
  blogId: { at: '/tenants/{domain}/blogs', take: idOf },
  portfolioId: { at: '/tenants/{domain}/portfolios', take: idOf },
  categoryId: { at: '/tenants/{domain}/categories', take: idOf },
  brandId: { at: '/tenants/{domain}/website/brand-groups', take: ({ items }) => items.flatMap((group) => group.items)[0]?.id },
  cityId: { at: '/cities?level=city', take: idOf },
  countryId: { at: '/cities?level=country', take: idOf },
  parentId: { at: '/cities?level=country', take: idOf },
  addressId: { at: '/auth/addresses', take: idOf },
  orderId: { at: '/businesses/{businessId}/orders', take: idOf },
  itemId: { at: '/businesses/{businessId}/cart', take: ({ cart }) => cart.items[0]?.id },
};

// listOf is the list of a parameter of a route; undefined: there is none.
function listOf(route, name) {
  return name === 'slug' ? { at: route.path.split('/{slug}')[0], take: ({ items }) => items[0]?.slug } : lists[name];
}

// tryIt is the form of a route: { method, path, parameters, body, example, security }.
export function tryIt(route) {
  const fields = route.parameters.map((parameter) => ({ parameter, input: inputOf(parameter) }));
  const body = route.body && h('textarea', { spellcheck: false, 'aria-label': 'body' });
  if (body) {
    body.value = JSON.stringify(route.example ?? sample(route.body, { onlyRequired: true }), null, 2);
    body.rows = Math.min(16, body.value.split('\n').length + 1);
  }
  const curl = h('pre', { class: 'curl' });
  const output = h('div', { class: 'output', 'aria-live': 'polite' });
  const form = h(
    'form',
    { class: 'try' },
    h('h4', {}, 'Try it'),
    fields.map(({ parameter, input }) =>
      h('label', { class: 'field' }, h('span', { class: 'member' }, parameter.name, parameter.required && h('b', {}, ' *')), input, finder(route, parameter, fields, input)),
    ),
    body && [h('div', { class: 'field' }, h('span', { class: 'member' }, 'body'), h('span'), bodyFinder(route, fields, body)), body],
    credentials(route.security),
    h('div', { class: 'send' }, h('button', { type: 'submit' }, 'Send')),
    curl,
    output,
  );
  const show = () => (curl.textContent = curlOf(requestOf(route, fields, body)));
  form.addEventListener('input', show);
  form.addEventListener('change', show); // another form has been given the token
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    output.replaceChildren(h('p', { class: 'note' }, 'Waiting…'));
    output.replaceChildren(...(await send(requestOf(route, fields, body))));
  });
  show();
  return form;
}

// inputOf is the field of a parameter. What may be left out is left empty, and so are ids: those of examples are
// made up.
function inputOf({ name, schema, required, description, example }) {
  const flat = flatten(schema);
  const [type] = typesOf(flat);
  const choices = enumOf(flat) ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  if (choices) {
    return h('select', { name, required }, h('option', { value: '' }, flat.default ?? ''), choices.map((value) => h('option', { value, selected: required && value === choices[0] }, value)));
  }
  const number = type === 'integer' || type === 'number';
  const input = h('input', {
    name,
    title: description,
    inputmode: number && 'decimal',
    placeholder: flat.default,
    required,
    dir: 'auto',
    autocomplete: 'off',
    spellcheck: false,
  });
  if (required && (name === 'domain' || name === 'slug')) {
    input.value = example ?? sample(schema, { name });
  }
  if (name === 'domain') {
    input.addEventListener('input', () => (shop = input.value.trim()));
  }
  return input;
}

// finder is a button that fills in an id or slug that exists.
function finder(route, { name }, fields, input) {
  const list = listOf(route, name);
  return list && findButton(list, async () => {
    const { found, why } = await find(route, name, fields);
    input.value = found ?? '';
    input.placeholder = found ? '' : why;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

// bodyFinder is a button that puts an id that exists into the body, which has a member for one.
function bodyFinder(route, fields, body) {
  const [name] = Object.keys(JSON.parse(body.value)).filter((member) => lists[member]);
  return name && findButton(lists[name], async () => {
    const { found } = await find(route, name, fields);
    body.value = body.value.replace(new RegExp(`("${name}": )"[^"]*"`), `$1${JSON.stringify(found ?? '')}`);
    body.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const findButton = ({ at }, click) =>
  h('button', { type: 'button', class: 'find', title: `Take the one of ${at}, or the first`, click }, 'find one');

// shop is the domain that was typed last, for routes that have none in their path.
let shop = 'paperlane.example';

// find looks a value up: { found }, or { why } there is none. What its list needs is taken from the form, or looked
// up first.
async function find(route, name, fields) {
  const list = listOf(route, name);
  let path = list.at;
  for (const [place, needed] of list.at.matchAll(/{(\w+)}/g)) {
    const typed = fields.find(({ parameter }) => parameter.name === needed)?.input.value.trim();
    const value = typed || (needed === 'domain' ? shop : (await find(route, needed, fields)).found);
    if (!value) {
      return { why: `needs ${needed}` };
    }
    path = path.replace(place, encodeURIComponent(value));
  }
  const answer = await ask({ method: 'GET', url: prefix + path, headers: headersOf({ security: ['bearerAuth'] }) });
  if (answer.status === 401) {
    return { why: 'needs an access token' };
  }
  const found = answer.ok ? list.take(await answer.json()) : undefined;
  return found ? { found } : { why: 'there is none' };
}

// fill puts the values of the fields into a path.
function fill(path, fields) {
  return path.replace(/{(\w+)}/g, (place, name) => {
    const value = fields.find(({ parameter }) => parameter.name === name)?.input.value.trim();
    return value ? encodeURIComponent(value) : place;
  });
}

function headersOf(route) {
  const headers = {};
  const token = sessionStorage.getItem('storefront.token');
  const key = sessionStorage.getItem('storefront.key');
  if (token && route.security.includes('bearerAuth')) {
    headers.Authorization = `Bearer ${token}`;
  }
  if (key && route.security.includes('apiKey')) {
    headers['X-Api-Key'] = key;
  }
  return headers;
}

// requestOf is what the form would send: { method, url, headers, body }.
function requestOf(route, fields, body) {
  const headers = headersOf(route);
  const query = new URLSearchParams();
  for (const { parameter, input } of fields) {
    const value = input.value.trim();
    if (value && parameter.in === 'query') {
      query.append(parameter.name, value);
    } else if (value && parameter.in === 'header') {
      headers[parameter.name] = value;
    }
  }
  if (body) {
    headers['Content-Type'] = 'application/json';
  }
  const asked = query.size > 0 ? `?${query}` : '';
  return { method: route.method.toUpperCase(), url: prefix + fill(route.path, fields) + asked, headers, body: body?.value };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf({ method, url, headers, body }) {
  const parts = ['curl', method !== 'GET' && `-X ${method}`, quoted(location.origin + url)];
  for (const [name, value] of Object.entries(headers)) {
    parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== undefined) {
    parts.push(`--data ${quoted(body)}`);
  }
  return parts.filter(Boolean).join(' ');
}

const ask = ({ method, url, headers, body }) => fetch(url, { method, headers, body, cache: 'no-store' });

// send shows the answer to a request.
async function send(request) {
  const start = performance.now();
  try {
    const response = await ask(request);
    const text = await response.text();
    const time = Math.round(performance.now() - start);
    offer(text);
    return [
      h('p', { class: 'note' }, h('span', { class: `status s${String(response.status)[0]}` }, String(response.status)), ` ${time} ms, ${text.length.toLocaleString('en')} characters`),
      h('details', { class: 'example' }, h('summary', {}, 'Headers'), h('pre', { class: 'json' }, [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'))),
      text ? showJSON(text) : h('p', { class: 'note' }, 'No body.'),
    ];
  } catch (error) {
    return [h('p', { class: 'note' }, `The request could not be sent: ${error.message}`)];
  }
}
