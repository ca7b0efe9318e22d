/**
 * Harness of the tests in three engines: an engine, a fresh profile for each test behind a network that has this machine
 * only, the built site on a host that takes reports of its policy, and a console that must stay empty.
 */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test as nodeTest } from 'node:test';
import { policyOf } from '../../www/hosting.mjs';
import { withEmptyConsole } from '../browser/console.mjs';
import { siteFolder } from '../browser/harness.mjs';
import { Host } from '../browser/host.mjs';
import { engines } from './engines.mjs';
import { Network } from './network.mjs';
import { Tab, until } from './tab.mjs';

/** @typedef {{ provoked?: RegExp }} Options `provoked` is what the test makes the console say */
/** @typedef {ReturnType<typeof inEngine>} InEngine */

/** @param {string} name @param {import('./engines.mjs').Launch} launch */
function inEngine(name, launch) {
  let downloads = '';
  const network = new Network();
  /** @type {Promise<import('./engines.mjs').Engine> | null} */
  let launched = null;
  before(async () => {
    downloads = await mkdtemp(path.join(tmpdir(), 'pincite-downloads-'));
    await network.open();
  });
  after(async () => {
    await (await launched)?.close();
    network.close();
    await rm(downloads, { recursive: true });
  });

  /**
   * A tab of a fresh profile: nothing may be asked of another machine, nothing said on the console.
   * @param {(tab: Tab) => Promise<void>} body
   * @param {Options} [options]
   */
  const withTab = (body, { provoked } = {}) =>
    withEmptyConsole(async (said) => {
      launched ??= launch({ downloads, proxy: network.address });
      const engine = await launched;
      network.refused = [];
      const profile = await engine.profile({ said });
      try {
        await body(new Tab(profile.driver));
        assert.deepEqual(network.refused, [], 'nothing is asked of another machine');
      } finally {
        await profile.close();
      }
    }, provoked);

  /**
   * The page at a host of its own.
   * @param {(tab: Tab, host: Host) => Promise<void>} body
   * @param {Options & { vectors?: boolean, site?: (host: Host) => void }} [options] `vectors` loads the embedding model, which
   *   costs seconds; `site` prepares the host
   */
  const atSite = async (body, { vectors = false, site = () => {}, ...options } = {}) => {
    const host = await hostOf({ vectors });
    site(host);
    try {
      await withTab(async (tab) => {
        await tab.goto(host.url);
        await body(tab, host);
      }, options);
      assert.deepEqual(host.posted, [], 'the policy holds');
    } finally {
      await host.close();
    }
  };

  /** A file that the page saves, once it is whole. @param {RegExp} ending of its text */
  const saved = async (/** @type {RegExp} */ ending) => {
    const text = async () => {
      const [file] = (await readdir(downloads)).filter((each) => each.endsWith('.html'));
      const text = file ? await readFile(path.join(downloads, file), 'utf8') : '';
      return ending.test(text) ? text : null;
    };
    return until(text, 180_000, () => `waited for a file in ${downloads}`);
  };

  /** A test of this engine. An engine that hangs is ended with it. @param {string} behaviour @param {() => Promise<unknown>} body */
  const test = (behaviour, body) =>
    nodeTest(`${name}: ${behaviour}`, { timeout: 600_000 }, async () => void (await body()));

  return { name, test, withTab, atSite, saved };
}

/** The site on a host that takes reports of its policy. @param {{ vectors: boolean }} options false for one without the embedding model */
async function hostOf({ vectors }) {
  const host = await new Host().open(siteFolder);
  const policy = policyOf(await readFile(path.join(siteFolder, 'index.html'), 'utf8'));
  host.headers = { ...host.headers, 'content-security-policy': `${policy}; report-uri /reports` };
  if (!vectors) host.send = (name, bytes) => (name === 'model/model.onnx' ? Buffer.from('no model') : bytes);
  return host;
}

/** Each is launched once for a file of tests, by the first of its own. */
const launched = engines.map(({ name, launch }) => inEngine(name, launch));

/**
 * Declares tests once for each engine.
 * @param {(engine: InEngine) => void} tests
 */
export function inEachEngine(tests) {
  for (const engine of launched) tests(engine);
}
