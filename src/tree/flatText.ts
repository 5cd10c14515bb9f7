/** Long texts that are put into others again and again. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The same text in one piece. Engines keep a text that was put together as a tree of its parts, and
 * walk it anew for each text that it becomes a part of.
 */
export const flatText = (text: string): string => decoder.decode(encoder.encode(text));
