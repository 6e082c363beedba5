// Chance. Each draw is a hash of the world's seed, who draws, and what for: so taking an action out of a story changes
// no draw of any other.

/** A sequence of draws. A child is another one, and takes nothing from its parent. */
export type Draws = {
  /** 32 bits. */
  readonly next: () => number
  /** From 0, below 1. */
  readonly fraction: () => number
  /** From 0, below `count`. */
  readonly below: (count: number) => number
  readonly isOneOf: (times: number) => boolean
  readonly pick: <Value>(values: readonly Value[]) => Value
  readonly child: (name: string) => Draws
}

const mix = (hash: number, value: number): number => {
  const one = Math.imul(hash ^ value, 0x85ebca6b)
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return (two ^ (two >>> 16)) >>> 0
}

const hashOf = (text: string, start: number): number => {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = mix(hash + 0x9e3779b9, text.charCodeAt(at))
  return hash
}

export function drawsOf(seed: number, name = ''): Draws {
  return drawsFrom(hashOf(name, mix(seed, 0x243f6a88)), hashOf(name, mix(seed, 0x13198a2e)))
}

function drawsFrom(one: number, other: number): Draws {
  let counter = 0
  const next = () => {
    counter = (counter + 0x6d2b79f5) >>> 0
    return mix(mix(one, counter), other)
  }
  const below = (count: number) => Math.floor((next() / 2 ** 32) * count)
  return {
    next,
    fraction: () => next() / 2 ** 32,
    below,
    isOneOf: (times) => below(times) === 0,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    child: (name) => drawsFrom(hashOf(name, one), hashOf(name, other)),
  }
}
