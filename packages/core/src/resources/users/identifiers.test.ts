import { describe, expect, it } from 'vitest';
import { checkIdentifiers, readIdentifiers } from './identifiers.ts';

describe('identifiers of a person', () => {
  it('are stored as they are hashed, each once', () => {
    const { identifiers, problems } = readIdentifiers({
      email: ' Nora.Finch@Example.COM ',
      phone_numbers: ['+1 (500) 555-0100', '+15005550100', '0044 20 7946 0018'],
      devices: ['4B61639E-47CC-4056-A16A-C8217E029462', ' AF3802A465767E36'],
    });
    expect(problems).toEqual([]);
    expect(identifiers).toEqual({
      email: 'nora.finch@example.com',
      phone_numbers: ['+15005550100', '+442079460018'],
      devices: ['4b61639e-47cc-4056-a16a-c8217e029462', 'af3802a465767e36'],
    });
  });

  it('that are left out, null or empty stay so: null and empty remove', () => {
    expect(readIdentifiers({}).identifiers).toEqual({});
    expect(readIdentifiers({ email: null, phone_numbers: [], devices: [] })).toEqual({
      identifiers: { email: null, phone_numbers: [], devices: [] },
      problems: [],
    });
  });

  it('that are none are rejected by place, and never repeated', () => {
    const issues = checkIdentifiers({
      email: 'nora at example.com',
      phone_numbers: ['+15005550100', '5550123'],
      devices: ['my-telephone', 'af3802a465767e36', '00000000-0000-0000-0000-000000000000'],
    });
    expect(issues).toEqual([
      {
        error: 'INVALID_PARAMETER',
        parameter: 'email',
        message: expect.stringMatching(/^Expected one e-mail address/),
      },
      {
        error: 'INVALID_PARAMETER',
        parameter: 'phone_numbers',
        message: expect.stringMatching(/^phone_numbers\[1\]: .*country is missing/),
      },
      { error: 'INVALID_PARAMETER', parameter: 'devices', message: expect.stringMatching(/^devices\[0\]: Expected/) },
      {
        error: 'INVALID_PARAMETER',
        parameter: 'devices',
        message: expect.stringMatching(/^devices\[2\]: .*all zeros/),
      },
    ]);
    expect(JSON.stringify(issues)).not.toMatch(/nora|5550123|my-telephone/);
  });
});
