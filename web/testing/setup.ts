import { configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, beforeAll, vi } from 'vitest';
import { shortenComputedStyle } from './computed-style.ts';

/**
 * Test files share an environment. Each file gets a new copy of our modules, an empty page and
 * empty storage.
 */
vi.resetModules();
shortenComputedStyle();

beforeAll(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

/**
 * Modules of a file that has ended stay in memory. A channel of theirs would hear the tests of the
 * next file, and send requests that those do not expect.
 */
const Channel = globalThis.BroadcastChannel;
const channels: BroadcastChannel[] = [];
globalThis.BroadcastChannel = class extends Channel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
};
afterAll(() => {
  globalThis.BroadcastChannel = Channel;
  for (const channel of channels) channel.close();
});

// React would record where each element is made, which takes a tenth of the time of these tests.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Infinity, set: () => {}, configurable: true },
);

// Queries return as soon as they match. The long limit is for busy machines.
configure({ asyncUtilTimeout: 60_000 });
