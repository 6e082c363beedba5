// All people of a world. The order is part of what a seed draws: new ones come last.
import { administrator } from './administrator.ts'
import { agent } from './agent.ts'
import { client } from './client.ts'
import { crm } from './crm.ts'
import { gatekeeper } from './gatekeeper.ts'
import { integrator } from './integrator.ts'
import { manager } from './manager.ts'
import { member } from './member.ts'
import { office } from './office.ts'
import { operator } from './operator.ts'
import type { Deed, Person } from './person.ts'
import { reader } from './reader.ts'
import { voice } from './voice.ts'

export const everybody: readonly Person[] = [
  ...[
    crm,
    agent,
    office,
    manager,
    reader,
    voice,
    integrator,
    administrator,
    operator,
    gatekeeper,
    client,
    member,
  ],
]

export type NamedDeed = Deed & { readonly who: string; readonly does: string }

export const allDeeds: readonly NamedDeed[] = everybody.flatMap(({ name, deeds }) =>
  Object.entries(deeds).map(([does, deed]) => ({ ...deed, who: name, does })),
)

export function deedOf(who: string, does: string): NamedDeed {
  const found = allDeeds.find((deed) => deed.who === who && deed.does === does)
  if (found === undefined) throw new Error(`Nobody named ${who} does ${does}`)
  return found
}
