const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** What the charts of a report have in common. */
export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
export const TICK = { fill: 'var(--color-ink-3)', fontSize: 12 };
export const formatTick = (value: number): string => compact.format(value);
