// By whose clock numbers of a source's countries would be called: what a person is asked. Large, by the zones of all countries:
// loaded when countries are named.
import { type ClockLine, clockLine } from '../../leads/file/clock-words.ts'
import { clocksOf } from '../../leads/file/country-zones.ts'
import { unansweredCountries } from '../../sources/whose/lead-clock.ts'

/** `zone`: the campaign's; null: no clock is compared with it. */
export const clockQuestions = (
  countries: readonly string[],
  zone: string | null,
  nowMs: number,
): readonly ClockLine[] =>
  zone === null
    ? []
    : unansweredCountries({ countries, timeZones: {} }, zone, nowMs).map((country) =>
        clockLine({ country, count: 1, zones: clocksOf(country, zone, nowMs) ?? [] }, zone),
      )
