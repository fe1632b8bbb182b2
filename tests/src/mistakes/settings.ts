/** Mistakes in settings, seed files and commands, each with what is said. */

/** A mistake in a setting. */
export interface SettingMistake {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly says: string;
}

/** A mistake in a seed file. */
export interface SeedMistake {
  readonly name: string;
  readonly file: string;
  readonly says: string;
}

/** A mistake on the command line. */
export interface CommandMistake {
  readonly name: string;
  readonly line: string;
  readonly code: number;
  readonly says: string;
}

export const settingMistakes: readonly SettingMistake[] = [
  {
    name: 'a port that is a word',
    env: { BROADSIDE_API_PORT: 'http' },
    says: 'BROADSIDE_API_PORT is "http"; it must be a port from 1 to 65535, or 0 for any free one.',
  },
  {
    name: 'a port that is too large',
    env: { BROADSIDE_ADS_PORT: '70000' },
    says: 'BROADSIDE_ADS_PORT is "70000"; it must be a port from 1 to 65535, or 0 for any free one.',
  },
  {
    name: 'a negative port',
    env: { BROADSIDE_SANDBOX_PORT: '-1' },
    says: 'BROADSIDE_SANDBOX_PORT is "-1"; it must be a port from 1 to 65535, or 0 for any free one.',
  },
  {
    name: 'a base URL without a scheme',
    env: { BROADSIDE_BASE_URL: 'api.example' },
    says: 'BROADSIDE_BASE_URL is "api.example"; it must be a URL such as https://ads.example.com.',
  },
  {
    name: 'a base URL with a query',
    env: { BROADSIDE_ADS_BASE_URL: 'https://a.example/?x=1' },
    says: 'BROADSIDE_ADS_BASE_URL is "https://a.example/?x=1"; it must be a URL such as https://ads.example.com.',
  },
  {
    name: 'a base URL of another scheme',
    env: { BROADSIDE_ADS_SANDBOX_BASE_URL: 'ftp://a.example' },
    says: 'BROADSIDE_ADS_SANDBOX_BASE_URL is "ftp://a.example"; it must be a URL such as https://ads.example.com.',
  },
  {
    name: 'a proxy that is a name',
    env: { BROADSIDE_TRUSTED_PROXIES: 'proxy.local' },
    says: 'BROADSIDE_TRUSTED_PROXIES has "proxy.local"; it must be an address or a network such as 10.0.0.0/8.',
  },
  {
    name: 'a network that is too wide',
    env: { BROADSIDE_TRUSTED_PROXIES: '10.0.0.0/99' },
    says: 'BROADSIDE_TRUSTED_PROXIES has "10.0.0.0/99"; it must be an address or a network such as 10.0.0.0/8.',
  },
  {
    name: 'a flag that is a word',
    env: { BROADSIDE_ACCEPT_LOSS: 'maybe' },
    says: 'BROADSIDE_ACCEPT_LOSS is "maybe"; it must be 1 or 0.',
  },
  {
    name: 'media that are no S3',
    env: { BROADSIDE_MEDIA_URL: 'https://bucket' },
    says: 'BROADSIDE_MEDIA_URL cannot be used. It must be a URL such as s3://bucket/prefix?region=eu-central-1 or s3://bucket?endpoint=https://storage.example.com.',
  },
  {
    name: 'many threads',
    env: { BROADSIDE_WORKERS: '1000' },
    says: 'BROADSIDE_WORKERS is "1000"; it must be a number of threads from 1 to 64.',
  },
  {
    name: 'a thread count that is a word',
    env: { BROADSIDE_WORKERS: 'all' },
    says: 'BROADSIDE_WORKERS is "all"; it must be a number of threads from 1 to 64.',
  },
  {
    name: 'a demo that is a word',
    env: { BROADSIDE_DEMO: 'maybe' },
    says: 'BROADSIDE_DEMO is "maybe"; it must be 1 or 0.',
  },
  {
    name: 'a mode that does not exist',
    env: { BROADSIDE_MODE: 'prod' },
    says: 'BROADSIDE_MODE is "prod"; it must be one of development, production.',
  },
  {
    name: 'a short operator token',
    env: { BROADSIDE_OPERATOR_TOKEN: 'short' },
    says: 'BROADSIDE_OPERATOR_TOKEN must have 24 or more visible ASCII characters.',
  },
  {
    name: 'a short secret key',
    env: { BROADSIDE_SECRET_KEY: 'c2hvcnQ=' },
    says: 'BROADSIDE_SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` prints them.',
  },
  {
    name: 'a secret key that is no base64',
    env: { BROADSIDE_SECRET_KEY: '%%%' },
    says: 'BROADSIDE_SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` prints them.',
  },
  {
    name: 'rate limits in words',
    env: { BROADSIDE_RATE_LIMITS: 'many' },
    says: 'BROADSIDE_RATE_LIMITS has "many"; it must be published, development, off, or name=requests/seconds',
  },
  {
    name: 'a bucket that does not exist',
    env: { BROADSIDE_RATE_LIMITS: 'ads.wrte=5/60' },
    says: 'BROADSIDE_RATE_LIMITS has "ads.wrte=5/60"; it must be published, development, off, or name=requests/seconds',
  },
  {
    name: 'HTTP limits that do not exist',
    env: { BROADSIDE_HTTP_LIMITS: 'sockets=5' },
    says: 'BROADSIDE_HTTP_LIMITS has "sockets=5"; it must be name=figure',
  },
  {
    name: 'little room for bodies',
    env: { BROADSIDE_HTTP_LIMITS: 'body_mb=1' },
    says: 'BROADSIDE_HTTP_LIMITS has "body_mb=1"; it must be name=figure',
  },
  {
    name: 'a quota that does not exist',
    env: { BROADSIDE_QUOTAS: 'drafts=5' },
    says: 'BROADSIDE_QUOTAS has "drafts=5"; it must be name=figure',
  },
  {
    name: 'audience processing that does not exist',
    env: { BROADSIDE_AUDIENCE_PROCESSING: 'slow' },
    says: 'BROADSIDE_AUDIENCE_PROCESSING is "slow"; it must be one of fast, documented.',
  },
  {
    name: 'a log format that does not exist',
    env: { BROADSIDE_LOG_FORMAT: 'xml' },
    says: 'BROADSIDE_LOG_FORMAT is "xml"; it must be one of auto, json, text.',
  },
  {
    name: 'a log level in capitals',
    env: { BROADSIDE_LOG_LEVEL: 'INFO' },
    says: 'BROADSIDE_LOG_LEVEL is "INFO"; it must be one of fatal, error, warn, info, debug, trace, silent.',
  },
  {
    name: 'a database of another kind',
    env: { BROADSIDE_DATABASE_URL: 'postgres://me:secret@db.example/broadside?token=secret' },
    says: 'BROADSIDE_DATABASE_URL is "postgres://db.example/broadside"; it must be a URL such as libsql://platform.db.example.com, or a file such as file:/srv/broadside/platform.db.',
  },
  {
    name: 'a database server without a scheme',
    env: { BROADSIDE_ADS_DATABASE_URL: 'ads.db.example.com' },
    says: 'BROADSIDE_ADS_DATABASE_URL is "ads.db.example.com"; it must be a URL such as libsql://platform.db.example.com, or a file such as file:/srv/broadside/platform.db.',
  },
  {
    name: 'a database in memory',
    env: { BROADSIDE_SANDBOX_DATABASE_URL: ':memory:' },
    says: 'BROADSIDE_SANDBOX_DATABASE_URL is ":memory:"; it must be a URL such as libsql://platform.db.example.com, or a file such as file:/srv/broadside/platform.db.',
  },
  {
    name: 'a shard without a name',
    env: { BROADSIDE_ADS_SHARDS: 'libsql://east.example.com' },
    says: 'BROADSIDE_ADS_SHARDS must be name=URL separated by commas, with names of up to 32 lower-case letters, digits and hyphens other than "directory"; entry 1 is wrong.',
  },
  {
    name: 'a shard on a host without a scheme',
    env: { BROADSIDE_SANDBOX_SHARDS: 'east=east.example.com' },
    says: 'BROADSIDE_SANDBOX_SHARDS has no location for east: it must be a URL such as libsql://east.example.com, or a file such as file:/srv/broadside/east.db.',
  },
  {
    name: 'any origin',
    env: { BROADSIDE_CORS_ORIGINS: '*' },
    says: 'BROADSIDE_CORS_ORIGINS has "*"; it must be loopback, none, or origins such as https://app.example or http://127.0.0.1:3000, without a path, separated by commas.',
  },
];

