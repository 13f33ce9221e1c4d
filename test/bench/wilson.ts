/** Wilson's interval: what share of all games a side would win, from those that were played (95 of 100 times right). */

/** Of the normal distribution, for 95 of 100. */
const Z = 1.959964;

/** In per cent, to a tenth. Of no games nothing is known. */
export function wilson(wins: number, games: number): { low: number; high: number } {
  if (games === 0) return { low: 0, high: 100 };
  const share = wins / games;
  const more = (Z * Z) / games;
  const middle = (share + more / 2) / (1 + more);
  const half = (Z / (1 + more)) * Math.sqrt((share * (1 - share)) / games + more / (4 * games));
  const percent = (value: number): number => Math.round(value * 1000) / 10;
  return { low: percent(Math.max(0, middle - half)), high: percent(Math.min(1, middle + half)) };
}
