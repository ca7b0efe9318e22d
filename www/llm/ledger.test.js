import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from './ledger.js';

/** @param {Ledger} ledger @param {Partial<Parameters<Ledger['begin']>[0]>} [request] */
function begin(ledger, request = {}) {
  return ledger.begin({
    endpoint: 'main',
    url: new URL('https://user:pw@models.example/v1/chat?key=secret#part'),
    method: 'POST',
    step: 'read',
    call: 3,
    attempt: 1,
    passages: [{ document: 'd', page: 4, pageLabel: 'ii', sectionPath: ['Part 1'] }],
    turns: 2,
    bytesOut: 100,
    ...request,
  });
}

test('an entry is there before the request is sent, and says how it ended', () => {
  let now = 1000;
  const ledger = new Ledger({ now: () => now });
  let changes = 0;
  ledger.addEventListener('change', () => (changes += 1));
  const entry = begin(ledger);
  assert.equal(ledger.entries[0]?.outcome, 'open');
  assert.equal(changes, 1);
  now = 1500;
  entry.status(200);
  entry.received(30);
  entry.received(12);
  entry.end('ok');
  entry.end('cancelled');
  assert.equal(changes, 2);
  assert.deepEqual(ledger.entries, [
    {
      id: 1,
      at: 1000,
      endpoint: 'main',
      where: 'https://models.example/v1/chat',
      method: 'POST',
      step: 'read',
      call: 3,
      attempt: 1,
      passages: [{ document: 'd', page: 4, pageLabel: 'ii', sectionPath: ['Part 1'] }],
      turns: 2,
      bytesOut: 100,
      bytesIn: 42,
      status: 200,
      outcome: 'ok',
      ms: 500,
    },
  ]);
});

test('no address in the ledger has a query, a key or a user name', () => {
  const ledger = new Ledger();
  begin(ledger);
  begin(ledger, { url: null, method: 'local' });
  const exported = JSON.stringify(ledger);
  for (const word of ['secret', 'user', 'pw@', '#part']) assert.ok(!exported.includes(word), word);
  assert.equal(ledger.entries[1]?.where, 'this device');
});

test('the list is bounded, the totals are not', () => {
  const ledger = new Ledger({ max: 3 });
  for (let request = 0; request < 10; request += 1) begin(ledger).received(5);
  assert.deepEqual(
    ledger.entries.map(({ id }) => id),
    [8, 9, 10],
  );
  assert.deepEqual(ledger.totals, { requests: 10, bytesOut: 1000, bytesIn: 50 });
  const exported = JSON.parse(JSON.stringify(ledger));
  assert.equal(exported.unlisted, 7);
  assert.match(exported.entries[0].at, /^\d{4}-\d\d-\d\dT/);
  ledger.clear();
  assert.deepEqual([ledger.entries.length, ledger.totals.requests], [0, 10]);
});

test('entries read from the ledger cannot change it', () => {
  const ledger = new Ledger();
  const passages = [{ document: 'd', page: null, sectionPath: ['a'] }];
  begin(ledger, { passages });
  passages[0]?.sectionPath.push('b');
  const [entry] = ledger.entries;
  Object.assign(entry ?? {}, { where: 'elsewhere' });
  assert.match(ledger.entries[0]?.where ?? '', /^https/);
  assert.deepEqual(ledger.entries[0]?.passages[0]?.sectionPath, ['a']);
});