export const seedMistakes: readonly SeedMistake[] = [
  {
    name: 'no YAML',
    file: 'users: [a',
    says: 'seed.yaml is not YAML\nline 1, column 10: Flow sequence in block collection must be sufficiently indented and end with a ]',
  },
  {
    name: 'a tab',
    file: 'users:\n\t- screen_name: a',
    says: 'seed.yaml is not YAML\nline 2, column 1: Tabs are not allowed as indentation',
  },
  {
    name: 'an unknown part',
    file: 'usrs: []',
    says: 'seed.yaml cannot be seeded\nline 1, column 7: usrs: there is no such member here; did you mean "users"?',
  },
  {
    name: 'a list that is an object',
    file: 'users: { a: b }',
    says: 'seed.yaml cannot be seeded\nline 1, column 8: users: this is a list, not an object',
  },
  {
    name: 'a user without a name',
    file: 'users:\n  - name: A',
    says: 'seed.yaml cannot be seeded\nline 2, column 5: users[0].screen_name: this is missing; it is a text (the unique name of a user, without @)',
  },
  {
    name: 'an unknown member',
    file: 'users:\n  - screen_name: ana\n    nmae: Ana',
    says: 'seed.yaml cannot be seeded\nline 3, column 11: users[0].nmae: there is no such member here; did you mean "name"?',
  },
  {
    name: 'a screen name that is too long',
    file: 'users:\n  - screen_name: this_name_is_far_too_long',
    says: 'seed.yaml cannot be seeded\nline 2, column 18: users[0].screen_name: a screen name has 1 to 15 letters, digits or underscores',
  },
  {
    name: 'a part twice',
    file: 'users: []\nusers: []',
    says: 'seed.yaml is not YAML\nline 2, column 1: Map keys must be unique',
  },
  {
    name: 'a number for a text',
    file: 'users:\n  - screen_name: 5\n    name: 7',
    says: 'seed.yaml cannot be seeded\nline 2, column 18: users[0].screen_name: this is a text (the unique name of a user, without @), not a number; put it in quotes\nline 3, column 11: users[0].name: this is a text of 1 to 50 characters, not a number; put it in quotes',
  },
  {
    name: 'a text in place of the file',
    file: 'just words',
    says: 'seed.yaml cannot be seeded\nline 1, column 1: this is an object with the members users, apps, follows, posts, accounts, not the text "just words"',
  },
];

