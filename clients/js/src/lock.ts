/** Runs work alone: no other work of that name runs meanwhile, in any tab. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** @internal usualLock is the browser's own, which all tabs share; programs and pages by plain HTTP have none. */
export function usualLock(): Lock {
  const locks = globalThis.navigator?.locks;
  return locks ? (name, work) => locks.request(name, work) as ReturnType<typeof work> : lockInProcess();
}

/** lockInProcess returns a lock among those who share it. */
export function lockInProcess(): Lock {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, mine);
    return mine;
  };
}
