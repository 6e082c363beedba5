// The project as it was at a commit, in a folder of its own, ready to be bundled with the packages of today. What it
// is compared with, or run against, is decided elsewhere.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './local-worker.ts'

export function unpackCommit(commit: string, dir: string): void {
  mkdirSync(dir, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: projectDir, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', dir], { input: archive })
  symlinkSync(join(projectDir, 'node_modules'), join(dir, 'node_modules'))
}
