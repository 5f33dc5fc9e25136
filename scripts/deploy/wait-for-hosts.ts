import { isWorkersDev } from './worker-config.ts';
import type { Network } from './network.ts';

/** A host and the name servers of its zone. */
export type HostAddress = { host: string; nameServers: readonly string[] };

/** The certificate of a new host takes minutes to be issued. */
export const HOST_READY_MS = 5 * 60_000;
const POLL_MS = 5_000;

/**
 * Waits until every host answers and returns those that nothing could connect to. A host is only
 * connected to once its name servers know it, because looking it up earlier would make the
 * resolver of this machine remember that it does not exist.
 */
export async function waitForHosts(
  hosts: readonly HostAddress[],
  network: Network,
  now: () => number,
): Promise<string[]> {
  const end = now() + HOST_READY_MS;
  const wait = async ({ host, nameServers }: HostAddress): Promise<string | null> => {
    let status: number | null = null;
    for (;;) {
      if (await isKnown(host, nameServers, network)) status = await network.checkHealth(host);
      if (isAnswer(status)) return null;
      if (now() >= end) return status === null ? host : null;
      await network.sleep(POLL_MS);
    }
  };
  const missing = await Promise.all(hosts.map(wait));
  return missing.filter((host) => host !== null);
}

/**
 * The Worker's answer, or an access rule in front of it. Errors can be those of a host that is not
 * routed everywhere yet.
 */
const isAnswer = (status: number | null): boolean =>
  status !== null && (status < 400 || status === 401 || status === 403);

async function isKnown(
  host: string,
  nameServers: readonly string[],
  network: Network,
): Promise<boolean> {
  if (isWorkersDev(host)) return true;
  try {
    return (await network.lookUp(host, nameServers)) !== null;
  } catch {
    // Nobody can be asked from here, so connecting is the only way to know.
    return true;
  }
}
