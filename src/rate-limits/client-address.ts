// Whose address a request counts against (D27). Only what Cloudflare vouches for is believed.

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4Pattern = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/** One bucket for all requests whose address is not known: shared, never a bypass. */
const unknownAddress = 'unknown'

/**
 * An IPv4 address as it is, an IPv6 address as its /64 (what one customer is given, so that changing the rest
 * gains nothing): `2001:db8:0:1::/64`.
 */
export function clientAddress(connectingIp: string | undefined): string {
  return shortenAddress(connectingIp, 64)
}

/** As clientAddress, but an IPv6 address as its /48: what one household or office may be given. */
export function clientNetwork(connectingIp: string | undefined): string {
  return shortenAddress(connectingIp, 48)
}

function shortenAddress(connectingIp: string | undefined, prefixBits: 48 | 64): string {
  if (connectingIp === undefined) return unknownAddress
  if (ipv4Pattern.test(connectingIp)) return connectingIp
  const groups = ipv6Groups(connectingIp)
  if (groups === null) return unknownAddress
  return `${groups.slice(0, prefixBits / 16).join(':')}::/${prefixBits}`
}

function ipv6Groups(text: string): string[] | null {
  if (!/^[\da-f:.]+$/i.test(text)) return null
  // The URL parser checks the address, and writes its groups without leading zeros.
  const hostname = URL.parse(`http://[${text}]/`)?.hostname
  if (hostname === undefined) return null
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
