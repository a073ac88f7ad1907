// What all pages use: language, routes, data, pictures and prices.
import type { ResultOf, VariablesOf } from "gql.tada";
import { createContext, type ComponentChildren } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import {
  formatMoney,
  formatNumber,
  StorefrontError,
  type Given,
  type Money,
  type TypedDocument,
} from "storefront-client";
import { Frame, graphql, shop, type ImageFields } from "./shop";

export type Language = "en" | "fa";
export type Image = ResultOf<typeof ImageFields>;
export type Shop = NonNullable<ResultOf<typeof Frame>["tenant"]>;

export const Here = createContext<{
  language: Language;
  frame: Shop | null;
  setFrame: (frame: Shop) => void;
  say: (message: string) => void;
}>(null!);
export const useHere = () => useContext(Here);

const persian: Record<string, string> = {
  "Search books, clothes, authors": "جست‌وجوی کتاب، لباس، نویسنده",
  Search: "جست‌وجو",
  Cart: "سبد خرید",
  "Sign in": "ورود",
  Orders: "سفارش‌ها",
  Home: "خانه",
  "New arrivals": "تازه‌ها",
  "On offer": "پیشنهاد ویژه",
  Category: "دسته",
  Categories: "دسته‌ها",
  Brand: "برند",
  Brands: "برندها",
  "See all": "همه",
  "Add to cart": "افزودن به سبد",
  "Out of stock": "ناموجود",
  "No orders yet.": "هنوز سفارشی ندارید.",
  "Your cart is empty.": "سبد خرید شما خالی است.",
  Subtotal: "جمع",
  "Check out": "ثبت سفارش",
  Remove: "حذف",
  "Sign out": "خروج",
  "Cell number": "شمارهٔ همراه",
  Password: "گذرواژه",
  Code: "کد",
  "Send a code": "ارسال کد",
  "Send another code": "ارسال کد دیگر",
  "Use a code by SMS": "ورود با کد پیامکی",
  "Use a password": "ورود با گذرواژه",
  "What is your name?": "نام شما چیست؟",
  "First name": "نام",
  "Last name": "نام خانوادگی",
  "Set a new password": "تعیین گذرواژهٔ تازه",
  "Not now": "اکنون نه",
  "I am new here": "تازه‌واردم",
  "I have an account": "حساب دارم",
  Register: "ثبت‌نام",
  Province: "استان",
  City: "شهر",
  Address: "نشانی",
  "Place the order": "ثبت نهایی",
  "Thank you for your order": "از سفارش شما سپاسگزاریم",
  Order: "سفارش",
  results: "نتیجه",
  "Best match": "نزدیک‌ترین",
  "Sort by": "ترتیب",
  Price: "قیمت",
  "Clear filters": "حذف پالایه‌ها",
  Newest: "تازه‌ترین",
  Cheapest: "ارزان‌ترین",
  Dearest: "گران‌ترین",
  "Best rated": "بهترین امتیاز",
  All: "همه",
  Reviews: "نظرها",
  "You may also like": "شاید بپسندید",
  Next: "بعدی",
  Previous: "قبلی",
  Filters: "پالایه‌ها",
  "Price on request": "تماس بگیرید",
  "Nothing was found.": "چیزی پیدا نشد.",
  "There is no page at this address.": "در این نشانی صفحه‌ای نیست.",
  Pay: "پرداخت",
  "Cash on delivery": "نقدی هنگام تحویل",
  "Payment gateway": "درگاه پرداخت",
  "Pay now": "پرداخت",
  Paid: "پرداخت شد",
  "Not paid yet": "هنوز پرداخت نشده است",
  "The gateway has not confirmed the payment yet.": "درگاه هنوز پرداخت را تأیید نکرده است.",
  "Given back": "بازگردانده",
  included: "در قیمت‌ها",
  "Ships within two days": "ارسال تا دو روز",
  Delivery: "تحویل",
  Total: "مبلغ نهایی",
  days: "روز",
  "Paid to the carrier": "کرایه با گیرنده",
  "Not to this address": "به این نشانی نمی‌رسد",
  "Too heavy for it": "سنگین‌تر از حد این روش",
  "Not in this currency": "به ارز دیگری است",
  "The price has changed": "قیمت تغییر کرده است",
  "Less is in stock": "موجودی کمتر است",
  "More than may be ordered at once": "بیش از حد مجاز در هر سفارش",
  "Not on sale any more": "دیگر فروخته نمی‌شود",
  left: "مانده",
  pending: "در انتظار تأیید",
  confirmed: "تأییدشده",
  processing: "در حال آماده‌سازی",
  shipped: "ارسال‌شده",
  delivered: "تحویل‌شده",
  cancelled: "لغوشده",
  "In your cart now.": "به سبد شما افزوده شد.",
  "Did not fit into your cart:": "در سبد شما جا نشد:",
  Quantity: "تعداد",
};
export const useWords = () => {
  const { language } = useHere();
  return useCallback(
    (english: string) => (language === "fa" ? (persian[english] ?? english) : english),
    [language],
  );
};
/** useNumber gives a number in the digits of the language. */
export const useNumber = () => {
  const { language } = useHere();
  return (n: number) => formatNumber(n, language);
};

