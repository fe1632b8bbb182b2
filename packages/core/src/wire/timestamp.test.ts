import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp, timestampMs } from './timestamp.ts';

describe('advertising timestamps', () => {
  test.each([
    ['2018-02-01', '2018-02-01T00:00:00Z'],
    ['2018-02-01T10:20:30Z', '2018-02-01T10:20:30Z'],
    ['2018-02-01T10:20:30.999Z', '2018-02-01T10:20:30Z'],
    ['2018-02-01T10:20:30+0200', '2018-02-01T08:20:30Z'],
    ['2018-02-01T10:20:30+02:00', '2018-02-01T08:20:30Z'],
    ['2018-02-01T10:20:30-05', '2018-02-01T15:20:30Z'],
    ['2018-02-01T10:20:30-0530', '2018-02-01T15:50:30Z'],
    ['2018-12-31T23:00:00-02:00', '2019-01-01T01:00:00Z'],
    ['2020-02-29', '2020-02-29T00:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('%s is %s', (text, canonical) => {
    expect(parseTimestamp(text)).toBe(canonical);
  });

  test.each([
    '',
    'now',
    '2018',
    '2018-02',
    '2018-2-1',
    '2018-02-30',
    '2019-02-29',
    '2018-13-01',
    '2018-00-10',
    '2018-01-00',
    '2018-02-01T10:20',
    '2018-02-01T10:20:30',
    '2018-02-01T24:00:00Z',
    '2018-02-01T10:60:00Z',
    '2018-02-01T10:20:61Z',
    '2018-02-01T10:20:30+24:00',
    '2018-02-01T10:20:30+02:60',
    '2018-02-01 10:20:30Z',
    ' 2018-02-01',
    '2018-02-01T10:20:30z',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '12018-02-01',
    '1517443200',
  ])('%j is not a time', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('a canonical timestamp parses to itself and sorts chronologically', () => {
    const moment = fc.integer({ min: Date.UTC(1, 0, 1) + 62_135_596_800_000, max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [first, second] = [formatTimestamp(a), formatTimestamp(b)];
        expect(parseTimestamp(first)).toBe(first);
        expect(timestampMs(first)).toBe(Math.floor(a / 1000) * 1000);
        const order = Math.sign(Math.floor(a / 1000) - Math.floor(b / 1000));
        expect(first < second ? -1 : first > second ? 1 : 0).toBe(order);
      }),
    );
  });

  test('any text is parsed or rejected without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTimestamp(text)));
  });
});
