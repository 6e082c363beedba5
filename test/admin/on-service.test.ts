// Which service and key a command means, by its options, the environment and what `npm start` wrote.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type KeyName, writeLocalUrl } from '../../src/admin/local/local-keys.ts'
import { chooseService, withService } from '../../src/admin/on-service.ts'
import { removeDir, temporaryDir } from './project.ts'

const stateDir = temporaryDir()
writeFileSync(join(stateDir, 'demo-keys.json'), JSON.stringify({ manage: 'lk_manage', agent: 'lk_agent' }))
afterAll(() => removeDir(stateDir))
afterEach(() => void vi.unstubAllEnvs())

type Environment = { readonly url?: string; readonly key?: string }

async function choose(words: string, { url, key }: Environment = {}, scope?: KeyName) {
  vi.stubEnv('LEAD_INTAKE_URL', url)
  vi.stubEnv('LEAD_INTAKE_KEY', key)
  const command = withService(new Command().exitOverride(), scope).option('--json').option('--campaign <id>')
  command.parse(['--persist-to', stateDir, ...words.split(' ').filter(Boolean)], { from: 'user' })
  return chooseService(command, scope)
}

const local = { url: 'http://localhost:8787', apiKey: 'lk_manage' }
const deployed = { url: 'https://leads.example.com', key: 'lk_deployed' }

describe('A command on a service', () => {
  it('A command uses the local service and its key when nothing is said', async () => {
    expect(await choose('')).toEqual(local)
    expect(await choose('', { key: '' })).toEqual(local)
    expect(await choose('', {}, 'agent')).toEqual({ ...local, apiKey: 'lk_agent' })
  })

  it('A command uses the local service where npm start has served it last', async () => {
    const served = temporaryDir()
    onTestFinished(() => removeDir(served))
    await writeLocalUrl(served, 'http://localhost:8741')
    const words = `--key lk_1 --persist-to ${served}`
    expect(await choose(words)).toEqual({ url: 'http://localhost:8741', apiKey: 'lk_1' })
    expect(await choose(`${words} --local`, deployed)).toMatchObject({ url: 'http://localhost:8741' })
    expect(await choose(words, deployed)).toMatchObject({ url: deployed.url })
    expect(await choose(`${words} --url http://localhost:9000`)).toMatchObject({
      url: 'http://localhost:9000',
    })
  })

  it('A command uses the environment, and an option before it', async () => {
    expect(await choose('', deployed)).toEqual({ url: deployed.url, apiKey: deployed.key })
    expect(await choose('--key lk_other', deployed)).toEqual({ url: deployed.url, apiKey: 'lk_other' })
    const other = '--url http://localhost:9000'
    expect(await choose(other, deployed)).toEqual({ url: 'http://localhost:9000', apiKey: deployed.key })
    expect(await choose(other)).toEqual({ url: 'http://localhost:9000', apiKey: 'lk_manage' })
  })

  it('A command ignores the environment with --local, but no option', async () => {
    expect(await choose('--local', deployed)).toEqual(local)
    const other = '--local --url http://localhost:9000'
    expect(await choose(other, deployed)).toEqual({ url: 'http://localhost:9000', apiKey: 'lk_manage' })
    expect(await choose('--local --key lk_other', deployed)).toEqual({ ...local, apiKey: 'lk_other' })
  })

  it('A command uses the local key that may do it: that of the demo in its campaign, else that of the company', async () => {
    expect(await choose('--campaign demo', {}, 'agent')).toMatchObject({ apiKey: 'lk_agent' })
    expect(await choose('--campaign spring', {}, 'agent')).toMatchObject({ apiKey: 'lk_manage' })
    expect(await choose('--campaign spring')).toEqual(local)
    expect(await choose('--campaign demo', {}, 'write')).toMatchObject({ apiKey: 'lk_manage' })
    await expect(choose('', {}, 'operator')).rejects.toThrow(/^no API key/)
  })

  it('A command says that the key of the demo is not for another campaign, where the company has none', async () => {
    const demo = temporaryDir()
    onTestFinished(() => removeDir(demo))
    writeFileSync(join(demo, 'demo-keys.json'), JSON.stringify({ agent: 'lk_agent' }))
    const words = `--persist-to ${demo} --campaign`
    await expect(choose(`${words} spring`, {}, 'agent')).rejects.toThrow(
      /the agent key of the demo, .+, is for campaign demo, not for spring: .+ --key <key>$/,
    )
    expect(await choose(`${words} demo`, {}, 'agent')).toMatchObject({ apiKey: 'lk_agent' })
    expect(await choose('--campaign spring --key lk_other', {}, 'agent')).toMatchObject({
      apiKey: 'lk_other',
    })
  })

  it('A command sends the local key to no other service', async () => {
    const missing = 'no API key: set LEAD_INTAKE_KEY, or give --key <key>'
    await expect(choose('', { url: deployed.url })).rejects.toThrow(new RegExp(`^${missing}$`))
    await expect(choose(`--local --url ${deployed.url}`, deployed)).rejects.toThrow(
      new RegExp(`^${missing}$`),
    )
  })
})
