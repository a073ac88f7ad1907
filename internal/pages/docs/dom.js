// h makes an element. An attribute that is a function listens; false and undefined leave one out. Children are
// elements and texts, which are never read as HTML.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false && child !== ''));
  return element;
}

// words shows a description: `code` in backticks, paragraphs between empty lines.
export function words(text = '') {
  return text.split('\n\n').filter(Boolean).map((paragraph) => h('p', { dir: 'auto' }, inline(paragraph)));
}

// inline shows one paragraph.
export function inline(text = '') {
  return text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));
}
