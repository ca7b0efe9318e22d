/** What the other tests rely on: errors, reports of the policy and requests of other machines are heard in every engine. */

import assert from 'node:assert/strict';
import { ready } from '../browser/harness.mjs';
import { inEachEngine } from './harness.mjs';
import { until } from './tab.mjs';

inEachEngine(({ test, atSite }) => {
  test('an error on the console is heard', () =>
    assert.rejects(
      atSite(async (tab) => {
        await tab.evaluate(() => console.error('as a test'));
      }),
      /console must be empty[\s\S]*as a test/,
    ));

  test('a violation of the policy is reported, and said on the console', () =>
    assert.rejects(
      atSite(async (tab, host) => {
        await tab.evaluate(
          () =>
            new Promise((resolve) => {
              document.addEventListener('securitypolicyviolation', () => resolve(null), { once: true });
              document.body.append(Object.assign(new Image(), { src: 'http://example.org/a.png' }));
            }),
        );
        await until(
          () => host.posted.length > 0,
          180_000,
          () => 'waited for a report',
        );
        assert.match(host.posted.join(), /img-src/);
        host.posted = [];
      }),
      /console must be empty/,
    ));

  test('a request of another machine is seen and refused', () =>
    assert.rejects(
      atSite(
        async (tab) => {
          await ready(tab);
          await tab.evaluate(() => fetch('https://example.org/').catch(() => {}));
        },
        { provoked: /example\.org/ },
      ),
      /nothing is asked of another machine[\s\S]*example\.org/,
    ));
});
