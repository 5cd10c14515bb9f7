/** Long texts that are put into others again and again. */

/**
 * The same text in one piece. Engines keep a joined text as a tree of its parts, and walk the tree
 * anew for each text that it becomes a part of. Reading a character makes them join the parts.
 */
export function flatText(text: string): string {
  text.charCodeAt(0);
  return text;
}
