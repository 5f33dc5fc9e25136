import { useMedia } from '#web/ui/use-media.ts';

/** Whether the map is beside the list of countries. */
export const useWide = (): boolean => useMedia('(min-width: 64rem)');
