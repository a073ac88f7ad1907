import { fetcher } from './fetcher.js';

// readExamples reads the examples that stand in the page, and puts ids into their variables where the shop they are
// of is there to be asked.
export async function readExamples() {
  const { examples, ids } = JSON.parse(document.getElementById('examples').textContent);
  const { data } = await fetcher()({ query: ids }).catch(() => ({}));
  const fill = (variables) => variables.replace(/"\$([\w.]+)"/g, (_, path) => JSON.stringify(at(data, path) ?? 'put an id here'));
  return { examples, tabs: examples.map(({ query, variables }) => ({ query, variables: fill(variables) })) };
}

const at = (value, path) => path.split('.').reduce((within, step) => within?.[step], value);
