export { Storefront, type AskOptions, type Filled, type Given, type StorefrontOptions } from "./client.js";
export type { CodeSent, LinkPending, NoAccount, Registration, Session, SignedIn } from "./session.js";
export type { Cart, CartLine, CartView, Fragment, LeftOut } from "./cart.js";
export type {
  Bill,
  BillCharge,
  CheckoutInput,
  DeliveryOption,
  DeliveryPlace,
  OrderView,
  PayPage,
  Quote,
} from "./checkout.js";
export type { Uploaded, UploadLink } from "./upload.js";
export { isCode, StorefrontError, type Code, type ErrorDetails, type FieldError } from "./errors.js";
export { addMoney, formatMoney, formatNumber, moneyOf, type Money } from "./money.js";
export { memoryStorage, type KeyValueStorage } from "./storage.js";
export { lockInProcess, type Lock } from "./lock.js";
export type { TypedDocument } from "./document.js";
