import { describe, expect, it } from 'vitest';
import { parseSender } from './sender.ts';

describe('parseSender', () => {
  it.each([
    ['hop@hop.example', { email: 'hop@hop.example', name: 'Hop' }],
    [' hop@hop.example ', { email: 'hop@hop.example', name: 'Hop' }],
    ['<hop@hop.example>', { email: 'hop@hop.example', name: 'Hop' }],
    ['Acme Links <hop@hop.example>', { email: 'hop@hop.example', name: 'Acme Links' }],
    ['"Acme, Links" <hop@hop.example>', { email: 'hop@hop.example', name: 'Acme, Links' }],
    ['', null],
    ['Hop', null],
    ['hop@hop', null],
    ['hop@hop.example.', null],
    ['Hop hop@hop.example', null],
    ['Hop <hop@hop.example', null],
    ['Hop <>', null],
    ['one@hop.example, two@hop.example', null],
  ])('reads %j', (text, sender) => {
    expect(parseSender(text)).toEqual(sender);
  });
});
