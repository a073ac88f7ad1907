// Shows /openapi.json: the contents at the side, the routes by section, a search and links to each route.
import { h, words } from './dom.js';
import { operation, pathParts } from './operation.js';
import { root } from './root.js';
import { use } from './schema.js';

const contents = document.getElementById('contents');
const routes = document.getElementById('routes');
const search = document.getElementById('search');

const response = await fetch(new URL('openapi.json', root));
const description = await response.json();
use(description);

const entries = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, about]) => entryOf(method, path, about)),
);
const none = h('p', { class: 'none', hidden: true }, 'No route has these words.');
routes.append(h('section', { class: 'intro' }, h('h1', {}, description.info.title), h('p', { class: 'version' }, `Version ${description.info.version}, below ${new URL(description.servers[0].url, response.url).pathname}`), words(description.info.description)), none);
const sections = description.tags.map(sectionOf);

// entryOf is a route with all that is searched of it.
function entryOf(method, path, about) {
  const searched = JSON.stringify([method, path, about.operationId, about.tags, about.summary, about.description, about.parameters, about.requestBody]);
  return {
    tag: about.tags[0],
    searched: searched.toLowerCase(),
    element: operation({ method, path, about, schemes: description.components.securitySchemes }),
    link: h(
      'a',
      { href: `#${about.operationId}`, title: about.summary },
      h('span', { class: `method ${method}` }, method.toUpperCase()),
      h('span', { class: 'where' }, pathParts(path.replace(/^\/tenants\/{domain}(?=\/)/, '').replace(/^\/auth(?=\/)/, ''))),
    ),
  };
}

function sectionOf({ name, description: about }) {
  const own = entries.filter(({ tag }) => tag === name);
  const id = `section-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
  const section = h('section', { id }, h('h2', {}, name), words(about), own.map(({ element }) => element));
  const list = h('div', { class: 'group' }, h('a', { class: 'group-name', href: `#${id}` }, name), own.map(({ link }) => link));
  routes.append(section);
  contents.append(list);
  return { own, section, list };
}

// filter leaves the routes that have all words of the search.
function filter() {
  const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { own, section, list } of sections) {
    let here = 0;
    for (const { searched, element, link } of own) {
      const matches = asked.every((word) => searched.includes(word));
      element.hidden = link.hidden = !matches;
      here += matches;
    }
    section.hidden = list.hidden = here === 0;
    found += here;
  }
  none.hidden = found > 0;
  document.body.classList.toggle('searching', asked.length > 0);
}

// follow opens the route that the address names.
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) {
    return;
  }
  if (target.hidden) {
    search.value = '';
    filter();
  }
  if (target.matches('details')) {
    target.open = true;
  }
  for (const { own } of sections) {
    for (const { element, link } of own) {
      link.classList.toggle('current', element === target);
    }
  }
  target.scrollIntoView();
}

// Opening a route by hand gives it the address, too, so that it can be passed on.
routes.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.matches('.operation') && target.open && location.hash !== `#${target.id}`) {
      history.replaceState(null, '', `#${target.id}`);
    }
  },
  true,
);

// Enter opens the first route that is left, Escape shows all again. It waits until the key is up: on the route,
// which gets the focus, the same key would close it.
search.addEventListener('keyup', (event) => {
  const found = sections.flatMap(({ own }) => own).find(({ element }) => !element.hidden);
  if (event.key === 'Enter' && !event.isComposing && found) {
    history.replaceState(null, '', found.link.hash);
    follow();
    found.element.querySelector('summary').focus({ preventScroll: true });
  } else if (event.key === 'Escape') {
    search.value = '';
    filter();
  }
});
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.matches('input, textarea, select')) {
    event.preventDefault();
    search.focus();
  }
});
window.addEventListener('hashchange', follow);

const theme = localStorage.getItem('storefront.theme');
if (theme) {
  document.documentElement.dataset.theme = theme;
}
document.getElementById('theme').addEventListener('click', () => {
  const dark = getComputedStyle(document.documentElement).getPropertyValue('--is-dark') === '1';
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('storefront.theme', document.documentElement.dataset.theme);
});

follow();
