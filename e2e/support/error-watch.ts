import { expect, type BrowserContext, type Page } from '@playwright/test';

/**
 * Collects console errors, exceptions, content-policy reports and failed requests to our origin, on
 * all pages of a context.
 */
export class ErrorWatch {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];
  readonly #origin: string;

  constructor(context: BrowserContext, origin: string) {
    this.#origin = origin;
    context.on('console', (message) => {
      if (message.type() === 'error')
        this.#note(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) =>
      this.#note(`exception: ${error.error().stack ?? error.error().message}`),
    );
    context.on('page', (page) => this.#listen(page));
  }

  #listen(page: Page): void {
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // The page cancelled the request, for example by navigating away.
      if (request.url().startsWith(this.#origin) && why !== 'net::ERR_ABORTED')
        this.#note(`request: ${request.url()} ${why}`);
    });
  }

  #note(what: string): void {
    this.#found.push(what);
  }

  /** Lists the errors that the test provokes. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  expectNoErrors(): void {
    expect(
      this.#found.filter((what) => !this.#allowed.some((pattern) => pattern.test(what))),
    ).toEqual([]);
  }
}
