/** A person with a real browser and its own cookies. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import * as z from 'zod';

/** Contents of the page that is open. */
export interface Device {
  readonly javaScript: boolean;
  readonly size: 'phone' | 'desktop';
}

const sizes = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;

/** Browsers say this of every page with an error's status. */
const STATUS_LINE = /^Failed to load resource: the server responded with a status of 4\d\d/;

const Focused = z.object({ name: z.string(), marked: z.boolean(), onScreen: z.boolean() });
type Focused = z.output<typeof Focused>;

/** One tab. */
export class Tab {
  readonly page: Page;
  #status = 0;

  /** @param errors receives the errors that the browser reports */
  constructor(page: Page, errors: string[]) {
    this.page = page;
    page.on('response', (response) => {
      const request = response.request();
      if (response.status() >= 500) errors.push(`${request.url()} answered ${response.status()}`);
      if (request.isNavigationRequest() && response.frame() === page.mainFrame()) this.#status = response.status();
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      const quiet = message.type() !== 'error' && message.type() !== 'warning';
      if (!quiet && !STATUS_LINE.test(message.text())) errors.push(`${message.type()}: ${message.text()}`);
    });
  }

  /** The status of the page that is shown. */
  get status(): number {
    return this.#status;
  }

  get url(): string {
    return this.page.url();
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Presses a button, and waits for the page that it leads to. */
  async press(label: string): Promise<void> {
    await this.#arrive(() => this.button(label).click());
  }

  /** Follows a link. */
  async follow(label: string): Promise<void> {
    await this.#arrive(() => this.page.getByRole('link', { name: label, exact: true }).click());
  }

  /** Presses a key that leads to another page. */
  async strike(key: string): Promise<void> {
    await this.#arrive(() => this.page.keyboard.press(key));
  }

  /** Goes one page back. */
  async back(): Promise<void> {
    await this.page.goBack();
  }

  /** Presses a button that leads to an address which no browser can load. @returns the address */
  async pressToLeave(label: string): Promise<string> {
    const left = this.page.waitForEvent('requestfailed');
    left.catch(() => {});
    await this.button(label).click();
    return (await left).url();
  }

  async #arrive(act: () => Promise<void>): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    // If the action fails, the promise of the page is not awaited.
    loaded.catch(() => {});
    await act();
    await loaded;
  }

  button(label: string): Locator {
    return this.page.getByRole('button', { name: label, exact: true });
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Fills in name and password, and presses the button. */
  async signIn({ screen_name, password }: { readonly screen_name: string; readonly password: string }): Promise<void> {
    await this.field('Screen name').fill(screen_name);
    await this.field('Password').fill(password);
    await this.press('Sign in');
  }

  /** The heading of the page. */
  async heading(): Promise<string> {
    return oneLine((await this.page.getByRole('heading', { level: 1 }).textContent()) ?? '');
  }

  /** Visible text between the header and the footer. */
  async text(): Promise<string> {
    return oneLine(z.string().parse(await this.page.evaluate(`document.querySelector('main').innerText`)));
  }

  /** The lines of the list under a heading. */
  async listUnder(heading: string): Promise<string[]> {
    const part = this.page.locator('.part', { has: this.page.getByRole('heading', { name: heading, exact: true }) });
    return (await part.getByRole('listitem').allTextContents()).map(oneLine);
  }

  /** Accessible description of a control. */
  async describing(control: Locator): Promise<string> {
    const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ');
    const texts = await Promise.all(ids.map((id) => this.page.locator(`#${id}`).textContent()));
    return oneLine(texts.join(' '));
  }

  /** The focused element: its name, whether it has a visible outline, and whether it is on the screen. */
  async focused(): Promise<Focused> {
    return Focused.parse(
      await this.page.evaluate(`(() => {
        const element = document.activeElement;
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
        return {
          name: (element.labels?.[0] ?? element).innerText.trim(),
          marked: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && outlineColor !== 'rgba(0, 0, 0, 0)',
          onScreen: width > 0 && height > 0 && left >= 0 && right <= innerWidth && bottom > 0 && top < innerHeight,
        };
      })()`),
    );
  }

  /** Waits until a control has the focus. */
  async waitForFocusOn(id: string): Promise<void> {
    await this.page.locator(`#${id}:focus`).waitFor();
  }
}

export class Visitor {
  readonly #context: BrowserContext;
  readonly #errors: string[] = [];

  private constructor(context: BrowserContext) {
    this.#context = context;
  }

  static async arrive(browser: Browser, { javaScript, size }: Device): Promise<Visitor> {
    return new Visitor(await browser.newContext({ javaScriptEnabled: javaScript, locale: 'en', ...sizes[size] }));
  }

  /** Opens a tab. All tabs share their cookies. */
  async tab(): Promise<Tab> {
    return new Tab(await this.#context.newPage(), this.#errors);
  }

  /** Loses all cookies, as after a year. */
  async forget(): Promise<void> {
    await this.#context.clearCookies();
  }

  /** Closes the browser. @returns what it complained of: violations of the policy, errors of scripts, errors of the server */
  async leave(): Promise<readonly string[]> {
    await this.#context.close();
    return this.#errors;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
