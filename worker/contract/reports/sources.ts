/** The first labels of hosts that show the same site to other devices, or count clicks on its links. */
export const SOURCE_LABELS = ['www', 'm', 'l', 'lm', 'mobile'] as const;

const VARIANT = new RegExp(String.raw`^(?:${SOURCE_LABELS.join('|')})\.(?=[^.]+\.)`);

/** The host under which a source is counted: `l.facebook.com` as `facebook.com`. */
export const sourceOf = (host: string): string => host.replace(VARIANT, '');
