/** The reference as a person uses it: on a phone and on a wide screen, searched with typing errors, and with calls that are tried. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { executablePath, launch, MISSING } from './chromium.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-reference-'));
let server: ServerProcess;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  if (executablePath === undefined) return;
  server = await ServerProcess.start(directory);
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

const addresses = () => {
  const { base_url, ads_base_url, ads_sandbox_base_url } = server.credentials;
  return [base_url, ads_base_url, ads_sandbox_base_url].map((origin) => `${origin}/docs`);
};
const [sandbox] = [() => addresses()[2] ?? ''];

describe('the reference in a browser', () => {
  test('never scrolls sideways on a phone', async ({ skip }) => {
    if (executablePath === undefined) return skip(MISSING);
    const names = ['', '/errors', '/campaigns', '/custom_audiences', '/admin.users'];
    for (const address of [...addresses().map((one) => one), ...names.map((name) => `${sandbox()}${name}`)]) {
      await page.goto(address);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), address).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  test('is light at first: groups are closed, and their operations on pages of their own', async ({ skip }) => {
    if (executablePath === undefined) return skip(MISSING);
    await page.goto(sandbox());
    expect(await page.locator('nav details[open]').count()).toBe(0);
    const elements = await page.locator('*').count();
    await page.goto(`${sandbox()}/line_items`);
    expect(await page.locator('nav details[open]').count()).toBe(1);
    expect(elements).toBeLessThan((await page.locator('*').count()) / 2);
  });

  test('leads to the references of the other listeners, and from addresses of one page to those of groups', async ({
    skip,
  }) => {
    if (executablePath === undefined) return skip(MISSING);
    await page.goto(sandbox());
    await page.getByRole('link', { name: 'Advertising', exact: true }).click();
    await expect.poll(() => page.url()).toBe(addresses()[1]);
    await page.goto(`${sandbox()}#campaigns.create`);
    await expect.poll(() => page.url()).toBe(`${sandbox()}/campaigns#campaigns.create`);
  });

  test.each([
    ['daily_budget_amount_local_micro', 'Create a campaign'],
    ['fundng instrment', 'Create a funding instrument of an account'],
    ['DUPLICATE_PSOT', 'DUPLICATE_POST'],
    ['whole numbers in millionths', 'Requests'],
  ])('finds %s', async (query, title) => {
    if (executablePath === undefined) return;
    await page.goto(sandbox());
    await page.keyboard.press('/');
    await page.locator('#search').fill(query);
    await expect.poll(() => page.locator('#found a b').allTextContents()).toContain(title);
    await page
      .locator('#found a', { has: page.locator('b', { hasText: new RegExp(`^${title}$`) }) })
      .first()
      .click();
    await expect.poll(() => page.evaluate('document.getElementById(location.hash.slice(1)) !== null')).toBe(true);
  });

  test('shows one language at a time, and remembers it', async ({ skip }) => {
    if (executablePath === undefined) return skip(MISSING);
    await page.goto(`${sandbox()}/campaigns`);
    await page.getByRole('tab', { name: 'Python' }).first().click();
    await page.goto(`${sandbox()}/line_items`);
    const shown = await page.locator('.calls figure:visible figcaption').allTextContents();
    expect(new Set(shown.map((caption) => caption.replace(/Copy$/, '')))).toEqual(new Set(['Python']));
  });

  test('tries calls that it signs: a list, one that is rejected, and one of data retrieval', async ({ skip }) => {
    if (executablePath === undefined) return skip(MISSING);
    const send = async (address: string, id: string, body?: string) => {
      await page.goto(address);
      const operation = page.locator(`[id="${id}"]`);
      await operation.getByRole('button', { name: 'Try it' }).click();
      if (body !== undefined) await operation.locator('textarea').fill(body);
      await operation.getByRole('button', { name: /^Send/ }).click();
      await expect.poll(() => operation.locator('.status').getAttribute('data-ok')).not.toBeNull();
      return `${await operation.locator('.status').textContent()} ${await operation.locator('.trial pre').textContent()}`;
    };
    const listed = await send(
      `${sandbox()}/campaigns`,
      'campaigns.list',
      '{"q": "Autumn", "sort_by": ["name-asc", "created_at-desc"]}',
    );
    expect(listed).toMatch(/^200 /);
    expect(listed).toContain('"name": "Autumn shelf"');
    expect(await send(`${sandbox()}/campaigns`, 'campaigns.create', '{"name": "Try (it)!"}')).toMatch(
      /^400 .*MISSING_PARAMETER/s,
    );
    const [id = ''] = server.credentials.post_ids;
    expect(await send(`${addresses()[0]}/posts`, 'posts.lookup', `{"ids": ["${id}"]}`)).toMatch(/^200 .*"data"/s);
    expect(await send(`${sandbox()}/campaigns`, 'campaigns.list', '{')).toContain('This is not JSON');
  });
});