/** Title is the heading of a page, and the page's name in tabs and in the history. */
export function Title({ text }: { text: string }) {
  const { frame } = useHere();
  useEffect(() => {
    if (frame) document.title = `${text} · ${frame.name}`;
    return () => {
      if (frame) document.title = frame.name;
    };
  }, [text, frame]);
  return <h1>{text}</h1>;
}

/** inShop returns a path of the shop, or another one where an address leads elsewhere. */
export function inShop(path: string | null, otherwise: string): string {
  const { origin } = location;
  return path && URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : otherwise;
}

/** go shows another page; one that stays keeps its place on the screen. */
export function go(path: string, stays = false) {
  history.pushState(null, "", path);
  dispatchEvent(new Event("popstate"));
  if (!stays) scrollTo(0, 0);
}
export function Link({
  to,
  children,
  ...rest
}: {
  to: string;
  children: ComponentChildren;
  class?: string;
  "aria-label"?: string;
}) {
  return (
    <a
      href={to}
      {...rest}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

/**
 * useData loads data once for each key and language. An answer for an old key never replaces one for a newer key. With
 * "keep" the old data stays until the new data has arrived. Failures are thrown to the page's error boundary.
 */
export function useData<T>(
  of: string,
  load: () => Promise<T>,
  keep?: "keep",
): { data: T | null; waiting: boolean } {
  const key = useHere().language + of;
  const [state, set] = useState<{ key: string | null; data: T | null; failed?: unknown }>({
    key: null,
    data: null,
  });
  useEffect(() => {
    let stale = false;
    load().then(
      (data) => stale || set({ key, data }),
      (failed) => stale || set({ key, data: null, failed }),
    );
    return () => {
      stale = true;
    };
  }, [key]);
  const waiting = state.key !== key;
  if (!waiting && state.failed) throw state.failed;
  return { data: waiting && !keep ? null : state.data, waiting };
}

/** Reads a page, and the frame of all pages if it is the first. */
export function usePage<T, V extends { cold: boolean }>(
  document: TypedDocument<T, V>,
  variables: Omit<Given<V>, "cold">,
  keep?: "keep",
  again = 0, // another number reads the page again
): { data: T | null; waiting: boolean } {
  const { language, frame, setFrame } = useHere();
  const take = (data: unknown) => {
    // The visitor may have changed the language since.
    const isLate = globalThis.document.documentElement.lang !== language;
    if (!frame && !isLate) setFrame((data as { tenant: Shop }).tenant);
  };
  const load = async () => {
    try {
      const data = await shop.ask(document, { ...variables, cold: !frame } as unknown as Given<V>);
      take(data);
      return data;
    } catch (failed) {
      if (failed instanceof StorefrontError && failed.data) take(failed.data);
      throw failed;
    }
  };
  return useData(JSON.stringify([variables, again]), load, keep);
}

/** What a page asks that has nothing of its own to ask. */
export const FrameOnly = graphql(
  `query FrameOnly($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
  }`,
  [Frame],
);

/** Picture reserves the space of an image, in its colour, until it is loaded: the page does not jump. */
export function Picture({ of, title, eager }: { of: Image | null; title: string; eager?: boolean }) {
  if (!of) return <div class="picture none" />;
  return (
    <img
      class="picture"
      src={shop.asset(of.url)}
      alt={of.alt ?? title}
      width={of.width ?? undefined}
      height={of.height ?? undefined}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      style={{ background: of.placeholderColor ?? undefined }}
    />
  );
}

/** Price shows "ask" where there is none. */
export function Price({ of, before }: { of: Money | null; before?: Money | null }) {
  const { language } = useHere();
  const word = useWords();
  if (!of) return <span class="price">{word("Price on request")}</span>;
  return (
    <span class="price">
      {before ? <s>{formatMoney(before, language)}</s> : null}
      <b>{formatMoney(of, language)}</b>
    </span>
  );
}
