// The form that `npm start` writes beside the local data: a page without any script that posts to the demo's source.
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LeadIntake } from '../../sdk/src/lead-intake.ts'
import { campaignId, defaultStateDir } from './local-keys.ts'

/** Beside the default data, else among the data. */
const formIn = (stateDir: string) =>
  join(stateDir === defaultStateDir ? dirname(stateDir) : stateDir, 'form.html')

/** Whose numbers the demo takes: nobody is called. The first one reads national numbers, and one clock is enough. */
const demoSource = {
  name: 'Demo form',
  countries: 'US CA GB IE DE AT CH FR ES IT NL PL PT IN AU'.split(' '),
  timeZones: { '*': 'campaign' },
}

/** Writes it, with the URL of the source at `base`. Makes the source when it is missing. `path`: of the file. */
export async function writeForm(
  { campaigns }: LeadIntake,
  stateDir: string,
  phone: string,
  base: string,
): Promise<{ readonly path: string; readonly url: string }> {
  const [found] = await campaigns.sources.list(campaignId)
  const { url } = found ?? (await campaigns.sources.create(campaignId, demoSource))
  const path = formIn(stateDir)
  const own = base + new URL(url).pathname
  await writeFile(path, pageWith(own, phone))
  return { path, url: own }
}

const pageWith = (url: string, phone: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Call me</title>
<h1>Call me</h1>
<form method="post" action="${url}">
  <p><label>Name <input name="name" value="Ada" autocomplete="name"></label></p>
  <p><label>Phone <input name="phone" type="tel" value="${phone}" required autocomplete="tel"></label></p>
  <p><button>Send</button></p>
</form>
<p>Nobody is called: the demo pretends to.</p>
</html>
`
