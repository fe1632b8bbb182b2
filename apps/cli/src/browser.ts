import type { Env } from './io.ts';

/**
 * Opens an address in the browser of the desktop and waits for nothing. The address is printed as well, so failing is no failure.
 */
export async function openBrowser(url: string, platform: NodeJS.Platform, env: Env): Promise<void> {
  if (!/^https?:\/\//.test(url) || !hasDesktop(platform, env)) return;
  try {
    const { default: open } = await import('open');
    const launcher = await open(url);
    launcher.on('error', () => {});
  } catch {
    // There is no browser, or nothing to start one with.
  }
}

/** Without a desktop `xdg-open` would start a browser of the terminal, which is in use. */
function hasDesktop(platform: NodeJS.Platform, env: Env): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return [env['DISPLAY'], env['WAYLAND_DISPLAY'], env['WSL_DISTRO_NAME']].some(
    (value) => value !== undefined && value !== '',
  );
}
