import { configure } from '@testing-library/react';
import { beforeAll, vi } from 'vitest';

/**
 * Test files share an environment. Each file gets a new copy of our modules, an empty page and
 * empty storage.
 */
vi.resetModules();

beforeAll(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// Queries return as soon as they match. The long limit is for busy machines.
configure({ asyncUtilTimeout: 60_000 });
