// Whose address a request counts against (D27).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, clientNetwork } from '../../../src/base/rate-limits/client-address.ts'

it('An IPv4 address counts for itself', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => clientAddress(address) === address))
})

describe('An IPv4 address within IPv6', () => {
  it.each([
    { address: '::ffff:192.0.2.1', bucket: '192.0.2.1' },
    { address: '::FFFF:c000:201', bucket: '192.0.2.1' },
    { address: '0:0:0:0:0:ffff:192.0.2.2', bucket: '192.0.2.2' },
    { address: '::ffff:0.0.0.0', bucket: '0.0.0.0' },
    { address: '64:ff9b::192.0.2.1', bucket: '192.0.2.1' },
    { address: '64:ff9b::c000:0201', bucket: '192.0.2.1' },
    { address: '64:ff9b:1::192.0.2.1', bucket: '64:ff9b:1:0::/64' },
    { address: '::fffe:192.0.2.1', bucket: '0:0:0:0::/64' },
    { address: '::1:ffff:192.0.2.1', bucket: '0:0:0:0::/64' },
  ])('$address counts for $bucket', ({ address, bucket }) => {
    expect(clientAddress(address)).toBe(bucket)
    if (!bucket.includes(':')) expect(clientNetwork(address)).toBe(bucket)
  })

  it('An IPv4 address counts the same, however it arrives, and apart from every other', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (address, other) => {
        for (const prefix of ['::ffff:', '64:ff9b::']) {
          expect(clientAddress(prefix + address)).toBe(address)
          expect(clientAddress(prefix + other) === address).toBe(other === address)
        }
      }),
    )
  })
})

describe('An IPv6 address', () => {
  it.each([
    { address: '2001:db8:0:1::', bucket: '2001:db8:0:1::/64' },
    { address: '2001:db8:0:1::1', bucket: '2001:db8:0:1::/64' },
    { address: '2001:db8:0:1:ffff:ffff:ffff:ffff', bucket: '2001:db8:0:1::/64' },
    { address: '2001:0db8:0000:0001:0000:0000:0000:0001', bucket: '2001:db8:0:1::/64' },
    { address: '2001:DB8:0:1:A:B:C:D', bucket: '2001:db8:0:1::/64' },
    { address: '2001:db8::1:0:0:0:1', bucket: '2001:db8:0:1::/64' },
    { address: '2001:db8:0:1::192.0.2.1', bucket: '2001:db8:0:1::/64' },
    { address: '2001:db8:0:2::1', bucket: '2001:db8:0:2::/64' },
    { address: '2001:db8::1', bucket: '2001:db8:0:0::/64' },
    { address: '::1', bucket: '0:0:0:0::/64' },
    { address: '::', bucket: '0:0:0:0::/64' },
    { address: '1::', bucket: '1:0:0:0::/64' },
    { address: '0:0:0:5::1', bucket: '0:0:0:5::/64' },
    { address: '1:2:3:4:5:6:7:8', bucket: '1:2:3:4::/64' },
    { address: '1:2:3:4:5:6:7::', bucket: '1:2:3:4::/64' },
    { address: '::2:3:4:5:6:7:8', bucket: '0:2:3:4::/64' },
  ])('$address counts for $bucket', ({ address, bucket }) => {
    expect(clientAddress(address)).toBe(bucket)
  })

  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  const spellings = (group: number) =>
    [group.toString(16), group.toString(16).padStart(4, '0'), group.toString(16).toUpperCase()] as const

  /** Every spelling of the address: with a run of zero groups left out, where there is one, or without. */
  function spell(address: readonly number[], choice: readonly number[]): string {
    const texts = address.map((group, i) => spellings(group)[(choice[i] ?? 0) % 3] as string)
    const from = (choice[8] ?? 0) % 8
    let until = from
    while (until < 8 && address[until] === 0) until++
    if (until === from) return texts.join(':')
    return `${texts.slice(0, from).join(':')}::${texts.slice(until).join(':')}`
  }

  /** The two ranges that hold IPv4 addresses, which count as those do. */
  const holdsIpv4 = (address: readonly number[]) =>
    ['0,0,0,0,0,65535', '100,65435,0,0,0,0'].includes(address.slice(0, 6).join())

  it('An IPv6 address counts for its first four groups, however it is spelt and whatever the rest is', () => {
    const choices = fc.array(fc.nat(100), { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(groups, groups, choices, (address, other, choice) => {
        const prefix = address.slice(0, 4)
        fc.pre(!holdsIpv4(address) && !holdsIpv4([...prefix, ...other.slice(4)]))
        const bucket = `${prefix.map((group) => group.toString(16)).join(':')}::/64`
        expect(clientAddress(spell(address, choice))).toBe(bucket)
        expect(clientAddress(spell([...prefix, ...other.slice(4)], choice))).toBe(bucket)
      }),
      { numRuns: 500 },
    )
  })
})

describe('What is no address', () => {
  const nowhere = clientAddress(undefined)

  it.each([
    '',
    ' ',
    'unknown',
    'localhost',
    'example.com',
    '203.0.113',
    '203.0.113.7.1',
    '203.0.113.7:80',
    '203.0.113.256',
    '999.999.999.999',
    '010.0.0.1',
    '203.0.113.7, 198.51.100.1',
    '[2001:db8::1]',
    '2001:db8::1]:80/[',
    '2001:db8::1]/[::2',
    '2001:db8::1%eth0',
    '2001:db8::1/64',
    '2001:db8:::1',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'fffff::1',
    'user@2001:db8::1',
  ])('What is no address counts for one bucket that all share: %j', (text) => {
    expect(clientAddress(text)).toBe(nowhere)
  })

  it('What is no address never counts for the bucket of an address', () => {
    expect(nowhere).not.toMatch(/[.:]/)
  })
})
