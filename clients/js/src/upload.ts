import { StorefrontError, wordsOf } from "./errors.js";
import { formatNumber } from "./money.js";
import { request, type Service } from "./transport.js";

/** An address that takes files, as `createListingUpload` and its like give it: a secret. */
export interface UploadLink {
  url: string;
  /** How long a file may be, in bytes. */
  maxBytes?: number;
}

/** An image as the shop has it now. */
export interface Uploaded {
  /** Names it: `mediaId` of a listing's images. */
  id: string;
  /** Not of a receipt. */
  url?: string;
  width: number;
  height: number;
  placeholderColor?: string;
}

const uploadTimeout = 300_000; // milliseconds; a phone's line may be slow

/** @internal put sends a file to an address. It does not send a file that is too large. */
export async function put(service: Service, { url, maxBytes }: UploadLink, file: Blob): Promise<Uploaded> {
  if (maxBytes !== undefined && file.size > maxBytes) {
    const language = service.language();
    const most = formatNumber(Math.floor(maxBytes / 2 ** 20), language);
    throw new StorefrontError("PAYLOAD_TOO_LARGE", `${wordsOf("PAYLOAD_TOO_LARGE", language)} ${most}`);
  }
  const { body } = await request(service, new URL(url, service.url), uploadTimeout, {
    method: "PUT",
    body: file,
  });
  return body as Uploaded;
}
