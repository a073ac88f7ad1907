/** Storage of a session and a guest's cart: `localStorage`, or any store of texts by name that answers at once. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** memoryStorage keeps texts for as long as the program runs: for servers, and for browsers that keep nothing. */
export function memoryStorage(): KeyValueStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

/**
 * @internal Returns localStorage if this is a page that may write to it. Some servers have one too, which all their
 * visitors would share.
 */
export function usualStorage(): KeyValueStorage {
  try {
    const { document, localStorage } = globalThis;
    if (!document) return memoryStorage();
    localStorage.setItem("storefront", "");
    localStorage.removeItem("storefront");
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

/**
 * @internal Kept is a value that all tabs share. Listeners are called after each change, and learn whether another
 * tab made it.
 */
export class Kept<T> {
  #heard = new Set<(elsewhere: boolean) => void>();
  #storage: KeyValueStorage;
  #name: string;

  constructor(storage: KeyValueStorage, name: string) {
    this.#storage = storage;
    this.#name = name;
    if (typeof (storage.getItem(name) as unknown as Promise<string> | null)?.then === "function")
      throw new TypeError("the storage answers later: it must answer at once");
    // React Native has a window that hears nothing.
    const change = ({ key }: StorageEvent) => (key === name || key === null) && this.#tell(true);
    globalThis.window?.addEventListener?.("storage", change);
    this.close = () => globalThis.window?.removeEventListener?.("storage", change);
  }

  /** Stops listening to other tabs. */
  readonly close: () => void;

  get(): T | null {
    try {
      return JSON.parse(this.#storage.getItem(this.#name) ?? "null") as T | null;
    } catch {
      return null; // another program wrote it
    }
  }

  set(value: T | null): void {
    try {
      if (value === null) this.#storage.removeItem(this.#name);
      else this.#storage.setItem(this.#name, JSON.stringify(value));
    } catch {
      this.#storage = memoryStorage(); // the browser's storage is full: this tab goes on without it
      return this.set(value);
    }
    this.#tell(false);
  }

  subscribe(heard: (elsewhere: boolean) => void): () => void {
    this.#heard.add(heard);
    return () => void this.#heard.delete(heard);
  }

  #tell(elsewhere: boolean): void {
    for (const heard of [...this.#heard]) heard(elsewhere);
  }
}
