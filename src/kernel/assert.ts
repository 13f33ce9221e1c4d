/** A fault of ours, never a player's: stops the work at hand and is shown to the operator. */
export class Fault extends Error {
  override name = 'Fault';
}

/** Throws a `Fault` saying `what` unless `holds`. */
export function assert(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Fault(what);
}

/** For the `default` of a switch over a union: the compiler proves that it is never reached. */
export function never(value: never, what: string): never {
  throw new Fault(`${what}: unexpected ${JSON.stringify(value)}`);
}

/** The value, which must be there. */
export function known<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Fault(what);
  return value;
}
