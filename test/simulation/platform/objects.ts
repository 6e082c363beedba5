// Durable Objects: each has a storage that outlives it, and at most one life at a time, which begins with a call or an
// alarm. A life takes one thing after the other (input gate), sends nothing before what it wrote is durable (output
// gate), and once it has died neither hears nor writes anything.

import type { Agenda } from './agenda.ts'
import { cloneOf } from './clone.ts'
import type { Context, Life } from './context.ts'
import type { Look, OnCommit } from './d1.ts'
import { createStorage, type ObjectStorage } from './object-storage.ts'
import type { Outgoing } from './outgoing.ts'
import { type SimSocket, socketClasses } from './sockets.ts'

type Instance = Record<string, (...args: unknown[]) => unknown>
export type ObjectClass = new (ctx: object, env: object) => Instance

export type SimObject = {
  readonly className: string
  readonly name: string
  readonly storage: ObjectStorage
  readonly sockets: Map<SimSocket, readonly string[]>
  /** Since it was made. */
  alarmsRun: number
  /** The platform runs one alarm of an object at a time: the next one waits. */
  isInAlarm: boolean
  isAlarmDue: boolean
  life: RunningLife | null
}

type RunningLife = Life & {
  readonly instance: Instance
  readonly die: (error: Error, isEvicted?: boolean) => void
  readonly failures: Set<(error: Error) => void>
}

const alarmTries = 6
const alarmRetryMs = 2_000

export const objectReset = () => Object.assign(new Error('Network connection lost.'), { retryable: true })

export type Objects = ReturnType<typeof createObjects>

export type ObjectsOptions = {
  readonly agenda: Agenda
  readonly outgoing: Outgoing
  readonly onCommit: OnCommit
  /** At the tables of a company. */
  readonly look: Look
  readonly classOf: (className: string) => ObjectClass
  readonly env: () => object
  /** Companies are restored to earlier times. */
  readonly hasRestores: boolean
  /** It has not ended itself. */
  readonly onDeath: (object: SimObject) => void
}

