import { act, cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useInView } from './use-in-view.ts';
import { WhenNear } from './when-near.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Part({ once }: { once: boolean }) {
  const element = useRef<HTMLParagraphElement>(null);
  return <p ref={element}>{String(useInView(element, once))}</p>;
}

it.each([
  [true, 'true'],
  [false, 'false'],
])('a part that was scrolled away (once: %s) is near the screen: %s', (once, expected) => {
  const observers = new Set<(entries: unknown[]) => void>();
  class Observer {
    readonly report: (entries: unknown[]) => void;
    constructor(report: (entries: unknown[]) => void) {
      this.report = report;
    }
    observe = () => void observers.add(this.report);
    disconnect = () => void observers.delete(this.report);
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const scroll = (...near: boolean[]) =>
    act(() => {
      for (const report of observers) report(near.map((isIntersecting) => ({ isIntersecting })));
    });
  render(
    <>
      <Part once={once} />
      <WhenNear className="h-8">Content</WhenNear>
    </>,
  );
  expect(screen.getByText('false')).toBeTruthy();
  expect(screen.queryByText('Content')).toBeNull();
  // Several changes can be reported at once, oldest first.
  scroll(false, true);
  expect(screen.getByText('true')).toBeTruthy();
  scroll(false);
  expect(screen.getByText(expected)).toBeTruthy();
  // What was loaded stays.
  expect(screen.getByText('Content')).toBeTruthy();
  cleanup();
  expect(observers).toHaveLength(0);
});
