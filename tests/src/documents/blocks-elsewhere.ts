/** Blocks of documents that `blocks.test.ts` does not run as they stand, and why. */

interface Elsewhere {
  readonly file: string;
  /** How the block begins. */
  readonly begins: string;
  readonly why: string;
}

const guide = (name: string, why: string, ...begins: readonly string[]): readonly Elsewhere[] =>
  begins.map((one) => ({ file: `docs/guides/${name}.md`, begins: one, why }));

export const elsewhere: readonly Elsewhere[] = [
  { file: 'README.md', begins: 'git clone', why: 'CI begins with it: a clone, an installation and a build' },
  {
    file: 'README.md',
    begins: './broadside seed',
    why: 'a hundred thousand people take too long; seeds of fewer are tested in tests/src/seed',
  },
  ...guide(
    'audiences',
    'needs the files and ids of the example that goes before, which audiences.test.ts runs',
    'broadside seed',
    'broadside targeting-criteria create',
    'broadside custom-audience-permissions',
    'broadside custom-audiences batch',
    'broadside do-not-reach-lists',
  ),
  ...guide('many-servers', 'needs several machines; workers.test.ts starts such servers', '# One worker;'),
  ...guide('many-servers', 'needs shards; account-move.test.ts moves accounts', 'broadside admin accounts move'),
  ...guide(
    'people-and-apps',
    'needs ids; admin-people.test.ts, operator-people.test.ts, operator-accounts.test.ts and moderation.test.ts call what they say',
    'broadside admin users suspend',
    'broadside admin users delete',
    'broadside admin users export',
    'broadside admin apps suspend',
    'broadside admin posts report',
    'broadside admin creatives list',
    'broadside admin accounts list',
    'broadside admin audit',
  ),
  ...guide(
    'backup',
    'needs a platform and a place; apps/cli/src/commands/backup.test.ts runs these commands',
    'export BROADSIDE_BACKUP',
  ),
  ...guide(
    'backup',
    'needs empty stores on libSQL servers; apps/server/src/backup/restore-servers.test.ts restores onto such',
    'broadside backup restore /backups/harbour',
  ),
  ...guide(
    'many-servers',
    'needs Docker; deploy-many.test.ts holds the file against its schema and the settings',
    'export',
  ),
  ...guide(
    'upgrading',
    'needs two versions; tests/src/upgrades renames the directories as they say, and backup.test.ts runs the backups',
    'broadside backup create',
    'broadside stop',
  ),
  ...guide(
    'backup',
    'Litestream is no dependency; `npm run drill:litestream` does the same where it is',
    'litestream ',
  ),
  ...guide(
    'creatives',
    'needs a shell: apps/cli and creatives.test.ts run the same commands; flags are verified here',
    'poll=$(',
    'curl -s',
  ),
  ...guide(
    'deploy',
    'needs Docker or systemd; deploy.test.ts holds the files against linters and schemas',
    'docker build',
    'docker compose',
    'sudo install',
  ),
  ...guide(
    'dialects',
    'the proxy is driven by tests/src/published-clients, the file is read by apps/server/src/dialects/guide.test.ts',
    'broadside start',
    'broadside: ./example.yaml',
    'name: example',
  ),
  ...guide(
    'generated-clients',
    'installs a generator: generated-clients.test.ts runs it on the same document',
    'npm install',
    'pip install',
    'curl -o',
  ),
  ...guide('operating', 'takes the place of a process: restart.test.ts does it under load', 'broadside restart'),
  ...guide('journal', 'the file of the command that follows, which runs with it', '['),
  ...guide(
    'hashing',
    'has no file of its own: apps/cli and packages/core test the doctor',
    'broadside doctor hash',
    'import { hash }',
    '{\n  "success_count"',
  ),
  ...guide(
    'keyword-insights',
    'its period is in the past of any seeded platform; flags are verified here',
    'broadside keyword-insights',
  ),
  ...guide(
    'operating',
    'needs a remote store or a terminal; flags are verified here',
    'BROADSIDE_DATABASE_URL',
    'BROADSIDE_BASE_URL',
    'broadside admin users create',
  ),
  ...guide(
    'monitoring',
    'starts a server with a listener or a collector: apps/server/src/telemetry tests both',
    'BROADSIDE_METRICS_PORT',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  ...guide(
    'published-clients',
    'installs a client: tests/src/published-clients drives each through the proxy',
    'broadside proxy',
    'from twitter_ads',
    'import tweepy',
    'import { TwitterApi }',
    'config := oauth1',
    'curl -H',
  ),
  ...guide(
    'seeding',
    'takes minutes; tests/src/seed and apps/server/src/seed run smaller ones and read the file',
    'broadside seed',
    'broadside world create --name spring --generate',
    'users:\n  - screen_name',
  ),
  ...guide(
    'signatures',
    'shows the parts of a request as words; packages/core tests the doctor',
    'import { createHmac }',
  ),
  ...guide('uploading', 'examples.test.ts uploads by each client; flags are verified here', 'broadside media upload'),
  ...guide(
    'campaign-management',
    'is the content of operations.json, of which one item is wrong on purpose',
    '[\n  { "operation_type": "Update"',
    'broadside campaigns batch',
  ),
  ...guide(
    'campaign-management',
    'is the content of operations.json, which the commands here read',
    '[\n  {\n    "operation_type": "Create"',
  ),
];
