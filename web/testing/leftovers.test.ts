import { afterEach, expect, it, vi } from 'vitest';
import { watchLeftovers } from './leftovers.ts';

afterEach(() => void vi.useRealTimers());

it('nothing that a test file began runs after its end', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const heard: string[] = [];
  const hear = (what: string) => () => void heard.push(what);
  const end = watchLeftovers();
  setTimeout(hear('timeout'), 10);
  setInterval(hear('interval'), 10);
  addEventListener('storage', hear('window'));
  document.addEventListener('click', hear('document'));
  document.addEventListener('selectionchange', hear('React'));
  const close = vi.spyOn(new BroadcastChannel('leftovers'), 'close');
  const runAll = (): string[] => {
    vi.advanceTimersByTime(10);
    dispatchEvent(new Event('storage'));
    for (const name of ['click', 'selectionchange']) document.dispatchEvent(new Event(name));
    return heard.splice(0);
  };
  expect(runAll()).toEqual(['timeout', 'interval', 'window', 'document', 'React']);
  setTimeout(hear('timeout'), 10);
  end();
  expect(runAll()).toEqual(['React']);
  expect(close).toHaveBeenCalledOnce();
  setTimeout(hear('the next file'), 10);
  expect(runAll()).toEqual(['the next file', 'React']);
});
