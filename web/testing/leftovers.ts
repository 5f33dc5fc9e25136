type Listen = typeof globalThis.addEventListener;

/**
 * Watches what the modules of a test file begin and returns a function that ends it: timers,
 * channels, and listeners of the window and the document. They stay in memory, and would answer and
 * send requests in the tests of the next file. React listens to `selectionchange` once per document.
 */
export function watchLeftovers(): () => void {
  const { setTimeout, setInterval, BroadcastChannel: Channel } = globalThis;
  const ends: (() => void)[] = [];
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof setTimeout>) => {
    const timer = setTimeout(...given);
    ends.push(() => clearTimeout(timer));
    return timer;
  }, setTimeout);
  globalThis.setInterval = Object.assign((...given: Parameters<typeof setInterval>) => {
    const timer = setInterval(...given);
    ends.push(() => clearInterval(timer));
    return timer;
  }, setInterval);
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name);
      ends.push(() => this.close());
    }
  };
  const targets: { addEventListener: Listen; removeEventListener: Listen }[] = [window, document];
  const listens = targets.map((target) => {
    const { addEventListener } = target;
    target.addEventListener = (...given: Parameters<Listen>): void => {
      addEventListener.apply(target, given);
      if (given[0] !== 'selectionchange') ends.push(() => target.removeEventListener(...given));
    };
    return () => Object.assign(target, { addEventListener });
  });
  return () => {
    for (const end of ends) end();
    for (const restore of listens) restore();
    Object.assign(globalThis, { setTimeout, setInterval, BroadcastChannel: Channel });
  };
}
