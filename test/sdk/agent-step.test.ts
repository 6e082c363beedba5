// What the agent of the client does next, in every situation.
import { describe, expect, it } from 'vitest'
import { nextStep, type Progress, type Situation } from '../../src/sdk/src/agent/agent-step.ts'

describe('The next step of an agent', () => {
  const nowMs = 1_000_000
  const later = nowMs + 1
  /** Goes on: half of its lease is not over. */
  const going: Progress = {
    state: 'going',
    stop: null,
    dialBeforeMs: later,
    extendsAtMs: later + 9,
    confirmedAtMs: nowMs,
    isNoted: false,
  }
  const ready: Progress = { ...going, state: 'ready' }
  const ended: Progress = { ...going, state: 'ended' }
  const step = (flights: Progress[], situation: Partial<Situation> = {}) =>
    nextStep(
      flights,
      {
        ...{ concurrency: 1, places: 2, claimsAtMs: nowMs, pacedAtMs: 0, isEnding: false, notesDials: false },
        ...situation,
      },
      nowMs,
    )

  it('A claim asks for as many leads as there are free places', () => {
    expect(step([])).toEqual({ kind: 'claim', claimLimit: 2 })
    expect(step([going])).toEqual({ kind: 'claim', claimLimit: 1 })
    expect(step([], { places: 110 })).toEqual({ kind: 'claim', claimLimit: 100 })
  })

  it('An agent does not claim before the time that the service or its pace sets', () => {
    expect(step([], { claimsAtMs: later })).toEqual({ kind: 'rest', untilMs: later })
    expect(step([], { pacedAtMs: later + 3 })).toEqual({ kind: 'rest', untilMs: later + 3 })
    expect(step([going], { claimsAtMs: later + 20 })).toEqual({ kind: 'rest', untilMs: going.extendsAtMs })
  })

  it('An agent with nothing to do rests until a lease is half over or a lead may no longer be dialled', () => {
    expect(step([going, { ...going, extendsAtMs: later + 3 }])).toEqual({ kind: 'rest', untilMs: later + 3 })
    expect(step([going, ready])).toEqual({ kind: 'rest', untilMs: later + 1 })
  })

  it('Calls that have ended are reported together, with a claim for the free places', () => {
    expect(step([ended, going], { places: 5 })).toEqual({ kind: 'report', flights: [ended], claimLimit: 4 })
    expect(step([ended, ended, going, going])).toEqual({
      kind: 'report',
      flights: [ended, ended],
      claimLimit: 0,
    })
    expect(step([ended], { pacedAtMs: later })).toEqual({ kind: 'rest', untilMs: later })
  })

  it('A lease that is half over is extended before reports are sent, unless its call has ended', () => {
    const expiring = { ...going, extendsAtMs: nowMs }
    expect(step([ended, expiring], { pacedAtMs: later })).toEqual({ kind: 'extend', flights: [expiring] })
    expect(step([{ ...ended, extendsAtMs: nowMs }])).toMatchObject({ kind: 'report' })
  })

  it('A lead that was claimed more than 5 s ago is extended right before it is dialled', () => {
    const since = (ms: number): Progress => ({ ...ready, confirmedAtMs: nowMs - ms })
    expect(step([since(5_001)], { concurrency: 1 })).toMatchObject({
      kind: 'extend',
      flights: [since(5_001)],
    })
    expect(step([since(5_000)], { concurrency: 1 })).not.toMatchObject({ kind: 'extend' })
    expect(step([going, since(5_001)], { concurrency: 1 })).toMatchObject({ kind: 'rest' })
    expect(step([since(5_001), since(6_000), since(7_000)], { concurrency: 2, places: 3 })).toEqual({
      kind: 'extend',
      flights: [since(5_001), since(6_000)],
    })
    expect(step([since(5_001)], { isEnding: true })).toMatchObject({ kind: 'release' })
  })

  it('An agent that reports its dials does so right before each, not when it claims', () => {
    const notesDials = true
    const noted = { ...ready, isNoted: true }
    expect(step([ready], { notesDials })).toEqual({ kind: 'note', flights: [ready] })
    expect(step([going, ready], { notesDials })).toEqual({ kind: 'rest', untilMs: later + 1 })
    expect(step([noted], { notesDials })).not.toMatchObject({ kind: 'note' })
    // A call that an earlier run left is on the phone for all that is known, and its lease is extended without a note.
    const resumed = { ...going, extendsAtMs: nowMs }
    expect(step([resumed, ready], { notesDials, concurrency: 2, places: 3 })).toEqual({
      kind: 'note',
      flights: [ready],
    })
    expect(step([resumed, noted], { notesDials })).toEqual({ kind: 'extend', flights: [resumed] })
  })

  it('An undialled call is released when it should end, or may not be dialled any more', () => {
    const told = { ...ready, stop: 'suppressed' }
    const late = { ...ready, dialBeforeMs: nowMs - 1 }
    const refused: Progress = { ...going, state: 'undialled' }
    expect(step([told, ended, late, refused])).toEqual({ kind: 'release', flights: [told, late, refused] })
  })

  it('At its end an agent releases what is ready, and reports without claiming and without pause', () => {
    expect(step([ready, ended], { isEnding: true })).toEqual({ kind: 'release', flights: [ready] })
    expect(step([ended], { isEnding: true, pacedAtMs: later })).toEqual({
      kind: 'report',
      flights: [ended],
      claimLimit: 0,
    })
    expect(step([going], { isEnding: true })).toEqual({ kind: 'rest', untilMs: going.extendsAtMs })
  })

  it('No request has more calls than the service accepts', () => {
    const first = step(Array(101).fill(ended), { places: 100 })
    expect(first).toMatchObject({ kind: 'report', claimLimit: 99 })
    expect('flights' in first && first.flights).toHaveLength(100)
  })
})
