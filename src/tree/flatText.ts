/** Long texts that are put into others again and again. */

/**
 * The same text in one piece. Engines keep a text that was put together as a tree of its parts, and
 * walk it anew for each text that it becomes a part of; to look at a character, they join them.
 */
export function flatText(text: string): string {
  text.charCodeAt(0);
  return text;
}
