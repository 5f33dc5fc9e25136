import { useEffect, useState } from 'react';

/** A section is current once its heading is this close to the top of the window, in px. */
const READ_FROM_PX = 140;

/**
 * Returns which of `ids` the reader is in: the last one whose heading has scrolled to the top. At
 * the end of the page it is the last one.
 */
export function useCurrentSection(ids: readonly string[]): string {
  const [first = ''] = ids;
  const [current, setCurrent] = useState(first);
  const names = ids.join(' ');
  useEffect(() => {
    const headings = names.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
      const read = isAtEnd
        ? headings.at(-1)
        : headings.findLast((heading) => heading.getBoundingClientRect().top <= READ_FROM_PX);
      setCurrent(read?.id ?? headings[0]?.id ?? '');
    };
    const lookSoon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    lookSoon();
    addEventListener('scroll', lookSoon, { passive: true });
    addEventListener('resize', lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', lookSoon);
      removeEventListener('resize', lookSoon);
    };
  }, [names]);
  return current;
}
