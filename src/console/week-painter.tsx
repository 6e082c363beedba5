// A week drawn as seven lines of half hours: pressing and dragging opens or closes them. What stands beside each line is
// the caller's.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { dayName, isSlotOpen, paint, slotsPerDay, spansOf, withDay } from './week.ts'
import { type WeekDay, type WeekHours, weekDays } from './wire.ts'

type Props = {
  readonly hours: WeekHours
  readonly canChange: boolean
  readonly onHours: (hours: WeekHours) => void
  readonly children: (day: WeekDay, dayWords: string) => ComponentChildren
}

type Stroke = { readonly day: WeekDay; readonly fromSlot: number; readonly isOpening: boolean }

export function WeekPainter({ hours, canChange, onHours, children }: Props) {
  const stroke = useRef<Stroke | null>(null)
  const [toSlot, setToSlot] = useState(0)

  const begin = (day: WeekDay, event: PointerEvent) => {
    if (!canChange || event.button !== 0) return
    const slot = slotAt(event)
    stroke.current = { day, fromSlot: slot, isOpening: !isSlotOpen(hours[day], slot) }
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    setToSlot(slot)
  }
  const end = (event: PointerEvent) => {
    const done = stroke.current
    stroke.current = null
    if (done === null) return
    onHours(withDay(hours, done.day, paint(hours[done.day], done.fromSlot, slotAt(event), done.isOpening)))
  }
  const shown = (day: WeekDay) => {
    const { current } = stroke
    return current?.day === day ? paint(hours[day], current.fromSlot, toSlot, current.isOpening) : hours[day]
  }

  return (
    <div class={canChange ? 'painter' : 'painter still'}>
      <div class="painter-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </div>
      {weekDays.map((day) => (
        <div class="painter-day" key={day}>
          <span>{dayName(day).slice(0, 3)}</span>
          <svg
            aria-hidden="true"
            data-day={day}
            viewBox={`0 0 1440 10`}
            preserveAspectRatio="none"
            onPointerDown={(event) => begin(day, event)}
            onPointerMove={(event) => stroke.current !== null && setToSlot(slotAt(event))}
            onPointerUp={end}
            onPointerCancel={() => {
              stroke.current = null
              setToSlot(0)
            }}
          >
            <rect class="closed" width="1440" height="10" />
            {spansOf(shown(day)).map(([from, until]) => (
              <rect key={from} class="open" x={from} width={until - from} height="10" />
            ))}
            {[360, 720, 1080].map((minute) => (
              <line key={minute} x1={minute} x2={minute} y1="0" y2="10" />
            ))}
          </svg>
          {children(day, dayName(day))}
        </div>
      ))}
    </div>
  )
}

function slotAt(event: PointerEvent): number {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
  const slot = Math.floor(((event.clientX - left) / width) * slotsPerDay)
  return Math.min(slotsPerDay - 1, Math.max(0, slot))
}
