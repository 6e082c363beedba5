// All planted faults.
import { calling } from './calling.ts'
import { ends } from './ends.ts'
import type { PlantedFault } from './fault.ts'
import { gates } from './gates.ts'
import { kept } from './kept.ts'
import { machines } from './machines.ts'
import { noes } from './noes.ts'
import { rest } from './rest.ts'
import { rights } from './rights.ts'

export const plantedFaults: readonly PlantedFault[] = [
  ...calling,
  ...noes,
  ...rights,
  ...machines,
  ...gates,
  ...rest,
  ...ends,
  ...kept,
]
