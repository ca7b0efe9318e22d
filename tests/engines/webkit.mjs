/**
 * WebKit: the MiniBrowser of WebKitGTK on a display of its own, driven by plain WebDriver, of which eight commands are
 * needed.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../browser/free-port.mjs';
import { until } from './tab.mjs';
import { heard, listen } from './webkit-console.mjs';

export const miniBrowser =
  process.env['MINIBROWSER'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const keys = { Enter: '\uE007', Escape: '\uE00C' };

/** A display that nobody sees. */
export async function openDisplay() {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(/** @type {import('node:stream').Readable} */ (display.stdio[3]), 'data');
  return { display, name: `:${String(number).trim()}` };
}

/** @type {import('./engines.mjs').Launch} */
export async function launchWebKit({ downloads, proxy }) {
  const settings = await mkdtemp(path.join(tmpdir(), 'pincite-webkit-'));
  await writeFile(path.join(settings, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const { display, name } = await openDisplay();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...process.env,
      DISPLAY: name,
      XDG_CONFIG_HOME: settings,
      // Without a GPU, compositing takes a third of the processor's time.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  await until(
    () => command(port, 'GET', 'status').catch(() => null),
    60_000,
    () => 'waited for WebKitWebDriver',
  );
  return {
    async close() {
      driver.kill();
      display.kill();
      await rm(settings, { recursive: true });
    },
    async profile({ said }) {
      const { sessionId } = await command(port, 'POST', 'session', {
        capabilities: {
          alwaysMatch: {
            'webkitgtk:browserOptions': {
              binary: miniBrowser,
              args: ['--automation', `--proxy=http://${proxy}`],
            },
            timeouts: { script: 300_000 },
            // So that listening begins before the page is loaded.
            pageLoadStrategy: 'none',
          },
        },
      });
      const send = (/** @type {string} */ name, /** @type {object} */ body = {}) =>
        command(port, 'POST', `session/${sessionId}/${name}`, body);
      await send('window/rect', { width: 1280, height: 860 });
      const { hear, ...driver } = driverOf(send, said);
      return {
        driver,
        close: () => hear().finally(() => command(port, 'DELETE', `session/${sessionId}`)),
      };
    },
  };
}

/**
 * @param {(command: string, body?: object) => Promise<any>} send
 * @param {(line: string) => void} said
 * @returns {import('./tab.mjs').Driver & { hear: () => Promise<void> }} `hear` hands on what the page has said
 */
function driverOf(send, said) {
  const evaluate = async (/** @type {unknown} */ script, /** @type {unknown} */ argument = null) => {
    const { value, problem } = await send('execute/async', {
      script: `const done = arguments[1];
        (async () => (${script})(arguments[0]))().then(
          (value) => done({ value }),
          (error) => done({ problem: String(error) + '\\n' + error?.stack }));`,
      args: [argument],
    });
    if (problem !== undefined) throw new Error(problem);
    return value;
  };
  const hear = async () => (await evaluate(heard)).forEach(said);
  const has = (/** @type {() => unknown} */ state) =>
    until(
      () => evaluate(state).catch(() => false),
      180_000,
      () => `waited for ${state}`,
    );
  /** Resolves when another document is loaded. @param {() => Promise<unknown>} leave */
  const open = async (leave) => {
    await hear();
    await evaluate(listen);
    await leave();
    await has(() => !Reflect.has(globalThis, 'said'));
    await evaluate(listen);
    await has(() => document.readyState === 'complete');
  };
  const act = (/** @type {object} */ device, /** @type {object[]} */ actions) =>
    send('actions', { actions: [{ ...device, actions }] });
  const type = (/** @type {string} */ text) =>
    act(
      { type: 'key', id: 'keyboard' },
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  return {
    hear,
    goto: (url) => open(() => send('url', { url })),
    reload: () => open(() => send('refresh')),
    evaluate,
    clickAt: (x, y) =>
      act({ type: 'pointer', id: 'mouse' }, [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type,
    press: (key) => type(keys[key]),
  };
}

/**
 * A command of WebDriver. @param {number} port @param {string} method @param {string} name @param {object} [body]
 * @returns {Promise<any>}
 */
async function command(port, method, name, body) {
  const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${name}: ${value.error}: ${value.message}`);
  return value;
}
