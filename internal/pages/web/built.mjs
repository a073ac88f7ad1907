import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

// writeBuilt writes files, a Map of names and contents, to a folder, each by gzip, and removes what else is there.
// What is already there with the same content stays as it is, so that another version of zlib makes no difference.
export function writeBuilt(folder, files) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (!files.has(name.replace(/\.gz$/, ''))) {
      rmSync(new URL(name, folder))
    }
  }
  for (const [name, contents] of files) {
    const file = new URL(`${name}.gz`, folder)
    if (!sameContent(file, contents)) {
      writeFileSync(file, gzipSync(contents, { level: 9 }))
    }
    console.log(`${name}: ${contents.length} bytes, ${readFileSync(file).length} by gzip`)
  }
}

function sameContent(file, contents) {
  try {
    return gunzipSync(readFileSync(file)).equals(contents)
  } catch {
    return false // it is missing or broken
  }
}
