// Answers every outbound request, so that the benchmark never leaves this machine.
import { WorkerEntrypoint } from 'cloudflare:workers';
export default class extends WorkerEntrypoint {
  fetch() {
    return new Response('blocked by the benchmark', { status: 503 });
  }
  limit() {
    return { success: true };
  }
}
