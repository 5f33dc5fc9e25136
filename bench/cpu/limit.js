// A rate limit that is never reached.
import { WorkerEntrypoint } from 'cloudflare:workers';
export default class extends WorkerEntrypoint {
  limit() {
    return { success: true };
  }
}
