/**
 * A gateway of the Python package for tests: `python -m pincite.gateway --demo` over an embedded store, with the samples of two
 * tenants and an issuer that gives their tokens.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const python = process.env['PINCITE_PYTHON'] ?? join(root, 'target/tools/python/bin/python');
const samples = process.env['PINCITE_SAMPLES'] ?? join(root, 'target/samples');
const module = join(root, 'crate/python/pincite/_native.abi3.so');

/** Why it cannot be started; false where it can. */
export const skip = [python, module, samples].every((path) => existsSync(path))
  ? false
  : `skipped: the Python package is not set up (./build.sh python)`;

export class Gateway {
  #store;
  #data = '';
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null;
  /** Address, without a slash at the end. */
  url = '';

  /** @param {'postgres' | 'milvus'} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Starts it, on the port that it had before if there was one.
   * @param {string} origin of the page that asks
   * @param {{ llm?: string | null }} [options] `llm` is the address of a language model that writes the answers
   */
  async start(origin, { llm = null } = {}) {
    this.#data ||= await mkdtemp(join(tmpdir(), 'pincite-gateway-'));
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const options = ['--demo', '--store', this.#store, '--data', this.#data, '--samples', samples];
    if (llm !== null) options.push('--llm', llm);
    this.#process = spawn(python, ['-m', 'pincite.gateway', ...options, '--port', port, '--origin', origin], {
      env: { ...process.env, PYTHONPATH: join(root, 'crate/python') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.#process;
    let said = '';
    stderr?.on('data', (chunk) => {
      said += chunk;
    });
    if (stdout === null) throw new Error('the gateway has no output');
    for await (const line of createInterface({ input: stdout })) {
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(line) ?? [];
      if (url === undefined) continue;
      this.url = url;
      return;
    }
    throw new Error(`the gateway did not start: ${said}`);
  }

  /**
   * Reads files into its store before it starts, for tenant A, as `python -m pincite.ingest` does, without vectors.
   * @param {string} folder
   */
  async ingest(folder) {
    this.#data ||= await mkdtemp(join(tmpdir(), 'pincite-gateway-'));
    const store =
      this.#store === 'postgres' ? `pgserver:${this.#data}/postgres` : `milvus:${this.#data}/milvus.db`;
    const options = [
      '--input',
      folder,
      '--out',
      store,
      '--tenant',
      'tenant-a',
      '--encoder',
      'none',
      '--no-ray',
      '--quiet',
    ];
    const running = spawn(
      python,
      ['-m', 'pincite.ingest', ...options, '--ledger', join(this.#data, 'ledger')],
      {
        env: { ...process.env, PYTHONPATH: join(root, 'crate/python') },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [status] = await once(running, 'exit');
    if (status !== 0) throw new Error(`the ingest ended with ${status}`);
  }

  /** A token of a tenant. @param {string} tenant @param {number} [seconds] until it expires */
  async token(tenant, seconds = 600) {
    const reply = await fetch(`${this.url}/demo/token?tenant=${tenant}&seconds=${seconds}`);
    const { token } = /** @type {{ token: string }} */ (await reply.json());
    return token;
  }

  /** Documents of a tenant, as the gateway lists them. @param {string} tenant */
  async documents(tenant) {
    const authorization = `Bearer ${await this.token(tenant)}`;
    const reply = await fetch(`${this.url}/v1/library`, { headers: { authorization } });
    const { documents } = /** @type {{ documents: { id: string, name: string }[] }} */ (await reply.json());
    return documents;
  }

  /** Ends the process at once, as a crash does. */
  async kill() {
    await this.#end('SIGKILL');
  }

  /** Ends it and removes its data. */
  async close() {
    await this.#end('SIGTERM');
    await rm(this.#data, { recursive: true, force: true });
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }
}
