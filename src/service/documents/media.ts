/** Links in a document. Nothing is passed on as one but a URL of a scheme that cannot run anything by itself. */

/** The links that are taken of a document. */
export interface MediaLinks {
  readonly image: string | undefined;
  readonly animation: string | undefined;
  /** A page about the token. */
  readonly page: string | undefined;
}

/** Most characters of a link, and of one that is a picture itself. */
const maxLink = 2000;
const maxDataLink = 64 * 1024;

/** Characters of a URL that could end the attribute of a page, or begin a tag. */
const risky = /["'<>\\^`{|}\s]/g;

const toEscaped = (character: string): string => encodeURIComponent(character).replace("'", '%27');

const hasOnlyText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** @param form of the links that are taken */
function readLink(value: unknown, form: RegExp): string | undefined {
  if (typeof value !== 'string' || value.length > maxDataLink) return undefined;
  const link = value.trim().replace(risky, toEscaped);
  if (!form.test(link) || !hasOnlyText(link)) return undefined;
  const isData = /^data:/i.test(link);
  return link.length <= (isData ? maxDataLink : maxLink) ? link : undefined;
}

const web = /^https?:\/\/[^/]/i;
const stored = /^(https?|ipfs|ar):\/\/[^/]/i;
const picture = /^((https?|ipfs|ar):\/\/[^/]|data:image\/[a-z0-9.+-]+[;,])/i;

/** @param member of the document, by name */
export function readMedia(member: (name: string) => unknown): MediaLinks {
  return {
    image: readLink(member('image'), picture) ?? readLink(member('image_url'), picture),
    animation: readLink(member('animation_url'), stored),
    page: readLink(member('external_url'), web),
  };
}
