/** The rulings of the house, as HELP and RULINGS show them; their words stand in the templates and in rulings.json. */

import type { Words } from '../../../kernel/types.ts';

const IDS: readonly string[] = (
  'R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 ' +
  'R17 R18 R19 R20 R21 R22 G-02 G-03 G-04 G-08 G-09 G-10 G-11 G-13 G-16 G-21 ' +
  'G-26 T-02 O-02 O-09 F-01 F-03 F-04 F-13 F-14 F-18 H-01 H-02 H-03 H-04 H-05 H-06 ' +
  'H-07 H-08 H-09 H-10 H-11 H-12 F-19 F-20 F-21 F-22 F-23 F-24 O-10 O-11 H-13 H-14 ' +
  'H-15 H-16'
).split(' ');

/** Every ruling in words, in the order of the file. */
export function rulings(): Words[] {
  return IDS.map((id) => ({ key: `normandie.ruling ${id}`, params: {} }));
}
