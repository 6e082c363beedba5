// Bars in plain SVG: a pair for each hour or day, leads created beside calls, with the answered calls at the foot of
// theirs. The table is the caller's.

import { counted } from '../ui/words/number-words.ts'
import { type Bar, topOfScale } from './funnel.ts'

type Props = {
  readonly bars: readonly Bar[]
  readonly nameOf: (bar: Bar) => string
  /** The whole of it in a sentence. */
  readonly title: string
}

/** The drawing is stretched to its room, so its units are shares of it. */
const [width, height] = [240, 100]

export function BarChart({ bars, nameOf, title }: Props) {
  const top = topOfScale(Math.max(...bars.map(({ created, called }) => Math.max(created, called))))
  const slot = width / bars.length
  const thick = slot * 0.34
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
          const x = index * slot + slot * 0.12
          return (
            <g key={bar.startMs}>
              <title>{`${nameOf(bar)}: ${describeCounts(bar)}`}</title>
              <rect class="hit" x={index * slot} y="0" width={slot} height={height} />
              <Rect kind="created" x={x} width={thick} tall={tall(bar.created)} />
              <Rect kind="called" x={x + thick + slot * 0.06} width={thick} tall={tall(bar.called)} />
              <Rect kind="answered" x={x + thick + slot * 0.06} width={thick} tall={tall(bar.answered)} />
            </g>
          )
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        {[first, middle, last].map((bar) => bar && <span key={bar.startMs}>{nameOf(bar)}</span>)}
      </div>
    </div>
  )
}

export const describeCounts = ({ created, called, answered }: Omit<Bar, 'startMs'>) =>
  `${counted(created)} created, ${counted(called)} called, ${counted(answered)} answered`

function Rect({ kind, x, width: wide, tall }: { kind: string; x: number; width: number; tall: number }) {
  return <rect class={kind} x={x} y={height - tall} width={wide} height={tall} />
}
