/** Words made of words. */
import type { Text } from './types.ts';

/** Parts one after another, each joined to what stands before by the wording of `key` (`first`, `second`); empty for none. */
export function joined(key: string, parts: readonly Text[]): Text {
  const [start = '', ...rest] = parts;
  return rest.reduce<Text>((first, second) => ({ key, params: { first, second } }), start);
}
