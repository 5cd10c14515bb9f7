/** Settings of the server that the page came from, and of the reader's last visit. */
import { checkSettings, type GivenSettings } from './settings.js';

const entry = 'l2proof settings';

/** @returns the reader's own settings; undefined if there are none that hold */
export function readStored(base: string): GivenSettings | undefined {
  try {
    const text = localStorage.getItem(entry);
    return text === null ? undefined : checkSettings(JSON.parse(text), base);
  } catch {
    // A page may be denied a store, and what an older page has left may have another form.
    return undefined;
  }
}

export function writeStored(settings: GivenSettings | undefined): void {
  try {
    if (settings === undefined) localStorage.removeItem(entry);
    else localStorage.setItem(entry, JSON.stringify(settings));
  } catch {
    // Then they hold for this visit alone.
  }
}

/** What the page's own server says; a plain folder says nothing. @throws Error that names the member that is wrong */
export async function fetchSettings(base: string): Promise<GivenSettings> {
  const response = await fetch(new URL('page.json', base)).catch(() => undefined);
  if (!response?.ok || !response.headers.get('content-type')?.includes('json')) return {};
  return checkSettings(await response.json(), base);
}
