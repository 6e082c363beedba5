// Medians and ratios. A ratio is taken within a round, where both sides met the same machine, and the rounds'
// ratios are summed up by their median and their extremes, or, where there are many, by how sure the median is.

export type Spread = { readonly median: number; readonly min: number; readonly max: number }

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** Of an ascending list. */
export function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) return Number.NaN
  const at = (sorted.length - 1) * part
  const low = sorted[Math.floor(at)] as number
  const high = sorted[Math.ceil(at)] as number
  return low + (high - low) * (at - Math.floor(at))
}

export function pairedRatio(above: readonly number[], below: readonly number[]): Spread {
  return spread(above.map((value, round) => value / (below[round] as number)))
}

/** The median, and between which values it lies with 95 %, by drawing from the values again and again. */
export function medianWithin(values: readonly number[]): Spread {
  const draw = () =>
    spread(values.map(() => values[Math.floor(Math.random() * values.length)] as number)).median
  const medians = Array.from({ length: 400 }, draw).sort((a, b) => a - b)
  return { median: spread(values).median, min: quantile(medians, 0.025), max: quantile(medians, 0.975) }
}
