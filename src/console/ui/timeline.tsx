// What happened, newest first, each with its time.
import type { ComponentChildren } from 'preact'
import { fullTime } from './words/zone-time.ts'

type Entry = { readonly key: string; readonly atMs: number; readonly shown: ComponentChildren }

type Props = { readonly name?: string; readonly entries: readonly Entry[]; readonly zone: string }

export const Timeline = ({ name, entries, zone }: Props) => (
  <ol class="timeline" aria-label={name}>
    {entries
      .toSorted((one, other) => other.atMs - one.atMs)
      .map(({ key, atMs, shown }) => (
        <li key={key}>
          <time dateTime={new Date(atMs).toISOString()}>{fullTime(atMs, zone)}</time>
          {shown}
        </li>
      ))}
  </ol>
)
