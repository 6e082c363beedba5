// A browser and a server for all tests of a file that imports this. What a test has opened is closed after it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Scope } from '../../src/base/access/scope.ts'
import { type Server, startServer } from '../docs/server.ts'
import { launchBrowser } from './browser.ts'
import * as consolePage from './console-page.ts'

export let browser: Browser
export let server: Server
let filesDir: string

beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'lead-intake-files-'))
  browser = await launchBrowser()
  server = await startServer()
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})
afterAll(async () => {
  await browser?.close()
  await server?.harness.close()
  await rm(filesDir, { recursive: true, force: true })
})

export const openConsole = (key: string, look?: consolePage.Look) =>
  consolePage.openConsole(browser, server, key, look)

/** With a key of its own. */
export async function openAs(scope: Scope = 'manage', look?: consolePage.Look) {
  const { key } = await server.addKey(scope)
  return { ...(await openConsole(key, look)), key }
}

export const askApi = <Data>(key: string, method: string, path: string, body?: unknown) =>
  consolePage.askApi<Data>(server, key, method, path, body)

let manager: Promise<{ key: string }> | undefined

/** Asks with the same key of a manager each time. */
export async function api<Data>(method: string, path: string, body?: unknown) {
  manager ??= server.addKey('manage')
  return askApi<Data>((await manager).key, method, path, body)
}

/** From the disk, like a person's file. */
export async function pick(page: Page, name: string, content: string | Buffer, label = 'CSV file') {
  const path = join(filesDir, name.replaceAll('/', '_'))
  await writeFile(path, content)
  await page.getByLabel(label).setInputFiles(path)
}
