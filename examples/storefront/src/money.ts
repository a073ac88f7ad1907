// Amounts, as exact texts: JavaScript's numbers lose digits of large ones, and know nothing of decimals.
export type Money = { amount: string; currency: string; decimals: number; minor: string };
export const moneyFields = `amount currency decimals minor`;

export type Language = "en" | "fa";
export const localeOf = (language: Language) => (language === "fa" ? "fa-IR" : "en-US");

// Toman is no currency of ISO 4217, so browsers do not know its name; of rial they show "IRR" in English.
const units: Record<string, Record<Language, string>> = {
  IRT: { en: "toman", fa: "تومان" },
  IRR: { en: "rial", fa: "ریال" },
};

/** shownMoney gives an amount with the digits and the signs of a language. The text is formatted digit by digit. */
export function shownMoney({ amount, currency, decimals }: Money, language: Language): string {
  const unit = units[currency]?.[language];
  const style = unit ? ({ style: "decimal" } as const) : ({ style: "currency", currency } as const);
  const shown = new Intl.NumberFormat(localeOf(language), {
    ...style,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as `${number}`);
  return unit ? `${shown} ${unit}` : shown;
}
