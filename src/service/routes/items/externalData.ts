/** What a document says of a token, as answers have it. */
import { z } from '@hono/zod-openapi';
import type { NftDocument } from '../../documents/document.js';
import { type Gateways, toLoadable } from '../../documents/gateways.js';
import { text } from '../common/schemas.js';

/** How links become ones that a page can load. */
interface Loading {
  readonly gateways: Gateways;
  /** Undefined: there are no smaller pictures. */
  readonly imageProxy: string | undefined;
}

const link = (description: string) => text.openapi({ description });

export const externalData = z
  .object({
    name: text,
    description: text,
    asset_url: link('The picture, as the document names it'),
    asset_file_extension: text,
    asset_mime_type: link('Of a picture that stands in its own URL'),
    asset_size_bytes: z.null(),
    image: link('The picture: by the gateway of the service if its URL has no server'),
    ...{ image_256: text, image_512: text, image_1024: text },
    animation_url: text,
    external_url: text,
    attributes: z
      .array(z.object({ trait_type: text, value: z.string() }))
      .openapi({ description: 'At most 100' }),
    thumbnails: z.object({
      ...{ image256: text, image512: text, image1024: text },
      ...{ image_opengraph_url: z.null(), thumbhash: z.null() },
    }),
  })
  .nullable()
  .openapi({
    description:
      'From the document that the token names; null if the service has not fetched it, or it could not be read. Smaller pictures are null without an image proxy',
  });

const extensionForm = /\.([a-z0-9]{1,8})$/i;
const typeForm = /^data:([a-z]+\/[a-z0-9.+-]+)/i;

/** The ending of a file's name; undefined for a picture in its own URL. */
function extensionOf(url: string): string | undefined {
  if (/^data:/i.test(url) || !URL.canParse(url)) return undefined;
  return extensionForm.exec(new URL(url).pathname)?.[1];
}

export function toExternalData(
  document: NftDocument | undefined,
  { gateways, imageProxy }: Loading,
): z.input<typeof externalData> {
  if (document === undefined) return null;
  const { name, description, image, animation, page, attributes } = document;
  const type = image && typeForm.exec(image)?.[1];
  const loadable = (url: string | undefined) => url && (toLoadable(url, gateways) ?? url);
  const shown = loadable(image);
  const smaller = (size: number): string | null => {
    // A picture in its own URL is no picture that a proxy could fetch.
    if (shown === undefined || imageProxy === undefined || !/^https?:/i.test(shown)) return null;
    const url = encodeURIComponent(shown);
    return imageProxy.replaceAll('{size}', String(size)).replaceAll('{url}', () => url);
  };
  const [small, middle, large] = [smaller(256), smaller(512), smaller(1024)];
  return {
    name: name ?? null,
    description: description ?? null,
    asset_url: image ?? null,
    asset_file_extension: extensionOf(image ?? '') ?? null,
    asset_mime_type: type ?? null,
    asset_size_bytes: null,
    image: shown ?? null,
    ...{ image_256: small, image_512: middle, image_1024: large },
    animation_url: loadable(animation) ?? null,
    external_url: page ?? null,
    attributes: attributes.map(({ trait, value }) => ({ trait_type: trait ?? null, value })),
    thumbnails: {
      ...{ image256: small, image512: middle, image1024: large },
      ...{ image_opengraph_url: null, thumbhash: null },
    },
  };
}
