// What people have said, as the tables of their company have it.
import { numberHashes } from '../../../src/base/ledger/suppression/number-hash.ts'
import { pepper } from '../platform/service.ts'
import type { Known, No, Withdrawal } from './known.ts'
import type { Rows } from './rows.ts'

/** In its scope, by a spelling of the phone, or by the hash of one. */
export function isListed({ company, campaign: index, phone }: No, rows: Rows, { cast }: Known): boolean {
  const { id = '', campaigns = [] } = cast.companies[company] ?? {}
  const campaign = index === null ? null : campaigns[index]?.id
  const numbers = cast.phones[phone]?.spellings ?? []
  // An erasure keeps it by the hash of the number alone; so is one kept of a call that a restore has taken.
  const hashes = numbers.map(numberHashes(pepper, id).of)
  return (
    rows.suppressions.some((one) => numbers.includes(one.phoneNumber) && one.campaign === campaign) ||
    rows.hashes.some(
      (one) => (one.campaign === null || one.campaign === campaign) && hashes.includes(one.hash),
    )
  )
}

/** Or its person was erased, also by a request that is on its way. */
export function isWithdrawn(
  { company, phone, exchange }: Withdrawal,
  withdrawals: Rows['withdrawals'],
  { cast, erased, jumpedMs }: Known,
): boolean {
  const numbers = cast.phones[phone]?.spellings ?? []
  return (
    erased.some((one) => one.company === company && one.phone === phone) ||
    withdrawals.some(
      ({ phoneNumber, atMs }) => numbers.includes(phoneNumber) && atMs >= exchange.sentMs - jumpedMs,
    )
  )
}
