import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as events from './events.js';

test('an event carries what the comment of the class names, and nothing else', async () => {
  const source = await readFile(new URL('pincite-widget.js', import.meta.url), 'utf8');
  const documented = new Map(
    [...source.matchAll(/@fires \{\w+\} (pincite-[a-z]+) - (.*)/g)].map(([, name = '', says = '']) => [
      name,
      [...says.matchAll(/`(\w+)`/g)].map(([, field]) => field).sort(),
    ]),
  );
  for (const Type of Object.values(events)) {
    const event = Reflect.construct(Type, ['first', 'second']);
    assert.ok(event.composed && event.bubbles, event.type);
    const carried = Object.keys(event).filter((field) => field !== 'isTrusted');
    assert.deepEqual(carried.sort(), documented.get(event.type), event.type);
  }
  assert.equal(documented.size, Object.values(events).length);
});
