import { expect, type BrowserContext, type Page } from '@playwright/test';

/**
 * Collects what a person with open developer tools would see go wrong on any page of a context: console errors,
 * exceptions, content-policy reports and failed requests of our own.
 */
export class Watch {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];
  readonly #origin: string;

  constructor(context: BrowserContext, origin: string) {
    this.#origin = origin;
    context.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#note(`exception: ${error.error().stack ?? error.error().message}`));
    context.on('page', (page) => this.#listen(page));
  }

  #listen(page: Page): void {
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A navigation away, or an answer no longer wanted, is no failure.
      if (request.url().startsWith(this.#origin) && why !== 'net::ERR_ABORTED') this.#note(`request: ${request.url()} ${why}`);
    });
  }

  #note(what: string): void {
    this.#found.push(what);
  }

  /** A test that provokes errors says which. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  /** Fails if anything was seen that no test allowed. */
  expectNothing(): void {
    expect(this.#found.filter((what) => !this.#allowed.some((pattern) => pattern.test(what)))).toEqual([]);
  }
}
