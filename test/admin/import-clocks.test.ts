// `lead import --zone`: by whose clock the numbers of a file are called, and when the command stops to ask.
import { describe, expect, it } from 'vitest'
import { command } from './command.ts'
import { importTo, tally } from './import-runs.ts'
import { csvFile, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

const berlin = () => startService(undefined, { timeZone: 'Europe/Berlin' })
const [american, german, british, indian] = ['+12125550123', '+4930123456', '+442079460958', '+919876543210']
const file = (...numbers: readonly (string | undefined)[]) =>
  csvFile(dirOfTest(), 'phoneNumber', ...numbers.map((number) => number ?? ''))
const zonesOf = (service: Awaited<ReturnType<typeof berlin>>) =>
  Object.fromEntries(service.stored().map(({ phoneNumber, timeZone }) => [phoneNumber, timeZone]))

describe('Lead import --zone', () => {
  it.each([[[]], [['--dry-run']]])(
    'Where clocks differ by three hours, it stops before importing and prints the options %j',
    async (more) => {
      const service = await berlin()
      const { exitCode, stdout, stderr } = await importTo(service, file(american, american, german, indian), {
        more,
      })
      expect([exitCode, stdout, service.bodies.length]).toEqual([1, '', 0])
      expect(stderr).toMatch(
        new RegExp(
          '^error: 1 number of the United States would be called by Europe/Berlin: ' +
            '09:00 there is 0[234]:00 in New York\\. 1 number of India would',
          'm',
        ),
      )
      expect(stderr).toMatch(
        /^ {2}--zone US=America\/New_York \(0[234]:00\)\n {2}--zone US=America\/Chicago/m,
      )
      expect(stderr).toMatch(
        /^ {2}--zone US=campaign\n {2}--zone IN=Asia\/Kolkata \(1[23]:30\)\n {2}--zone IN=campaign$/m,
      )
    },
  )

  it.each([[[]], [['--dry-run']]])(
    'The choice becomes the time zone of the leads, and is said before they are sent %j',
    async (more) => {
      const service = await berlin()
      const chosen = ['--zone', 'us=America/New_York', '--zone', 'IN=campaign', ...more]
      const run = await importTo(service, file(american, german, indian), { more: chosen })
      expect([run.exitCode, run.tally]).toEqual([0, tally(3, 3)])
      expect(run.stderr).toMatch(/^1 number of the United States is called by America\/New_York$/m)
      expect(run.stderr).toMatch(/^1 number of India is called by the clock of the campaign$/m)
      const sent = JSON.parse(`${service.bodies[0]}`).leads.map(
        (lead: { timeZone?: string }) => lead.timeZone,
      )
      expect(sent).toEqual(['America/New_York', undefined, undefined])
    },
  )

  it('Below three hours it imports by the campaign’s clock, and says so', async () => {
    const service = await berlin()
    const run = await importTo(service, file(british, german))
    expect([run.exitCode, run.tally]).toEqual([0, tally(2, 2)])
    expect(run.stderr).toMatch(
      /^1 number of the United Kingdom is called by Europe\/Berlin: 09:00 there is 08:00 in London/m,
    )
    expect(zonesOf(service)).toEqual({ [british ?? '']: undefined, [german ?? '']: undefined })
  })

  it('National numbers count for the country that is chosen', async () => {
    const service = await berlin()
    const { exitCode, stderr } = await importTo(service, file('098765 43210'), { more: ['--country', 'IN'] })
    expect([exitCode, service.bodies.length]).toEqual([1, 0])
    expect(stderr).toContain('--zone IN=Asia/Kolkata')
  })

  it('A file with time zones is not asked about, and takes no --zone', async () => {
    const service = await berlin()
    const zoned = csvFile(dirOfTest(), 'phoneNumber,timeZone', `${american},America/Denver`, `${indian},`)
    expect((await importTo(service, zoned)).tally).toEqual(tally(2, 2))
    expect(zonesOf(service)).toEqual({ [american ?? '']: 'America/Denver', [indian ?? '']: undefined })
    const refused = await importTo(service, zoned, { more: ['--zone', 'US=campaign'] })
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('--zone is for a file without time zones'),
    ])
  })

  it.each(['US', 'US=', 'USA=America/New_York', 'US=New York', '=campaign'])(
    'A --zone that is not a country and a time zone is refused: %s',
    async (zone) => {
      const { exitCode, stderr } = await command('lead import leads.csv --campaign c --zone', zone)
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining('It must be <country>=<zone>: US=America/New_York'),
      ])
    },
  )
})
