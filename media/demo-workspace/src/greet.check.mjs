import assert from 'node:assert/strict';
import { greet } from './greet.mjs';

assert.equal(greet('Ada'), 'Hello, Ada!');
assert.equal(greet('  '), 'Hello, world!');
assert.equal(greet(), 'Hello, world!');
console.log('greet works');
