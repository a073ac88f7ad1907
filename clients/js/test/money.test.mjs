import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { addMoney, formatMoney, formatNumber, moneyOf } from "../dist/index.js";

test("amounts are written in the digits of a language, with the currency's name", () => {
  const shown = [
    ["12.99", "USD", 2, "$12.99", "‎$۱۲٫۹۹"],
    ["1250000", "IRT", 0, "1,250,000 toman", "۱٬۲۵۰٬۰۰۰ تومان"],
    ["0", "IRR", 0, "0 rial", "۰ ریال"],
    ["-3.5", "USD", 2, "-$3.50", null],
    ["0", "", 0, "0", "۰"], // of an empty cart of a shop that sells nothing
  ];
  for (const [amount, currency, decimals, english, persian] of shown) {
    assert.equal(formatMoney({ amount, currency, decimals }, "en"), english);
    if (persian) assert.equal(formatMoney({ amount, currency, decimals }, "fa"), persian);
  }
});

test("no digit of a large amount is lost", () => {
  const large = moneyOf("9007199254740993123.45", "USD");
  assert.equal(large.minor, "900719925474099312345");
  assert.equal(formatMoney(large, "en"), "$9,007,199,254,740,993,123.45");
  assert.equal(addMoney(large, moneyOf("0.55", "USD")).amount, "9007199254740993124.00");
  assert.equal(formatNumber("9007199254740993", "fa-IR"), "۹٬۰۰۷٬۱۹۹٬۲۵۴٬۷۴۰٬۹۹۳");
});

test("a plain price becomes an exact amount", () => {
  assert.deepEqual(moneyOf(14.9, "USD"), { amount: "14.90", currency: "USD", decimals: 2, minor: "1490" });
  assert.deepEqual(moneyOf(12900000000, "IRT"), {
    amount: "12900000000",
    currency: "IRT",
    decimals: 0,
    minor: "12900000000",
  });
  assert.deepEqual(moneyOf(0.05, "USD").minor, "5");
  assert.deepEqual(moneyOf(-0.05, "USD"), { amount: "-0.05", currency: "USD", decimals: 2, minor: "-5" });
  for (const [price, currency] of [
    [0.125, "USD"],
    [1.5, "IRT"],
    [1e21, "USD"],
    ["12,5", "USD"],
    ["", "USD"],
  ])
    assert.throws(() => moneyOf(price, currency), RangeError, `${price}`);
});

test("amounts of one currency are added exactly, and of two not at all", () => {
  const [a, b] = [moneyOf("0.1", "USD"), moneyOf("0.2", "USD")];
  assert.deepEqual(addMoney(a, b), moneyOf("0.3", "USD"));
  assert.deepEqual(addMoney(a), a);
  assert.throws(() => addMoney(a, moneyOf(1, "IRR")), RangeError);
});

test("each currency has the decimals that the service gives it", () => {
  const table = readFileSync(new URL("../../../internal/locale/money/currency.go", import.meta.url), "utf8");
  const rows = [...table.matchAll(/^\t(without|with)(Decimals|Two|Three) = `([^`]*)`/gm)];
  let count = 0;
  for (const [, , decimals, codes] of rows)
    for (const code of codes.trim().split(/\s+/)) {
      count++;
      const money = moneyOf("12", code);
      assert.equal(money.decimals, { Decimals: 0, Two: 2, Three: 3 }[decimals], code);
      if (money.decimals === 2) assert.equal(addMoney(money, moneyOf(250.5, code)).amount, "262.50", code);
    }
  assert.ok(count > 150, `${count} currencies`);
});
