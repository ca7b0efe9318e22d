/**
 * WebKit: the MiniBrowser of WebKitGTK on a display of its own, driven by plain WebDriver, of which eight commands are
 * needed. Its console comes on standard output, since WebDriver has none.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../browser/free-port.mjs';
import { until } from './tab.mjs';

const miniBrowser = process.env['MINIBROWSER'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const keys = { Enter: '\uE007', Escape: '\uE00C' };

/** @type {import('./engines.mjs').Launch} */
export async function launchWebKit({ downloads }) {
  const settings = await mkdtemp(path.join(tmpdir(), 'pincite-webkit-'));
  await writeFile(path.join(settings, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(/** @type {import('node:stream').Readable} */ (display.stdio[3]), 'data');
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, XDG_CONFIG_HOME: settings },
  });
  let said = (/** @type {string} */ _) => {};
  createInterface({ input: driver.stdout }).on('line', (line) => said(line));
  await until(
    () => command(port, 'GET', 'status').catch(() => null),
    10_000,
    () => 'waited for WebKitWebDriver',
  );
  return {
    async close() {
      driver.kill();
      display.kill();
      await rm(settings, { recursive: true });
    },
    async profile({ proxy, ...own }) {
      said = own.said;
      const session = await command(port, 'POST', 'session', {
        capabilities: {
          alwaysMatch: {
            'webkitgtk:browserOptions': {
              binary: miniBrowser,
              args: [
                '--automation',
                `--proxy=http://${proxy}`,
                '--enable-write-console-messages-to-stdout=true',
              ],
            },
            timeouts: { script: 300_000 },
          },
        },
      });
      const send = (/** @type {string} */ name, /** @type {object} */ body = {}) =>
        command(port, 'POST', `session/${session.sessionId}/${name}`, body);
      const evaluate = async (/** @type {unknown} */ script, /** @type {unknown} */ argument) => {
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
      const act = (/** @type {object} */ device, /** @type {object[]} */ actions) =>
        send('actions', { actions: [{ ...device, actions }] });
      const press = (/** @type {string} */ text) =>
        act(
          { type: 'key', id: 'keyboard' },
          [...text].flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        );
      await send('window/rect', { width: 1280, height: 860 });
      return {
        driver: {
          goto: (url) => send('url', { url }),
          reload: () => send('refresh'),
          evaluate,
          clickAt: (x, y) =>
            act({ type: 'pointer', id: 'mouse' }, [
              { type: 'pointerMove', x, y },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ]),
          type: press,
          press: (key) => press(keys[key]),
        },
        close: () => command(port, 'DELETE', `session/${session.sessionId}`),
      };
    },
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
