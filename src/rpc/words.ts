/**
 * What a server said in its own words, kept apart from the error that shows them: a part of them may be taken out there,
 * and what the server meant must still be recognised. Never shown: they may hold a key.
 */
const words = new WeakMap<object, string>();

/** @param text foreign, cut */
export function keepWords(error: object, text: string): void {
  words.set(error, text);
}

/** The words of an error's server; the shown ones if no others were kept. */
export const wordsOf = (error: { readonly serverMessage?: string | undefined }): string =>
  words.get(error) ?? error.serverMessage ?? '';
