// Shows one route.
import { h, inline, words } from './dom.js';
import { showJSON } from './json.js';
import { sample } from './sample.js';
import { facts, flatten, membersOf, resolve, row, typeText } from './schema.js';
import { tryIt } from './try.js';

// operation shows a route, closed. Its inside is made when it is opened first.
export function operation({ method, path, about, schemes }) {
  const parameters = (about.parameters ?? []).map(resolve);
  const { schema: body, example } = about.requestBody?.content['application/json'] ?? {};
  const security = (about.security ?? []).flatMap(Object.keys);
  const route = { method, path, about, parameters, body, example, security };
  const element = h(
    'details',
    { class: 'operation', id: about.operationId },
    h(
      'summary',
      {},
      h('span', { class: `method ${method}` }, method.toUpperCase()),
      h('span', { class: 'path' }, pathParts(path)),
      security.map((scheme) => h('span', { class: 'lock' }, scheme === 'bearerAuth' ? 'access token' : 'API key')),
      h('span', { class: 'short' }, inline(about.summary)),
    ),
  );
  element.addEventListener(
    'toggle',
    () => {
      const described = h(
        'div',
        { class: 'described' },
        words(about.description ?? about.summary + '.'),
        securityOf(security, schemes),
        parametersOf(parameters),
        bodyOf(body),
        answersOf(about.responses),
      );
      element.append(h('div', { class: 'inside' }, described, tryIt(route)));
    },
    { once: true },
  );
  return element;
}

// pathParts shows a path, which may be broken after each slash.
export function pathParts(path) {
  return path.split('/').flatMap((part, i) => [
    i > 0 && '/',
    i > 0 && h('wbr'),
    part.startsWith('{') ? h('span', { class: 'variable' }, part) : part,
  ]);
}

function securityOf(security, schemes) {
  if (security.length === 0) {
    return h('p', { class: 'security' }, 'Public: it needs no credentials.');
  }
  return security.map((scheme) => h('p', { class: 'security' }, inline(schemes[scheme].description)));
}

function parametersOf(parameters) {
  return ['path', 'query', 'header'].flatMap((place) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description }) => row(name, { ...schema, description: description ?? schema.description }, required));
    return rows.length === 0 ? [] : [h('h4', {}, { path: 'In the path', query: 'In the query string', header: 'Headers' }[place]), h('ul', { class: 'members' }, rows)];
  });
}

function bodyOf(body) {
  return body ? [h('h4', {}, 'Body'), h('p', { class: 'line' }, 'A JSON object of at most 256 KiB'), membersOf(body)] : [];
}

function answersOf(responses) {
  return [h('h4', {}, 'Answers'), Object.entries(responses).map(([status, part]) => answerOf(status, resolve(part)))];
}

function answerOf(status, response) {
  const { schema, example } = response.content?.['application/json'] ?? {};
  const codes = flatten(flatten(schema).properties?.code).enum ?? [];
  const summary = h(
    'summary',
    {},
    h('span', { class: `status s${status[0]}` }, status),
    codes.length > 0 ? codes.map((code) => h('code', { class: 'value' }, code)) : h('span', {}, inline(response.description)),
  );
  const element = h('details', { class: 'answer' }, summary);
  element.addEventListener(
    'toggle',
    () => {
      const headers = Object.entries(response.headers ?? {}).map(([name, part]) => {
        const { description, schema: value, required } = resolve(part);
        return row(name, { ...value, description }, false, !required && h('span', { class: 'limit' }, 'not always'));
      });
      element.append(
        h('div', { class: 'answer-inside' },
          codes.length > 0 && Boolean(response.description) && h('p', {}, inline(response.description)),
          schema && [h('h5', {}, typeText(schema)), membersOf(schema) ?? facts(schema)],
          schema && h('details', { class: 'example' }, h('summary', {}, 'Example'),
            showJSON(JSON.stringify(example ?? sample(schema, { given: { statusCode: Number(status) } })))),
          headers.length > 0 && [h('h5', {}, 'Headers'), h('ul', { class: 'members' }, headers)],
        ),
      );
    },
    { once: true },
  );
  return element;
}
