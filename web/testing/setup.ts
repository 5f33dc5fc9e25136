import { configure } from '@testing-library/react';
import { beforeAll, vi } from 'vitest';

/**
 * Test files share an environment. Each file gets its own copy of our modules, an empty page and
 * empty storage.
 */
vi.resetModules();

beforeAll(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// Queries return as soon as they find something; the long limit is for busy machines.
configure({ asyncUtilTimeout: 60_000 });
