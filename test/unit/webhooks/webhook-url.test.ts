// Where webhooks may send, as a table: a public host by https, and this machine on a local server alone.
import { expect, it } from 'vitest'
import { anyServer, findUrlProblem, serverOf } from '../../../src/channels/webhooks/webhook-url.ts'

const deployed = serverOf('https://leads.example.com/api/v1/webhooks')
const local = serverOf('http://localhost:8787/api/v1/webhooks')

const notHttps = 'url must be an https:// URL'
const credentials = 'url must not hold credentials'
const port = 'url must use port 443'
const notPublic = 'url must name a public host'
const own = 'url must not be of this service'

it.each([
  'https://example.com',
  'https://example.com/hooks?token=a%20b#part',
  'https://example.com:443/',
  'HTTPS://EXAMPLE.COM/',
  'https://bücher.example/',
  'https://hooks.leads.example.com/',
  'https://localhost.example.com/',
  'https://1.2.3.4.example.com/',
])('A deployed service sends to %s', (url) => expect(findUrlProblem(url, deployed)).toBeNull())

it.each([
  ['', notHttps],
  ['example.com', notHttps],
  ['//example.com', notHttps],
  ['http://example.com/', notHttps],
  ['ftp://example.com/', notHttps],
  ['javascript:alert(1)', notHttps],
  ['https:example.com', notHttps],
  ['https:/example.com', notHttps],
  ['https://', notHttps],
  [' https://example.com/', notHttps],
  ['https://exam\tple.com/', notHttps],
  ['https://example.com/\n', notHttps],
  ['https://me@example.com/', credentials],
  ['https://me:secret@example.com/', credentials],
  ['https://:secret@example.com/', credentials],
  ['https://example.com:8443/', port],
  ['https://example.com:80/', port],
  ['https://127.0.0.1/', notPublic],
  ['https://0x7f.1/', notPublic],
  ['https://2130706433/', notPublic],
  ['https://017700000001/', notPublic],
  ['https://127.1/', notPublic],
  ['https://127.0.0.1./', notPublic],
  ['https://１２７.0.0.1/', notPublic],
  ['https://１.1.1.1/', notPublic],
  ['https://8.8.8.8/', notPublic],
  ['https://169.254.169.254/latest/meta-data', notPublic],
  ['https://[::1]/', notPublic],
  ['https://[::ffff:127.0.0.1]/', notPublic],
  ['https://[2606:4700::1111]/', notPublic],
  ['https://localhost/', notPublic],
  ['https://localhost./', notPublic],
  ['https://api.localhost/', notPublic],
  ['https://LOCALHOST/', notPublic],
  ['https://printer.local/', notPublic],
  ['https://metadata.google.internal/', notPublic],
  ['https://router.home.arpa/', notPublic],
  ['https://intranet/', notPublic],
  ['https://example.com./', notPublic],
  ['http://localhost:9000/', notHttps],
  ['https://leads.example.com/api/v1/leads', own],
  ['https://LEADS.example.com:443/', own],
])('A deployed service sends nothing to %j', (url, problem) =>
  expect(findUrlProblem(url, deployed)).toBe(problem),
)

it.each([
  'http://localhost:9000/hook',
  'http://127.0.0.1:9000/',
  'http://[::1]:9000/',
  'http://localhost/',
  'https://example.com/',
])('A local server sends to %s', (url) => expect(findUrlProblem(url, local)).toBeNull())

it.each([
  ['http://localhost:8787/api/v1/leads', own],
  ['http://127.0.0.1:8787/', own],
  ['http://[::1]:8787/', own],
  ['http://me@localhost:9000/', credentials],
  ['https://localhost/', notPublic],
  ['https://127.0.0.1/', notPublic],
  ['https://0x7f.1/', notPublic],
  ['http://0x7f.1:9000/', notHttps],
  ['http://2130706433:9000/', notHttps],
  ['http://１２７.0.0.1:9000/', notHttps],
  ['http://192.168.0.1/', notHttps],
  ['https://192.168.0.1/', notPublic],
  ['http://0.0.0.0:9000/', notHttps],
  ['http://example.com/', notHttps],
])('A local server sends nothing to %s', (url, problem) => expect(findUrlProblem(url, local)).toBe(problem))

it.each(['http://localhost/', 'http://127.0.0.1:8787/', 'http://[::1]:1/'])(
  'A server is local where it is reached under a name of this machine: %s',
  (url) => expect(serverOf(url).isLocal).toBe(true),
)

it('What is sent to was let through and is looked at again without a request at hand', () => {
  expect(findUrlProblem('https://example.com/', anyServer)).toBeNull()
  expect(findUrlProblem('https://10.0.0.1/', anyServer)).toBe(notPublic)
})
