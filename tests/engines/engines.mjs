/** The three engines: each is launched once for a file of tests, and gives a fresh profile to each test. */

import { launchChromium } from './chromium.mjs';
import { launchFirefox } from './firefox.mjs';
import { launchWebKit } from './webkit.mjs';

/**
 * @typedef {object} ProfileOptions
 * @property {(line: string) => void} said takes a line of the console
 */

/**
 * @typedef {object} Profile a tab that shares nothing with another profile's
 * @property {import('./tab.mjs').Driver} driver
 * @property {() => Promise<unknown>} close
 */

/**
 * @typedef {object} Engine
 * @property {(options: ProfileOptions) => Promise<Profile>} profile
 * @property {() => Promise<unknown>} close
 */

/**
 * @typedef {object} LaunchOptions
 * @property {string} downloads folder for what pages save
 * @property {string} proxy through which everything is asked, as `host:port`
 */

/** @typedef {(options: LaunchOptions) => Promise<Engine>} Launch */

/** @type {Record<string, Launch>} */
const launches = { Chromium: launchChromium, Firefox: launchFirefox, WebKit: launchWebKit };

/** Those that ENGINES names, else all. */
export const engines = Object.entries(launches)
  .filter(([name]) => (process.env['ENGINES'] ?? name).split(',').includes(name))
  .map(([name, launch]) => ({ name, launch }));
