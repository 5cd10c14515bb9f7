/** Long texts that are put into others again and again. */
// @ts-nocheck


/** Absent on some engines. */
const encoder = typeof TextEncoder === 'undefined' ? undefined : new TextEncoder();
const decoder = typeof TextDecoder === 'undefined' ? undefined : new TextDecoder();

/**
 * The same text in one piece, if the engine can. Engines keep a text that was put together as a tree
 * of its parts, and walk it anew for each text that it becomes a part of.
 *
 * @param text of JSON and hex digits: each character is ASCII
 */
export const flatText = (text: string): string =>
  encoder && decoder ? decoder.decode(encoder.encode(text)) : text;
