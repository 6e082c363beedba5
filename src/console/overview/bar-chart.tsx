// Bars in plain SVG, one for each hour or day: leads created, or calls with the answered ones at their foot. Each
// drawing has a scale of its own, so that an import does not flatten the calls. The table is the caller's.

import { counted } from '../ui/words/number-words.ts'
import { type Bucket, type Count, topOfScale } from './funnel.ts'

type Props = {
  /** The highest first. */
  readonly shown: readonly Count[]
  readonly bars: readonly Bucket[]
  readonly nameOf: (bar: Bucket) => string
  /** The whole of it in a sentence. */
  readonly title: string
}

/** The drawing is stretched to its room, so its units are shares of it. */
const [width, height] = [240, 100]

export function BarChart({ shown, bars, nameOf, title }: Props) {
  const top = topOfScale(Math.max(...bars.flatMap((bar) => shown.map((kind) => bar[kind]))))
  const slot = width / bars.length
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1, (count / top) * height))
  const [first, middle, last] = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)]
  return (
    <div class="chart">
      <div class="scale" aria-hidden="true">
        <span>{counted(top)}</span>
        <span>0</span>
      </div>
      <svg role="img" aria-label={title} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        {[0, 0.5, 1].map((line) => (
          <line key={line} class="grid" x1="0" x2={width} y1={height * line} y2={height * line} />
        ))}
        {bars.map((bar, index) => {
          return (
            <g key={bar.start}>
              <title>{`${nameOf(bar)}: ${describeCounts(bar)}`}</title>
              <rect class="hit" x={index * slot} y="0" width={slot} height={height} />
              {shown.map((kind) => (
                <rect
                  key={kind}
                  class={kind}
                  x={(index + 0.2) * slot}
                  y={height - tall(bar[kind])}
                  width={slot * 0.6}
                  height={tall(bar[kind])}
                />
              ))}
            </g>
          )
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        {[first, middle, last].map((bar) => bar && <span key={bar.start}>{nameOf(bar)}</span>)}
      </div>
    </div>
  )
}

export const describeCounts = ({ created, called, answered }: Pick<Bucket, Count>) =>
  `${counted(created)} created, ${counted(called)} called, ${counted(answered)} answered`
