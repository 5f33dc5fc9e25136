import { useEffect, useState, type RefObject } from 'react';

/** How far from the screen an element may be, so that what it needs is there when it is seen. */
const MARGIN = '300px';

/** Whether an element is on the screen, or near it. With `once`, it stays true from then on. */
export function useInView(element: RefObject<Element | null>, once = false): boolean {
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNow = entries.at(-1)?.isIntersecting ?? false;
        setInView(isNow);
        if (isNow && once) observer.disconnect();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, once]);
  return isInView;
}