export const commandMistakes: readonly CommandMistake[] = [
  {
    name: 'campagns list',
    line: 'campagns list',
    code: 2,
    says: 'broadside: There is no command "broadside campagns"; did you mean "campaigns"?\n  broadside --help lists what there is.\n',
  },
  {
    name: 'campaigns lst',
    line: 'campaigns lst',
    code: 2,
    says: 'broadside: There is no command "broadside campaigns lst"; did you mean "list"?\n  broadside campaigns --help lists what there is.\n',
  },
  {
    name: 'list campaigns',
    line: 'list campaigns',
    code: 2,
    says: 'broadside: There is no command "broadside list"; did you mean "broadside campaigns list"?\n  broadside --help lists what there is.\n',
  },
  {
    name: 'campaigns list --cuont 5 --account-id x',
    line: 'campaigns list --cuont 5 --account-id x',
    code: 2,
    says: 'broadside: There is no flag --cuont here; did you mean --count?\n  broadside campaigns list --help lists them all.\n',
  },
  {
    name: 'campaigns get a b --account-id x',
    line: 'campaigns get a b --account-id x',
    code: 2,
    says: 'broadside: broadside campaigns get does not take "b"\n  broadside campaigns get --help says what it takes.\n',
  },
  {
    name: 'campaigns list',
    line: 'campaigns list',
    code: 2,
    says: 'broadside: A required flag is missing:\n  --account-id <id>\n  (the credentials in use name no default account)\n  broadside campaigns list --help describes them.\n',
  },
  {
    name: 'campaigns list --account-id x --count many',
    line: 'campaigns list --account-id x --count many',
    code: 2,
    says: 'broadside: The parameters are not valid:\n  --count: Expected a whole number from 1 to 1000, got "many"\n  broadside campaigns list --help describes them.\n',
  },
  {
    name: 'campaigns create --account-id x --name n',
    line: 'campaigns create --account-id x --name n',
    code: 2,
    says: 'broadside: A required flag is missing:\n  --funding-instrument-id <id>\n  broadside campaigns create --help describes them.\n',
  },
  {
    name: 'campaigns list --account-id x --output xml',
    line: 'campaigns list --account-id x --output xml',
    code: 2,
    says: 'broadside: There is no flag --output here; --json prints JSON\n  broadside campaigns list --help lists them all.\n',
  },
  {
    name: 'campaigns delete --account-id x',
    line: 'campaigns delete --account-id x',
    code: 2,
    says: 'broadside: A required flag is missing:\n  --campaign-id <id>\n  broadside campaigns delete --help describes them.\n',
  },
  {
    name: 'doctor --file nothing.txt',
    line: 'doctor --file nothing.txt',
    code: 2,
    says: 'broadside: There is no flag --file here\n  Flags of a command stand after its words.\n',
  },
  {
    name: 'api GET',
    line: 'api GET',
    code: 2,
    says: 'broadside: The path is missing: broadside api METHOD PATH, such as broadside api GET /12/accounts\n',
  },
  {
    name: 'api FETCH /12/accounts',
    line: 'api FETCH /12/accounts',
    code: 2,
    says: 'broadside: "FETCH" is not a method; there are GET, POST, PUT, DELETE\n',
  },
  {
    name: 'completion fishh',
    line: 'completion fishh',
    code: 2,
    says: 'broadside: "fishh" is not a shell that is known here; there are bash, zsh, fish\n',
  },
];
