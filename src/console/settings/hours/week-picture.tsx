// A week at a glance: a bar for each window of calling hours, and a thin one below for appointments and callbacks.
import { type WeekHours, type Window, weekDays } from '../../ui/words/week-days.ts'
import { describeWeek, shortDay, spansOf } from './week.ts'

type Props = { readonly calling: WeekHours; readonly callbacks: WeekHours }

export const WeekPicture = ({ calling, callbacks }: Props) => (
  <figure
    class="week"
    role="img"
    aria-label={`Calling hours: ${describeWeek(calling)}. Appointments and callbacks: ${describeWeek(callbacks)}.`}
  >
    {weekDays.map((day) => (
      <div key={day}>
        <span class="muted small">{shortDay(day)}</span>
        <svg viewBox="0 0 1440 24" preserveAspectRatio="none" aria-hidden="true">
          <rect class="rest" width="1440" height="24" />
          {[360, 720, 1080].map((x) => (
            <line key={x} class="grid" x1={x} x2={x} y1="0" y2="24" />
          ))}
          <Bars kind="called" windows={calling[day]} y={3} height={12} />
          <Bars kind="created" windows={callbacks[day]} y={18} height={4} />
        </svg>
      </div>
    ))}
    <div>
      <span />
      <span class="axis">
        {['0', '6', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </span>
    </div>
    <p class="small">
      <span class="swatch called" />
      Calling hours <span class="swatch created" />
      Appointments and callbacks
    </p>
  </figure>
)

type BarsProps = {
  readonly kind: string
  readonly windows: readonly Window[]
  readonly y: number
  readonly height: number
}

const Bars = ({ kind, windows, y, height }: BarsProps) =>
  spansOf(windows).map(([from, until]) => (
    <rect key={from} class={kind} x={from} y={y} width={until - from} height={height} />
  ))