export function createObjects(options: ObjectsOptions) {
  const { agenda, outgoing, onCommit, look, classOf, env, hasRestores, onDeath } = options
  const all = new Map<string, SimObject>()
  let delayed = (_: SimObject, atMs: number): readonly number[] => [atMs]

  function objectOf(className: string, name: string): SimObject {
    const key = `${className} ${name}`
    let object = all.get(key)
    if (object === undefined) {
      const storage = createStorage(agenda, {
        name,
        kind: className === 'CompanyStore' ? 'store' : 'empty',
        onCommit,
        look: className === 'CompanyStore' ? look : () => null,
        onAlarm: () => runAlarm(found, 0),
        keepsHistory: hasRestores && className === 'CompanyStore',
        alarmRunsAt: (atMs) => delayed(found, atMs),
      })
      const found: SimObject = {
        ...{
          className,
          name,
          storage,
          sockets: new Map(),
          alarmsRun: 0,
          isInAlarm: false,
          isAlarmDue: false,
        },
        life: null,
      }
      object = found
      all.set(key, object)
    }
    return object
  }

  function lifeOf(object: SimObject): RunningLife {
    if (object.life !== null) return object.life
    const { storage } = object
    let isAlive = true
    const waiting: (() => void)[] = []
    const failures = new Set<(error: Error) => void>()
    /** One after the other, each with all that it settles. */
    const takeNext = () => {
      if (!isAlive || session.isLocked() || waiting.length === 0) return
      waiting.shift()?.()
      agenda.after(0, takeNext)
    }
    const session = storage.begin(takeNext)
    const ctx = {
      id: { name: object.name, toString: () => object.name },
      storage: session.api,
      waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
      abort: (reason: string) => {
        life.die(Object.assign(new Error(reason), { durableObjectReset: true }))
        throw new Error(reason)
      },
      acceptWebSocket: (socket: SimSocket, tags: readonly string[] = []) => {
        object.sockets.set(socket, tags)
        socket.acceptedBy = object
      },
      getWebSockets: (tag?: string) =>
        [...object.sockets]
          .filter(([, tags]) => tag === undefined || tags.includes(tag))
          .map(([socket]) => socket),
    }
    const life: Omit<RunningLife, 'instance'> = {
      take: (run) => {
        if (!isAlive) return
        if (session.isLocked() || waiting.length > 0) waiting.push(run)
        else run()
      },
      afterWrites: (run) => session.afterWrites(() => isAlive && run()),
      failures,
      die: (error, isEvicted = false) => {
        if (!isAlive) return
        isAlive = false
        object.life = null
        session.end()
        if (!('durableObjectReset' in error)) onDeath(object)
        for (const fail of failures) fail(error)
        if (!isEvicted) for (const socket of object.sockets.keys()) socket.break()
      },
    }
    const ofLife = {
      ...agenda.contextOf(`${object.className} ${object.name} ${storage.lives}`, null, []),
      life,
    }
    const instance = agenda.within(ofLife, () => new (classOf(object.className))(ctx, env()))
    object.life = Object.assign(life, { instance })
    return object.life
  }

  /** Runs a method of the object. `context` is the caller's. */
  function invoke(
    object: SimObject,
    method: string,
    args: readonly unknown[],
    caller: Context,
    step = 0,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const life = lifeOf(object)
      life.failures.add(reject)
      const dies = outgoing.faultAt(caller, 'object')
      const context: Context = { ...childOf(caller, object, step), life }
      life.take(() => {
        const settle = (answer: () => void) =>
          life.afterWrites(() => {
            life.failures.delete(reject)
            answer()
          })
        void agenda.within(context, async () => {
          try {
            const result = await (life.instance[method] as (...all: unknown[]) => unknown).apply(
              life.instance,
              [...args],
            )
            settle(() => resolve(result))
          } catch (error) {
            settle(() => reject(error))
          }
        })
        if (dies === undefined) return
        outgoing.onFault(dies.name)
        agenda.after(dies.delayMs ?? 0, () => life.die(objectReset()))
      })
    })
  }

  const childOf = (caller: Context, object: SimObject, step: number): Context => {
    const name = `${caller.name} > ${object.className} ${step}`
    const { ids, delays } = agenda.contextOf(name, null, [])
    return { ...caller, name, ids, delays }
  }

  function runAlarm(object: SimObject, tries: number): void {
    const { storage } = object
    if (object.isInAlarm) {
      object.isAlarmDue = true
      return
    }
    object.isInAlarm = true
    const end = () => {
      object.isInAlarm = false
      if (!object.isAlarmDue) return
      object.isAlarmDue = false
      agenda.after(0, () => runAlarm(object, 0))
    }
    const context = agenda.contextOf(
      `${object.className} ${object.name} alarm ${++object.alarmsRun}`,
      null,
      [],
    )
    const life = lifeOf(object)
    let isDone = false
    const again = () => {
      if (isDone) return
      isDone = true
      end()
      if (tries < alarmTries && !storage.hasAlarm())
        agenda.after(alarmRetryMs * 2 ** tries, () => runAlarm(object, tries + 1))
    }
    life.failures.add(again)
    life.take(() => {
      void agenda.within({ ...context, life }, async () => {
        try {
          await life.instance.alarm?.()
          isDone = true
          life.failures.delete(again)
          end()
        } catch {
          again()
        }
      })
    })
  }

  function stub(className: string, name: string) {
    const object = () => objectOf(className, name)
    let notBeforeMs = 0
    let broken: unknown
    const call = async (method: string, args: readonly unknown[], isCloned: boolean) => {
      if (broken !== undefined) throw broken
      const sent = isCloned ? cloneOf(args) : args
      const statements = className === 'CompanyStore' && method === 'batch' ? args[0] : null
      if (Array.isArray(statements)) outgoing.count(statements.length)
      const answer = outgoing.call(
        'rpc',
        (context, step) => invoke(object(), method, sent, context, step),
        notBeforeMs,
      )
      notBeforeMs = answer.arrivesAtMs
      try {
        const result = await answer
        return isCloned ? cloneOf(result) : result
      } catch (error) {
        if ((error as { retryable?: boolean }).retryable) broken = error
        throw cloneError(error)
      }
    }
    return new Proxy(
      {},
      {
        get: (_, property) => {
          if (typeof property !== 'string' || property === 'then') return undefined
          if (property === 'name') return name
          if (property === 'fetch')
            return (url: string, init: RequestInit) => call('fetch', [new Request(url, init)], false)
          return (...args: unknown[]) => call(property, args, true)
        },
      },
    )
  }

  const namespace = (className: string, prefix = ''): object => ({
    getByName: (name: string) => stub(className, prefix + name),
    jurisdiction: (place: string) => namespace(className, `${place}/`),
  })

  const delayAlarms = (runsAt: typeof delayed) => {
    delayed = runsAt
  }
  return { all, namespace, objectOf, delayAlarms, ...socketClasses(agenda) }
}

/** As it comes over RPC. */
function cloneError(error: unknown): Error {
  const { message, name, retryable, overloaded, durableObjectReset } = error as Error &
    Record<string, unknown>
  const marks = {
    remote: true,
    ...(retryable === true && { retryable }),
    ...(overloaded === true && { overloaded }),
  }
  const text = name === 'Error' || name === undefined ? message : `${name}: ${message}`
  return Object.assign(new Error(text), marks, durableObjectReset === true && { durableObjectReset })
}
