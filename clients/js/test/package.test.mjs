// Tests the published package: its size, error codes and documentation.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { Application } from "typedoc";

const here = (path) => new URL(`../${path}`, import.meta.url).pathname;

test("the whole library is below 10 kB as pages load it, and needs no other", async (t) => {
  const { outputFiles } = await build({
    entryPoints: [here("dist/index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  t.diagnostic(`${size} bytes by gzip`);
  assert.ok(size < 10_000, `${size} bytes by gzip`);
  assert.equal(JSON.parse(readFileSync(here("package.json"), "utf8")).dependencies, undefined);
});

test("the declarations are whole, and what callers write is typed", () => {
  const { status, stdout } = spawnSync(here("node_modules/.bin/tsc"), ["-p", here("test")], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
});

test("the types know every code of the contract", () => {
  const codesOf = (text, from, to) =>
    [
      ...text
        .slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)))
        .matchAll(/[`"]([A-Z]+(?:_[A-Z]+)*)[`"]/g),
    ].map(([, code]) => code);
  const rows = readFileSync(here("../../docs/contract.md"), "utf8").match(
    /\| Code \| Status \| When \|\n[^]*?\n\n/,
  )[0];
  const contract = rows
    .split("\n")
    .slice(2)
    .flatMap((row) => codesOf(`${row.split("|")[1]}\n`, " ", "\n"));
  const known = codesOf(readFileSync(here("src/errors.ts"), "utf8"), "export type Code", ";");
  assert.ok(contract.length > 25);
  assert.deepEqual([...contract, "OFFLINE", "TIMEOUT"].sort(), known.sort());
});

test("the documentation is what npm run docs makes of the types", async () => {
  const out = mkdtempSync(here("docs-"));
  try {
    const app = await Application.bootstrapWithPlugins({ options: here(""), logLevel: "Error" });
    app.options.setValue("out", out);
    await app.generateOutputs(await app.convert());
    const files = readdirSync(out);
    assert.deepEqual(files, readdirSync(here("docs")));
    for (const file of files)
      assert.equal(
        readFileSync(here(`docs/${file}`), "utf8"),
        readFileSync(`${out}/${file}`, "utf8"),
        "run npm run docs",
      );
  } finally {
    rmSync(out, { recursive: true });
  }
});
