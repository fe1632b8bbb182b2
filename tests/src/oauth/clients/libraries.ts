/** The libraries that are tried: implementations of OAuth 1.0a that share no code. */
import type { FlowClient, Installable, Signer } from './client.ts';
import { foreign } from './foreign-client.ts';
import { NpmOauth } from './npm-oauth.ts';
import { NpmOauth10a } from './npm-oauth-1-0a.ts';

const python = ['/usr/bin/python3', 'python3'];
const perl = ['/usr/bin/perl', 'perl'];
const ruby = ['/usr/bin/ruby', 'ruby'];

/** Those that know how an app gets its tokens. */
export const flowClients: readonly Installable<FlowClient>[] = [
  { name: 'npm oauth', start: () => Promise.resolve(new NpmOauth()) },
  foreign({
    name: 'requests-oauthlib of Python',
    package: 'python3-requests-oauthlib',
    interpreters: python,
    program: 'requests-oauthlib.py',
  }),
  foreign({ name: 'oauth of Ruby', package: 'ruby-oauth', interpreters: ruby, program: 'ruby-oauth.rb' }),
  foreign({
    name: 'Net::OAuth of Perl',
    package: 'libnet-oauth-perl libwww-perl',
    interpreters: perl,
    program: 'net-oauth.pl',
  }),
  foreign({
    name: 'OAuth of PHP',
    package: 'php-cli php-oauth',
    interpreters: ['/usr/bin/php', 'php'],
    program: 'php-oauth.php',
  }),
];

/** All that sign. */
export const signers: readonly Installable<Signer>[] = [
  ...flowClients,
  { name: 'npm oauth-1.0a', start: () => Promise.resolve(new NpmOauth10a()) },
  foreign({
    name: 'Authlib of Python',
    package: 'python3-authlib python3-requests',
    interpreters: python,
    program: 'python-authlib.py',
  }),
  foreign({
    name: 'simple_oauth of Ruby',
    package: 'ruby-simple-oauth',
    interpreters: ruby,
    program: 'simple-oauth.rb',
  }),
  foreign({ name: 'WWW::OAuth of Perl', package: 'libwww-oauth-perl', interpreters: perl, program: 'www-oauth.pl' }),
];
