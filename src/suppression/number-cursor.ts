// The cursor of a page of suppressed numbers: number and campaign of its last entry, opaque to clients.
import type { NumberPlace } from '../ledger/suppression/numbers.ts'

export const numberCursorPattern = /^[0-9]{7,15}-[0-9]{1,7}$/

export const cursorOfNumber = ({ phoneNumber, campaignNumber }: NumberPlace) =>
  `${phoneNumber.slice(1)}-${campaignNumber}`

/** For cursors that the pattern accepts. */
export function numberOfCursor(cursor: string): NumberPlace {
  const [digits = '', campaignNumber = ''] = cursor.split('-')
  return { phoneNumber: `+${digits}`, campaignNumber: Number(campaignNumber) }
}

export const beforeAllNumbers: NumberPlace = { phoneNumber: '', campaignNumber: 0 }
