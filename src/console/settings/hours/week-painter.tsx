// A week as seven lines of half hours, opened and closed by dragging, or as a grid by keyboard: arrow keys move, Shift
// extends, Space paints. What is beside each line is the caller's.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
// biome-ignore-all lint/a11y/useSemanticElements: a table's cells do not lie over a drawing.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type WeekDay, type WeekHours, weekDays } from '../../ui/words/week-days.ts'
import {
  dayName,
  formatBlock,
  isInBlock,
  isSlotOpen,
  moved,
  paintBlock,
  type Slot,
  slotsPerDay,
  spansOf,
  timeOfSlot,
} from './week.ts'

type Props = {
  readonly id: string
  readonly name: string
  readonly hours: WeekHours
  readonly canChange: boolean
  readonly onHours: (hours: WeekHours) => void
  readonly children: (day: WeekDay, dayWords: string) => ComponentChildren
}

const slots = Array.from({ length: slotsPerDay }, (_, slot) => slot)
const nineOnMonday: Slot = { day: 'mon', slot: 18 }

export function WeekPainter({ id, name, hours, canChange, onHours, children }: Props) {
  /** What the pointer paints; null: it is not down. */
  const [stroke, setStroke] = useState<'open' | 'closed' | null>(null)
  /** The selection: from its start to the active cell. */
  const [[anchor, cursor], setBlock] = useState<readonly [Slot, Slot]>([nineOnMonday, nineOnMonday])
  const [feedback, setFeedback] = useState('')

  const begin = (day: WeekDay, event: PointerEvent) => {
    if (!canChange || event.button !== 0) return
    const slot = { day, slot: slotAt(event) }
    setStroke(isSlotOpen(hours[day], slot.slot) ? 'closed' : 'open')
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    setBlock([slot, slot])
  }
  const move = (day: WeekDay, event: PointerEvent) =>
    stroke !== null && setBlock([anchor, { day, slot: slotAt(event) }])
  const shown = stroke === null ? hours : paintBlock(hours, anchor, cursor, stroke === 'open')
  const press = (event: KeyboardEvent) => {
    // Keys in the fields beside the lines are theirs, and those with a modifier are the browser's.
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return
    const next = moved(cursor, event.key)
    const isPainting = event.key === ' ' || event.key === 'Enter'
    if (next === null && !isPainting) return
    event.preventDefault()
    if (next !== null) setBlock([event.shiftKey ? anchor : next, next])
    else if (canChange) {
      const isOpening = !isSlotOpen(hours[anchor.day], anchor.slot)
      onHours(paintBlock(hours, anchor, cursor, isOpening))
      setFeedback(`${formatBlock(anchor, cursor)}: ${isOpening ? 'open' : 'closed'}.`)
    }
  }
  const cellId = ({ day, slot }: Slot) => `${id}-${day}-${slot}`

  return (
    <>
      <div
        class={canChange ? 'painter' : 'painter still'}
        role="grid"
        tabIndex={0}
        aria-label={`${name} by the half hour`}
        aria-readonly={!canChange}
        aria-multiselectable
        aria-activedescendant={cellId(cursor)}
        onKeyDown={press}
      >
        <div class="painter-hours" aria-hidden="true">
          {[0, 6, 12, 18, 24].map((hour) => (
            <span key={hour}>{String(hour).padStart(2, '0')}</span>
          ))}
        </div>
        {weekDays.map((day) => (
          <div class="painter-day" role="row" key={day}>
            <span role="rowheader">{dayName(day).slice(0, 3)}</span>
            <div
              class="painter-line"
              data-day={day}
              onPointerDown={(event) => begin(day, event)}
              onPointerMove={(event) => move(day, event)}
              onPointerUp={() => {
                setStroke(null)
                if (stroke !== null) onHours(shown)
              }}
              onPointerCancel={() => setStroke(null)}
            >
              <svg aria-hidden="true" viewBox="0 0 1440 10" preserveAspectRatio="none">
                <rect class="closed" width="1440" height="10" />
                {spansOf(shown[day]).map(([from, until]) => (
                  <rect key={from} class="open" x={from} width={until - from} height="10" />
                ))}
                {[360, 720, 1080].map((minute) => (
                  <line key={minute} x1={minute} x2={minute} y1="0" y2="10" />
                ))}
              </svg>
              {slots.map((slot) => {
                const isOpen = isSlotOpen(hours[day], slot)
                return (
                  <span
                    key={slot}
                    id={cellId({ day, slot })}
                    role="gridcell"
                    class={cursor.day === day && cursor.slot === slot ? 'cursor' : undefined}
                    aria-selected={isInBlock(anchor, cursor, { day, slot })}
                    aria-label={`${dayName(day)} ${timeOfSlot(slot)}, ${isOpen ? 'open' : 'closed'}`}
                  />
                )
              })}
            </div>
            <div class="painter-text" role="gridcell">
              {children(day, dayName(day))}
            </div>
          </div>
        ))}
      </div>
      <p class="unseen" role="status">
        {feedback}
      </p>
    </>
  )
}

function slotAt(event: PointerEvent): number {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
  const slot = Math.floor(((event.clientX - left) / width) * slotsPerDay)
  return Math.min(slotsPerDay - 1, Math.max(0, slot))
}
