/** What the page and its worker say to each other. */
import type { Questions } from '../prover/questions.js';
import type { Settings } from '../settings/settings.js';

export type QuestionName = keyof Questions;
export type AskedOf<Name extends QuestionName> = Parameters<Questions[Name]>[1];
export type AnswerOf<Name extends QuestionName> = Awaited<ReturnType<Questions[Name]>>;

/** Why there is no answer. */
export interface Failure {
  /**
   * `refused`: somebody's answer is false, or is not what was asked for. `unknown`: it could not be found out, and may pass.
   * `impossible`: it cannot be proven as asked.
   */
  readonly kind: 'refused' | 'unknown' | 'impossible';
  /** Of the error, such as `ROOT_MISMATCH`. */
  readonly code: string;
  readonly message: string;
}

export type ToWorker =
  /** All questions that come later are answered by these settings. */
  | { readonly type: 'open'; readonly settings: Settings }
  | {
      readonly type: 'ask';
      readonly id: number;
      readonly name: QuestionName;
      readonly asked: unknown;
    }
  | { readonly type: 'stop'; readonly id: number };

export type FromWorker =
  | { readonly type: 'progress'; readonly id: number; readonly text: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly failure: Failure };
