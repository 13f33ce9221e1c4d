/** Why something is not allowed: one form for checks (diagnostics), scripts (the owner's trace) and rules. */
import type { Param } from '../../kernel/types.ts';

export interface Refusal {
  /** Upper case words as players read them; wording in templates under the same key. */
  code: string;
  params: Record<string, Param>;
  /** Ledger id. */
  rule: string;
  /** No change of position can heal it: an error even in a script for later (3.10). */
  lasting: boolean;
}

/** Depends on how things lie: a later script may still come true. */
export function refuse(code: string, rule: string, params: Record<string, Param> = {}): Refusal {
  return { code, params, rule, lasting: false };
}

/** Can never be carried out. */
export function never(code: string, rule: string, params: Record<string, Param> = {}): Refusal {
  return { code, params, rule, lasting: true };
}
