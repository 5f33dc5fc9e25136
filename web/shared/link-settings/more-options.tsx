import { lazyField } from '#web/shared/page/lazy-field.tsx';

/** Options that few links need. */
export const MoreOptions = lazyField(() => import('./link-options.tsx').then((m) => m.LinkOptions));
