/** Checks that no test can notice, and why each of them stays. */
// @ts-nocheck

export const explained: readonly { path: string; text: string; why: string }[] = [];
