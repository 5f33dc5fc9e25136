export const LIMITED = {
  code: 971,
  message: 'Please wait and consider throttling your request speed',
};

const REQUESTS = 1200;
const PERIOD_MS = 5 * 60_000;

/**
 * 1,200 requests in 5 minutes; a login that sends more is blocked for the next 5
 * (https://developers.cloudflare.com/fundamentals/api/reference/limits/). Its clock stands still
 * until `pass` moves it.
 */
export class RateLimit {
  #sentAt: number[] = [];
  #nowMs = 0;
  #blockedUntilMs = 0;

  /** Counts requests. Returns the seconds to wait, or 0. */
  spend(requests: number): number {
    if (this.#nowMs < this.#blockedUntilMs) return this.#secondsLeft();
    this.#sentAt = this.#sentAt.filter((at) => at > this.#nowMs - PERIOD_MS);
    for (let count = 0; count < requests; count++) this.#sentAt.push(this.#nowMs);
    if (this.#sentAt.length <= REQUESTS) return 0;
    this.#blockedUntilMs = this.#nowMs + PERIOD_MS;
    this.#sentAt = [];
    return this.#secondsLeft();
  }

  get spent(): number {
    return this.#sentAt.length;
  }

  pass(ms: number): void {
    this.#nowMs += ms;
  }

  #secondsLeft(): number {
    return Math.ceil((this.#blockedUntilMs - this.#nowMs) / 1000);
  }
}
