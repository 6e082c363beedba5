// The project as it was at a commit, in a folder of its own, ready to be bundled with the packages of today. What it
// is compared with, or run against, is decided elsewhere.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './local-worker.ts'

/** False also in a clone whose history does not reach that far back, and where there is no git. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectDir, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function unpackCommit(commit: string, dir: string): void {
  // What a build makes it makes in the working directory; a Worker's assets are not looked at.
  mkdirSync(join(dir, 'dist/assets'), { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: projectDir, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', dir], { input: archive })
  symlinkSync(join(projectDir, 'node_modules'), join(dir, 'node_modules'))
}
