// Do-not-call numbers in a real browser, pasted and of a file: a preview comes first, and none is lost.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messyFile } from '../support/leads/messy-file.ts'
import { expectFit, type Look, takePicture } from './console-page.ts'
import { askApi, openAs, pick, server } from './started.ts'

const open = (look?: Look) => openAs('manage', look)

const slow = { timeout: 60_000 }

type Listed = {
  suppressions: { phoneNumber: string; campaignId: string | null }[]
  nextCursor: string | null
}

describe('Do-not-call numbers', () => {
  const listed = async (key: string) => {
    const all: Listed['suppressions'] = []
    for (let cursor = ''; ; ) {
      const { data } = await askApi<Listed>(key, 'GET', `/suppressions?limit=1000${cursor}`)
      all.push(...data.suppressions)
      if (data.nextCursor === null) return all
      cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`
    }
  }

  it('Do-not-call numbers pasted on the page of the company are added for all campaigns, and none is lost', async () => {
    const { page, key, complaints } = await open()
    await page.goto(`${server.base}/console#company/do-not-call`)
    const panel = page.getByRole('region', { name: 'Do-not-call numbers' })
    expect(await panel.getByLabel('In all campaigns').count()).toBe(0)
    const box = panel.getByLabel('Phone numbers')
    await box.fill('٠١٧١ ٢٢٢٢٢٢٢\n+49 171 2222221\n030 / 222 2223\n491712222224\n0171 2222222 Frau Groß')
    await panel.getByRole('button', { name: 'Check numbers' }).click()
    await panel.getByText('1 number for all campaigns, 0 repeated, 4 invalid. Nothing sent yet.').waitFor()
    expect((await listed(key)).filter(({ phoneNumber }) => phoneNumber.startsWith('+4917122222'))).toEqual([])
    await takePicture(page, 'do-not-call-preview-1440-light')
    await panel.getByRole('button', { name: 'Add 1 number' }).click()
    await panel.getByText('1 number added, 0 already there, 4 not added.').waitFor()
    expect(await box.inputValue()).toBe('٠١٧١ ٢٢٢٢٢٢٢\n030 / 222 2223\n491712222224\n0171 2222222 Frau Groß')
    await panel.getByText('Has no country code, and no country is chosen').first().waitFor()

    // The country by keyboard, from the list.
    const country = panel.getByLabel('These numbers are from')
    await country.fill('Atlantis')
    await country.press('Tab')
    await panel.getByText('Choose a country from the list.').waitFor()
    await country.fill('Germany')
    await country.press('Enter')
    await panel.getByText('Numbers without a country code are read as numbers of Germany.').waitFor()
    await panel.getByRole('button', { name: 'Check numbers' }).click()
    await panel.getByText('٠١٧١ ٢٢٢٢٢٢٢ → +491712222222').waitFor()
    await panel.getByRole('button', { name: 'Add 2 numbers' }).click()
    await panel.getByText('2 numbers added, 0 already there, 2 not added.').waitFor()
    expect(await box.inputValue()).toBe('491712222224\n0171 2222222 Frau Groß')
    await expectFit(page, 'pasted numbers')
    await takePicture(page, 'do-not-call-1440-light')
    expect((await listed(key)).filter(({ phoneNumber }) => phoneNumber.startsWith('+4917122222'))).toEqual(
      [1, 2].map((last) => expect.objectContaining({ phoneNumber: `+49171222222${last}`, campaignId: null })),
    )
    expect((await listed(key)).map(({ phoneNumber }) => phoneNumber)).toContain('+49302222223')
    expect(complaints).toEqual([])
  })

  it.each([
    [1440, 'dark'],
    [320, 'light'],
  ] as const)(
    'Do-not-call numbers of a file are shown before they are sent, at %d px, %s',
    async (width, scheme) => {
      const { page, key } = await open({ width, scheme })
      await page.goto(`${server.base}/console#company/do-not-call`)
      const panel = page.getByRole('region', { name: 'Do-not-call numbers' })
      const { csv, rows } = messyFile(11 + width)
      // Of two numbers with a comma between, both are meant.
      const isTwo = ({ cell }: { cell: string }) => /^\+\d+, \+49 30 2345678$/.test(cell)
      // Nobody has it, and it is held back as it is written.
      const isUnknown = ({ number, cell }: { number: string | null; cell: string }) =>
        number === null && /^\+(\d ?){7,15}$/.test(cell)
      const clear = new Set(
        rows.flatMap(({ number, isClear }) => (isClear && number !== null ? [number] : [])),
      )
      for (const { cell } of rows.filter(isUnknown)) clear.add(cell.replaceAll(' ', ''))
      for (const { number } of rows.filter(isTwo)) clear.add(number ?? '').add('+49302345678')
      await pick(page, `dnc-${width}.csv`, csv, 'Import a file')
      await panel.getByText('Nothing sent yet').waitFor(slow)
      await panel.getByRole('button', { name: 'Choose Germany' }).click()
      const add = panel.getByRole('button', { name: `Add ${clear.size.toLocaleString('en')} numbers` })
      await add.waitFor(slow)
      await expectFit(page, 'file of numbers')
      await page.screenshot({
        path: join(
          import.meta.dirname,
          `../../dist/screenshots/console-do-not-call-full-${width}-${scheme}.png`,
        ),
        fullPage: true,
      })
      const numbers = async () => (await listed(key)).map(({ phoneNumber }) => phoneNumber)
      const before = await numbers()
      await add.click()
      const left = rows.filter((row) => !row.isClear && !isTwo(row) && !isUnknown(row)).length
      const result = panel.getByText(`, ${left} not added.`)
      await result.waitFor(slow)
      const [added = 0, existing = 0] = [
        ...((await result.textContent()) ?? '').matchAll(/[\d,]+(?= number| already)/g),
      ].map(([count]) => Number(count.replace(',', '')))
      expect(added + existing).toBe(clear.size)
      const after = await numbers()
      // Nothing was sent before, and nothing but these numbers since.
      expect(after).toHaveLength(before.length + added)
      expect(new Set(after)).toEqual(new Set([...before, ...clear]))
      await panel.getByRole('button', { name: 'Download numbers not added' }).waitFor()
    },
  )
})
