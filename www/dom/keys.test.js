import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf, keys, shortcutsOf } from './keys.js';

/** @param {string} key @param {string} [held] @returns {any} */
const pressed = (key, held = '') => ({
  key,
  isComposing: held.includes('composing'),
  altKey: held.includes('alt'),
  ctrlKey: held.includes('control'),
  metaKey: held.includes('command'),
  shiftKey: held.includes('shift'),
});

test('a key is the action of its place, with what is held or not held', () => {
  /** @type {[import('./keys.js').KeyPlace, any, string | null][]} */
  const cases = [
    ['viewer', pressed('ArrowRight'), 'nextPage'],
    ['viewer', pressed('ArrowRight', 'shift'), null],
    ['viewer', pressed('ArrowRight', 'alt'), null],
    ['viewer', pressed('+'), 'zoomIn'],
    ['viewer', pressed('+', 'shift'), 'zoomIn'],
    ['viewer', pressed('n'), 'openNext'],
    ['viewer', pressed('N', 'shift'), 'openNext'],
    ['viewer', pressed('n', 'control'), null],
    ['viewer', pressed('f', 'control'), 'find'],
    ['viewer', pressed('f', 'command'), 'find'],
    ['viewer', pressed('F', 'control shift'), null],
    ['viewer', pressed('f'), null],
    ['page', pressed('?', 'shift'), 'showKeys'],
    ['page', pressed('?'), 'showKeys'],
    ['question', pressed('Enter'), 'ask'],
    ['question', pressed('Enter', 'shift'), 'breakLine'],
    ['question', pressed('Enter', 'composing'), null],
    ['sections', pressed(' '), 'openRow'],
    ['sections', pressed('x'), 'typeAhead'],
    ['sections', pressed('?'), null],
    ['sections', pressed('F1'), null],
  ];
  for (const [place, event, action] of cases)
    assert.equal(actionOf(place, event), action, `${place}: ${JSON.stringify(event)}`);
});

test('no key of a place has two actions, and each action has a name of its own', () => {
  const actions = Object.values(keys).flatMap((place) => Object.keys(place));
  assert.equal(new Set(actions).size, actions.length);
  for (const [place, table] of Object.entries(keys)) {
    const all = Object.values(table).flat();
    assert.equal(new Set(all).size, all.length, place);
  }
});

test('shortcuts are written as ARIA writes them', () => {
  assert.equal(shortcutsOf('viewer', 'find'), 'Control+F Meta+F');
  assert.equal(shortcutsOf('viewer', 'openNext'), 'n');
});
