// Whose numbers a source calls: its countries, which of them reads numbers without a country code, and by whose clock
// each is called. The service asks the same.
import { useEffect, useState } from 'preact/hooks'
import { isCountry } from '../../channels/sources/source-settings.ts'
import { countryName } from '../../queue/leads/file/cells/number-reading.ts'
import { type ClockLine, campaignClock } from '../../queue/leads/file/clock-words.ts'
import type { Campaign, ChangeSource, Source } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { Button } from '../ui/controls.tsx'
import { Field, TextField } from '../ui/fields/field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Form } from '../ui/form.tsx'

/** `national`: empty: each country reads numbers. Undefined: nobody has said, so the first one does. */
export type Numbers = {
  readonly countries: string
  readonly national: string | undefined
  readonly timeZones: Readonly<Record<string, string>>
}

type Sent = Required<Pick<ChangeSource, 'countries'>> & Pick<ChangeSource, 'nationalCountry' | 'timeZones'>

/** Codes of countries as a person writes them: `DE, at`; or what is wrong with them. */
function readCountries(text: string): readonly string[] | { readonly problem: string } {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
  if (codes.length === 0 || !codes.every((code) => /^[A-Z]{2}$/.test(code)))
    return { problem: 'Enter at least one country by two letters, such as DE.' }
  const wrong = codes.find((code) => !isCountry(code))
  return wrong === undefined ? [...new Set(codes)] : { problem: `${wrong} is no country.` }
}

/** What is asked of the clocks, and what is to be sent: null where an answer is missing. */
export function useNumbers({ timeZone }: Campaign, { countries, national, timeZones }: Numbers) {
  const found = readCountries(countries)
  const [codes, problem] = 'problem' in found ? [null, found.problem] : [found, null]
  const listed = codes?.join() ?? ''
  const [asked, setAsked] = useState<readonly ClockLine[]>([])
  const ask = async () => {
    // Large: with the rules of phone numbers.
    const { clockQuestions } = await import('../../queue/leads/file/readers.ts')
    return clockQuestions(codes ?? [], timeZone, serviceNow())
  }
  useEffect(() => {
    let isCurrent = true
    void ask().then((found) => isCurrent && setAsked(found))
    return () => {
      isCurrent = false
    }
  }, [listed, timeZone])
  const isOpen = ({ country }: ClockLine) => timeZones[country] === undefined && timeZones['*'] === undefined
  const chosen = national === '' || codes?.includes(national ?? '') ? national : codes?.[0]
  const findSent = async (): Promise<Sent | null> => {
    if (codes === null || (await ask()).some(isOpen)) return null
    return { countries: [...codes], nationalCountry: chosen || null, timeZones }
  }
  return { codes, problem, asked, isOpen, chosen: chosen ?? '', findSent }
}

type FieldsProps = {
  readonly numbers: Numbers
  readonly read: ReturnType<typeof useNumbers>
  readonly isTried: boolean
  readonly onNumbers: (numbers: Numbers) => void
}

export function NumbersFields({ numbers, read, isTried, onNumbers }: FieldsProps) {
  const { codes, problem, asked, isOpen, chosen } = read
  const { countries, timeZones } = numbers
  const answer = (country: string, zone: string) => {
    const { [country]: _, ...others } = timeZones
    onNumbers({ ...numbers, timeZones: zone === '' ? others : { ...others, [country]: zone } })
  }
  return (
    <>
      <TextField
        label="Countries"
        value={countries}
        onText={(text) => onNumbers({ ...numbers, countries: text })}
        hint="Only numbers of these countries are called. Two letters each, such as DE, AT."
        problem={isTried ? problem : null}
      />
      {codes !== null && codes.length > 1 && (
        <Field
          label="A number without a country code"
          hint={
            chosen === ''
              ? 'Refused where it may be a number of two of them, unless the post says a country beside it.'
              : `0… is a number of ${countryName(chosen)}, unless the post says another country beside it.`
          }
        >
          {({ id }) => (
            <Select
              id={id}
              value={chosen}
              options={[
                ...codes.map((code) => [code, `is of ${countryName(code)}`] as const),
                ['', 'is of whichever has such a number'],
              ]}
              onChoose={(national) => onNumbers({ ...numbers, national })}
            />
          )}
        </Field>
      )}
      {asked.map((line) => {
        const { country, name, options } = line
        return (
          <Field
            key={country}
            label={`By whose clock are numbers of ${name} called?`}
            hint="It becomes the time zone of these leads. The times are those at 09:00 of the campaign."
            problem={isTried && isOpen(line) ? 'Choose whose clock counts.' : null}
          >
            {({ id }) => (
              <Select
                id={id}
                value={timeZones[country] ?? (timeZones['*'] === campaignClock ? campaignClock : '')}
                options={[
                  ['', timeZones['*'] === 'refuse' ? 'Refuse them' : 'Choose whose clock counts'],
                  ...options,
                ]}
                onChoose={(zone) => answer(country, zone)}
              />
            )}
          </Field>
        )
      })}
    </>
  )
}

type SectionProps = {
  readonly campaign: Campaign
  readonly source: Source
  readonly onChange: (change: ChangeSource) => unknown
}

const numbersOf = ({ countries, nationalCountry, timeZones }: Source): Numbers => ({
  countries: countries.join(', '),
  national: nationalCountry ?? '',
  timeZones,
})

export function NumbersSection({ campaign, source, onChange }: SectionProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const [numbers, setNumbers] = useState(() => numbersOf(source))
  const read = useNumbers(campaign, isOpen ? numbers : numbersOf(source))
  const { countries, nationalCountry } = source
  const unanswered = read.asked.filter(read.isOpen)
  if (!isOpen)
    return (
      <>
        <p>
          Calls numbers of {countries.map(countryName).join(', ')}
          {countries.length > 1 &&
            (nationalCountry === null
              ? '; without a country code, of whichever has such a number'
              : `; without a country code, of ${countryName(nationalCountry)}`)}
          .{' '}
          <Button class="link" onClick={() => setIsOpen(true)}>
            Change whose numbers are called
          </Button>
        </p>
        {unanswered.length > 0 && (
          <p class="notice">
            Numbers of {unanswered.map(({ name }) => name).join(', ')} are called by the campaign’s clock:
            nobody has said whose counts.
          </p>
        )}
      </>
    )
  const save = async () => {
    setIsTried(true)
    const sent = await read.findSent()
    if (sent !== null) await onChange(sent)
  }
  return (
    <Form
      name="Whose numbers"
      submit="Save whose numbers are called"
      onSubmit={save}
      onCancel={() => setIsOpen(false)}
    >
      <NumbersFields numbers={numbers} read={read} isTried={isTried} onNumbers={setNumbers} />
    </Form>
  )
}
