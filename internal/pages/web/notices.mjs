import { readFileSync, readdirSync } from 'node:fs';

// notices returns the licence of every package whose code is in a bundle, in the packages' order, as their authors
// wrote it.
export function notices(metafile, of) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const [folder] = input.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/) ?? [];
    if (folder) {
      folders.add(folder);
    }
  }
  const parts = [...folders].sort().map(notice);
  return [`${of} is made of these works of others.\n`, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[sc]e|copying)/i.test(entry));
  if (file) {
    return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r', '').trim()}\n`;
  }
  if (license !== 'MIT') {
    throw new Error(`${name} has no licence file, and its licence is ${license}`);
  }
  return `${name} ${version}\n\nCopyright (c) ${author?.name ?? author ?? `the authors of ${name}`}\n\n${mit}`;
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
