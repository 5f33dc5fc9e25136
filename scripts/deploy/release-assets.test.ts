import { expect, it } from 'vitest';
import { FakeVisitors } from './testing/fake-visitors.ts';
import { machine, newBuild, newPlatform } from './testing/machine.ts';

/** Deploys a build and notes with which files its version was uploaded. */
async function newProduct() {
  const platform = await newPlatform();
  const owner = machine(platform);
  const visitors = new FakeVisitors(platform.account);
  const release = async (files: readonly string[], percent = 100) => {
    owner.release.folder = newBuild(files);
    owner.network.clock += 60_000;
    await owner.deploy({ percent });
    visitors.uploaded(owner.release.folder);
    return owner.release.folder;
  };
  return { platform, visitors, release };
}
const filesOf = (release: string) => [
  `index-${release.repeat(8)}.js`,
  `index-${release.repeat(8)}.css`,
  `font-${release.repeat(8)}.woff2`,
  'vendor-00000000.js',
];

it.each([5, 10, 25, 50, 95])(
  'pages of both versions load whole while the new one answers %i%% of the requests',
  async (percent) => {
    const { visitors, release } = await newProduct();
    const before = await release(filesOf('a'));
    const after = await release(filesOf('b'), percent);
    expect(visitors.missingFiles(before)).toEqual([]);
    expect(visitors.missingFiles(after)).toEqual([]);
  },
);

it('pages that were open before three upgrades load, and older files are deleted', async () => {
  const { platform, visitors, release } = await newProduct();
  const folders: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) folders.push(await release(filesOf(name)));
  const missing = folders.map((folder) => visitors.missingFiles(folder).length);
  expect(missing).toEqual([3, 0, 0, 0, 0]);
  const [keys] = [...platform.account.values.values()];
  expect(keys?.size).toBe(4 * 3 + 1);
});

it('deploying a release again keeps the three before it', async () => {
  const { visitors, release } = await newProduct();
  const first = await release(filesOf('a'));
  for (const name of ['b', 'c', 'd', 'd', 'd', 'd']) await release(filesOf(name));
  expect(visitors.missingFiles(first)).toEqual([]);
});
