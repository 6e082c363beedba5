// Runs load.ts in a process of its own, so that measuring does not share a thread with waiting for workerd.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Job, type LoadResult, runJob } from './load.ts'

export type Load = { run(job: Job): Promise<LoadResult>; stop(): void }

function startLoad(): Load {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['--load'], { serialization: 'advanced' })
  return {
    run(job) {
      return new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('the load generator ended'))
        child.once('exit', onExit)
        child.once('message', (message: { outcome?: LoadResult; error?: string }) => {
          child.off('exit', onExit)
          if (message.outcome === undefined) reject(new Error(message.error))
          else resolve(message.outcome)
        })
        child.send(job)
      })
    },
    stop: () => void child.kill(),
  }
}

export async function withLoad<T>(use: (load: Load) => Promise<T>): Promise<T> {
  const load = startLoad()
  try {
    return await use(load)
  } finally {
    load.stop()
  }
}

if (process.argv.includes('--load')) {
  process.on('message', (job: Job) => {
    runJob(job).then(
      (outcome) => process.send?.({ outcome }),
      (error: Error) => process.send?.({ error: `${job.kind.path} at ${job.port}: ${error.message}` }),
    )
  })
  process.on('disconnect', () => process.exit())
}
