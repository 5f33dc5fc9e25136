import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '#scripts/shared/place.ts';
import { pack } from './pack.ts';

const FILES = { 'b.txt': 'x'.repeat(512), 'a.js': '#!/bin/sh\necho é', empty: new Uint8Array() };

/** Runs the system's tar on the package. */
async function tar(bytes: Uint8Array, args: readonly string[]): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-pack-')), 'package.tgz');
  writeFileSync(file, bytes);
  const { code, output } = await run('/usr/bin/env', ['tar', ...args, '-f', file], { quiet: true });
  expect(code, output).toBe(0);
  return output;
}

describe('pack', () => {
  it('makes an archive that tar reads, with programs that can be run', async () => {
    const list = await tar(pack(FILES, new Set(['a.js'])), ['--numeric-owner', '-tvz']);
    expect(list.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      expect.stringMatching(/^-rwxr-xr-x 0\/0 17 1970-01-01 .* package\/a\.js$/),
      expect.stringMatching(/^-rw-r--r-- 0\/0 512 1970-01-01 .* package\/b\.txt$/),
      expect.stringMatching(/^-rw-r--r-- 0\/0 0 1970-01-01 .* package\/empty$/),
      '',
    ]);
    const content = await tar(pack(FILES, new Set()), ['-xzO']);
    expect(content).toBe(FILES['a.js'] + FILES['b.txt']);
  });

  it('makes the same bytes of the same files, in any order', () => {
    const reversed = Object.fromEntries(Object.entries(FILES).toReversed());
    expect(pack(reversed, new Set())).toEqual(pack(FILES, new Set()));
    // No operating system, which would differ.
    expect(pack(FILES, new Set())[9]).toBe(255);
  });
});
