// The clock of tests of calling: it stands at noon in UTC, on a Wednesday, until a test moves it.
import { vi } from 'vitest'
import { stopClock } from '../run/clock.ts'
import { noonMs } from './calling.ts'

export function stopClockAtNoon(): void {
  stopClock()
  vi.setSystemTime(noonMs)
}

/** So many milliseconds after noon. */
export const clockAt = (ms: number) => void vi.setSystemTime(noonMs + ms)
export const iso = (ms: number) => new Date(noonMs + ms).toISOString()
