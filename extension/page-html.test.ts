import { describe, expect, it } from 'vitest';
import options from './options.html?raw';
import popup from './popup.html?raw';

const attributesOf = (page: Document, selector: string, ...names: string[]) =>
  [...page.querySelectorAll(selector)].map((element) =>
    ['id', ...names].map((name) => element.getAttribute(name)),
  );
const labelsOf = (page: Document) =>
  [...page.querySelectorAll('label')].map((label) => [label.htmlFor, label.textContent]);
const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

describe('the pages of the extension', () => {
  it.each([
    [
      'popup',
      popup,
      [
        'url Destination',
        'title Title (optional)',
        'code Alias (optional)',
        'tags Tags (optional)',
      ],
      ['url url-error', 'title title-error', 'code code-error', 'tags tags-error'],
      ['failure alert', 'qr-error alert', 'status status'],
      ['short-url', 'analytics'],
    ],
    [
      'options',
      options,
      ['address Address of Hop', 'key API key'],
      ['address address-hint address-error', 'key key-hint key-error'],
      ['failure alert', 'status status'],
      ['keys-page'],
    ],
  ])('%s labels its fields, announces errors and opens links apart', (_, html, ...expected) => {
    const page = parse(html);
    const [labels, fields, roles, links] = expected;
    expect(labelsOf(page).map((label) => label.join(' '))).toEqual(labels);
    const inputs = attributesOf(page, 'input', 'aria-describedby', 'autocomplete');
    expect(inputs.map((input) => input.join(' '))).toEqual(fields.map((field) => `${field} off`));
    expect(attributesOf(page, '[role]', 'role').map((role) => role.join(' '))).toEqual(roles);
    const apart = links.map((id) => [id, '_blank', 'noopener']);
    expect(attributesOf(page, 'a', 'target', 'rel')).toEqual(apart);
    expect(attributesOf(page, 'form', 'novalidate')).toEqual([['form', '']]);
  });

  it('the key is typed unseen, and the QR button names what it opens', () => {
    expect(attributesOf(parse(options), '[type=password]')).toEqual([['key']]);
    const button = ['qr', 'false', 'qr-frame'];
    expect(attributesOf(parse(popup), '#qr', 'aria-expanded', 'aria-controls')).toEqual([button]);
  });
});
