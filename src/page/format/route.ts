/** The place on the page, as it stands behind the # of the URL: so that any folder of any server will do. */

/** A view, and what it is about. */
export type Route =
  | { readonly view: 'home' | 'trust' }
  /** Of an account or of one of its slots; without an address, of an answer that the reader has. */
  | { readonly view: 'proof'; readonly address?: string; readonly slot?: string }
  | {
      readonly view: 'address' | 'transaction' | 'block' | 'call' | 'message';
      readonly subject: string;
    };

const forms: Readonly<Record<Extract<Route, { subject: string }>['view'], RegExp>> = {
  address: /^0x[0-9a-f]{40}$/i,
  transaction: /^0x[0-9a-f]{64}$/i,
  block: /^(0x[0-9a-f]{64}|\d{1,15})$/i,
  call: /^0x[0-9a-f]{40}$/i,
  message: /^0x[0-9a-f]{64}$/i,
};
const isAbout = (view: string): view is keyof typeof forms => Object.hasOwn(forms, view);

const slotForm = /^0x[0-9a-f]{64}$/i;

/** @param about an address and a slot, as far as they are named */
function toProofRoute(about: readonly string[]): Route | undefined {
  const [address, slot] = about.map((text) => text.toLowerCase());
  if (address === undefined) return { view: 'proof' };
  if (!forms.address.test(address)) return undefined;
  if (slot === undefined) return { view: 'proof', address };
  return slotForm.test(slot) ? { view: 'proof', address, slot } : undefined;
}

/** @param hash of the URL, with its # @returns undefined if it names no place */
export function parseRoute(hash: string): Route | undefined {
  const [, view = '', ...about] = hash.replace(/^#/, '').split('/');
  if (view === 'proof' && about.length <= 2) return toProofRoute(about);
  const [subject, ...rest] = about;
  if (rest.length > 0) return undefined;
  if (view === '' && subject === undefined) return { view: 'home' };
  if (view === 'trust' && subject === undefined) return { view };
  if (!isAbout(view) || subject === undefined || !forms[view].test(subject)) return undefined;
  return { view, subject: subject.toLowerCase() };
}

export function routeHref(route: Route): string {
  if (route.view === 'home') return '#/';
  if ('subject' in route) return `#/${route.view}/${route.subject}`;
  const { address, slot } = route.view === 'proof' ? route : {};
  return ['#', route.view, address, slot].filter((part) => part !== undefined).join('/');
}

/**
 * The places that a reader may mean by what was typed: 64 digits are the hash of a transaction, of a block, or of a message.
 */
export function searchRoutes(text: string): Route[] {
  const subject = text.trim().toLowerCase();
  if (forms.address.test(subject)) return [{ view: 'address', subject }];
  if (forms.transaction.test(subject)) {
    return (['transaction', 'block', 'message'] as const).map((view) => ({ view, subject }));
  }
  const digits = subject.replace(/[,.\s']/g, '');
  return /^\d{1,15}$/.test(digits) ? [{ view: 'block', subject: String(BigInt(digits)) }] : [];
}
