import { withProduct } from './cpu-product.ts';
import { quantile } from './measure.ts';

const CALLS = 20;
const TIMES = 60;

/**
 * What a call of the storage costs the process of the Worker, in ms: mostly HTTP over the loopback
 * interface, which the platform does not count. Measured with a Worker that does nothing else.
 */
export function measureCalls(): Promise<{ d1: number; kv: number }> {
  return withProduct(async ({ send, cpuMs }) => {
    const median = async (path: string): Promise<number> => {
      const spent: number[] = [];
      for (let n = 0; n < TIMES; n++) {
        const before = await cpuMs();
        await send(path);
        spent.push((await cpuMs()) - before);
      }
      return quantile(spent.slice(TIMES / 4), 0.5);
    };
    const nothing = await median('/d1/0');
    const cost = async (kind: string) => ((await median(`/${kind}/${CALLS}`)) - nothing) / CALLS;
    return { d1: await cost('d1'), kv: await cost('kv') };
  }, true);
}
