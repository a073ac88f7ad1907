/** An exact amount, as each field of the service with `Money` behind its name gives it. */
export interface Money {
  /** In the currency's unit, with all its decimals: `12.99`. */
  amount: string;
  /** Of ISO 4217, or `IRT` for toman. */
  currency: string;
  decimals: number;
  /** In the smallest unit: `1299`. */
  minor: string;
}

// Toman is not in ISO 4217, so browsers have no name for it; in English they show rial as "IRR".
const units: Record<string, readonly [en: string, fa: string]> = {
  IRT: ["toman", "تومان"],
  IRR: ["rial", "ریال"],
};

/** @internal tagOf returns a language as Intl and HTTP take it: `en_US` is `en-US`; anything else is `en`. */
export function tagOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language.replace(/_/g, "-"))[0] ?? "en";
  } catch {
    return "en";
  }
}

const isPersian = (language: string) => /^fa\b/i.test(tagOf(language));
const localeOf = (language: string) => {
  const tag = tagOf(language);
  return isPersian(tag) ? "fa-IR" : tag === "en" ? "en-US" : tag;
};

const made = new Map<string, Intl.NumberFormat>();

/** Making a format takes long beside using it. */
function format(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  const known = made.get(key) ?? new Intl.NumberFormat(localeOf(language), options);
  made.set(key, known);
  return known;
}

/** formatNumber writes a number, or an exact decimal text, in the digits of a language. */
export function formatNumber(value: number | bigint | string, language: string): string {
  return format(language, { maximumFractionDigits: 20 }).format(value as number);
}

/**
 * formatMoney writes an amount in the digits of a language with the sign or name of its currency. It rounds
 * nothing.
 */
export function formatMoney({ amount, currency, decimals }: Omit<Money, "minor">, language: string): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const unit = units[currency]?.[isPersian(language) ? 1 : 0];
  const isNamed = unit !== undefined || !/^[A-Z]{3}$/i.test(currency);
  const shown = format(language, isNamed ? digits : { ...digits, style: "currency", currency });
  const text = shown.format(amount as `${number}`); // browsers read a text digit by digit
  return isNamed ? `${text} ${unit ?? currency}`.trim() : text;
}

/**
 * moneyOf makes an amount of a plain `price` and its `priceCurrency`. A number is exact up to 15 digits: where
 * more may come, take the field with `Money` behind its name.
 */
export function moneyOf(price: number | string, currency: string): Money {
  const decimals = decimalsOf(currency);
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(price));
  const fraction = (found?.[3] ?? "").replace(/0+$/, "");
  if (!found || fraction.length > decimals) throw new RangeError(`${price} is no amount of ${currency}`);
  return ofMinor(BigInt(found[1]! + found[2]! + fraction.padEnd(decimals, "0")), currency, decimals);
}

/** addMoney adds amounts of one currency, one at least. */
export function addMoney(first: Money, ...rest: Money[]): Money {
  let sum = BigInt(first.minor);
  for (const { minor, currency } of rest) {
    if (currency !== first.currency) throw new RangeError(`${currency} is not added to ${first.currency}`);
    sum += BigInt(minor);
  }
  return ofMinor(sum, first.currency, first.decimals);
}

function ofMinor(minor: bigint, currency: string, decimals: number): Money {
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const amount =
    (minor < 0n ? "-" : "") + digits.slice(0, point) + (decimals ? `.${digits.slice(point)}` : "");
  return { amount, currency, decimals, minor: String(minor) };
}

// As the service has them, by ISO 4217: browsers go by what people use, and leave the dinar of Serbia without decimals.
const withoutDecimals = "BIF CLP DJF GNF IRR IRT ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const withThree = "BHD IQD JOD KWD LYD OMR TND";
const decimalsOf = (currency: string) =>
  withoutDecimals.includes(currency) ? 0 : withThree.includes(currency) ? 3 : 2;
