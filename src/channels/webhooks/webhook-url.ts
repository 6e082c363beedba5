// Where webhooks may send: only to public hosts by https. On a local server also to the machine itself, so that a
// receiver can be developed there. Checked when a URL is set, and again before each delivery attempt. Pure.

export type Server = {
  /** The host of the request, with its port. Null outside of requests. */
  readonly host: string | null
  /** A deployed Worker is never reached by a name of this machine. */
  readonly isLocal: boolean
}

const thisMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export function serverOf(requestUrl: string): Server {
  const { host, hostname } = new URL(requestUrl)
  return { host, isLocal: thisMachine.includes(hostname) }
}

/** For a URL that was accepted before: only a local server accepts the machine itself. */
export const anyServer: Server = { host: null, isLocal: true }

const isAddress = (hostname: string) => /^[\d.]+$/.test(hostname) || hostname.startsWith('[')

/** Names that differ from network to network. */
const isPrivateName = (hostname: string) =>
  !hostname.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(hostname)

/** The message for an invalid URL, or null. Never quotes the URL. */
export function findUrlProblem(text: string, server: Server): string | null {
  // URL.parse drops tabs, line ends and outer spaces.
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text)) return 'url must be an https:// URL'
  if (url.username !== '' || url.password !== '') return 'url must not hold credentials'
  if (server.isLocal && isReceiverHere(text, url)) return isOwn(url, server) ? ownHost : null
  if (url.protocol !== 'https:') return 'url must be an https:// URL'
  // The scheme's own port is empty.
  if (url.port !== '') return 'url must use port 443'
  // URL.parse has turned 0x7f.1, 2130706433 and full-width digits into addresses.
  if (isAddress(url.hostname) || url.hostname.endsWith('.') || isPrivateName(url.hostname))
    return 'url must name a public host'
  return isOwn(url, server) ? ownHost : null
}

/** Spelled out: an address that only URL.parse makes of it is a disguised one. */
const isReceiverHere = (text: string, { hostname }: URL) =>
  thisMachine.includes(hostname) && text.startsWith(`http://${hostname}`)

const ownHost = 'url must not be of this service'

/** The machine has more than one name. */
function isOwn({ host, hostname, port }: URL, server: Server): boolean {
  if (server.host === null) return false
  const own = new URL(`http://${server.host}`)
  const isSameName =
    hostname === own.hostname || (thisMachine.includes(hostname) && thisMachine.includes(own.hostname))
  return server.isLocal ? isSameName && port === own.port : isSameName || host === server.host
}
