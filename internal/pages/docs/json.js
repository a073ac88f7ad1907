// Shows JSON, indented and coloured. Every text is set in its own direction, and every number as it came: an amount is
// exact, and would not be once JavaScript had read it.
import { h } from './dom.js';

const token = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

// showJSON shows the text of a JSON value; another text as it is.
export function showJSON(text) {
  try {
    JSON.parse(text);
  } catch {
    return h('pre', { class: 'json', dir: 'auto' }, text);
  }
  const tokens = text.match(token);
  const parts = [];
  let depth = 0;
  const newLine = () => parts.push('\n' + '  '.repeat(depth));
  tokens.forEach((t, i) => {
    const next = tokens[i + 1];
    if (t === '{' || t === '[') {
      parts.push(t);
      if (next !== '}' && next !== ']') {
        depth++;
        newLine();
      }
    } else if (t === '}' || t === ']') {
      if (tokens[i - 1] !== '{' && tokens[i - 1] !== '[') {
        depth--;
        newLine();
      }
      parts.push(t);
    } else if (t === ',') {
      parts.push(t);
      newLine();
    } else if (t === ':') {
      parts.push(': ');
    } else {
      parts.push(h('bdi', { class: next === ':' ? 'key' : kindOf(t) }, t));
    }
  });
  return h('pre', { class: 'json' }, parts);
}

function kindOf(t) {
  return t.startsWith('"') ? 'string' : 'word';
}
