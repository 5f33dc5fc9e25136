/**
 * The queue that takes an attempt to deliver a window. A queue takes 5,000 messages a second
 * (https://developers.cloudflare.com/queues/platform/limits/), so that a deployment may have
 * several: `CLICKS`, `CLICKS_QUEUE_2`, … An isolate begins with one of them, as its number `draw`
 * from 0 to 1 says, and a further attempt takes the next one, because the first may be at its
 * limit. A window that reaches two queues counts once.
 */
export function clickQueue(env: Env, draw: number, attempt: number): Queue {
  const count = Math.max(1, Math.floor(Number(env.CLICK_QUEUES)) || 1);
  const queues = [env.CLICKS];
  for (let number = 2; number <= count; number++) {
    const queue: unknown = Reflect.get(env, `CLICKS_QUEUE_${number}`);
    if (isQueue(queue)) queues.push(queue);
  }
  return queues[(Math.floor(draw * queues.length) + attempt - 1) % queues.length] ?? env.CLICKS;
}

const isQueue = (binding: unknown): binding is Queue =>
  typeof binding === 'object' && binding !== null && 'send' in binding;
