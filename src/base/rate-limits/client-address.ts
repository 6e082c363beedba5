// The address that a request counts against (D27). Only Cloudflare's own header is trusted.

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4Pattern = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/** All requests without a known address share one limit, so that none bypasses it. */
const unknownAddress = 'unknown'

/**
 * An IPv4 address as it is, also one within IPv6 (`::ffff:192.0.2.1`, `64:ff9b::192.0.2.1`); any other IPv6 address
 * as its /64, which one customer gets: `2001:db8:0:1::/64`.
 */
export function clientAddress(connectingIp: string | undefined): string {
  return shortenAddress(connectingIp, 64)
}

/** Like clientAddress, but an IPv6 address as its /48, which one household or office may get. */
export function clientNetwork(connectingIp: string | undefined): string {
  return shortenAddress(connectingIp, 48)
}

function shortenAddress(connectingIp: string | undefined, prefixBits: 48 | 64): string {
  if (connectingIp === undefined) return unknownAddress
  if (ipv4Pattern.test(connectingIp)) return connectingIp
  const groups = ipv6Groups(connectingIp)
  if (groups === null) return unknownAddress
  const before = groups.slice(0, 6).join(':')
  if (before === mapped || before === translated) return ipv4Of(groups.slice(6))
  return `${groups.slice(0, prefixBits / 16).join(':')}::/${prefixBits}`
}

const mapped = '0:0:0:0:0:ffff'
const translated = '64:ff9b:0:0:0:0'

const ipv4Of = (groups: readonly string[]) =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')

function ipv6Groups(text: string): string[] | null {
  if (!/^[\da-f:.]+$/i.test(text)) return null
  // The URL parser validates the address, and removes leading zeros of its groups.
  const hostname = URL.parse(`http://[${text}]/`)?.hostname
  if (hostname === undefined) return null
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
