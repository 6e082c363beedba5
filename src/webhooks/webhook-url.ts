// Where webhooks may send: to a public host by https, and nowhere else. On a local server also to this very machine, so
// that a receiver can be written there. Looked at when a URL is given, and again whenever something is sent to it. Pure.

/** What the host of the request that gives the URL says of the server. */
export type Server = {
  /** With its port. Null where no request is at hand. */
  readonly host: string | null
  /** A deployed Worker is never reached under a name of this machine. */
  readonly isLocal: boolean
}

const thisMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export function serverOf(requestUrl: string): Server {
  const { host, hostname } = new URL(requestUrl)
  return { host, isLocal: thisMachine.includes(hostname) }
}

/** For a URL that was let through before: what is this machine's was given to a local server. */
export const anyServer: Server = { host: null, isLocal: true }

const isAddress = (hostname: string) => /^[\d.]+$/.test(hostname) || hostname.startsWith('[')

/** Names that mean something else in every network. */
const isPrivateName = (hostname: string) =>
  !hostname.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(hostname)

/** What is wrong with it, or null. Never quotes it. */
export function findUrlProblem(text: string, server: Server): string | null {
  // `new URL` drops tabs and line ends, and spaces around it.
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text)) return 'url must be an https:// URL'
  if (url.username !== '' || url.password !== '') return 'url must not hold credentials'
  if (server.isLocal && isReceiverHere(text, url)) return isOwn(url, server) ? ownHost : null
  if (url.protocol !== 'https:') return 'url must be an https:// URL'
  // An empty port is the scheme's own.
  if (url.port !== '') return 'url must use port 443'
  // After `new URL`, which makes addresses of 0x7f.1, 2130706433 and full-width digits.
  if (isAddress(url.hostname) || url.hostname.endsWith('.') || isPrivateName(url.hostname))
    return 'url must name a public host'
  return isOwn(url, server) ? ownHost : null
}

/** Spelled as it is: what `new URL` has to make an address of is one that hides. */
const isReceiverHere = (text: string, { hostname }: URL) =>
  thisMachine.includes(hostname) && text.startsWith(`http://${hostname}`)

const ownHost = 'url must not be of this service'

/** This machine has more than one name. */
function isOwn({ host, hostname, port }: URL, server: Server): boolean {
  if (server.host === null) return false
  const own = new URL(`http://${server.host}`)
  const isSameName =
    hostname === own.hostname || (thisMachine.includes(hostname) && thisMachine.includes(own.hostname))
  return server.isLocal ? isSameName && port === own.port : isSameName || host === server.host
}
