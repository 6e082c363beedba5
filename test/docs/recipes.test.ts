// The recipes of src/docs/connect are code that works as printed, as far as that can be seen without the vendor: the
// Python runs against a service and a stand-in for LiveKit, and the node of n8n sends a lead. provider-recipes.test.ts
// has those in TypeScript.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readCreate } from '../../src/queue/leads/create-input.ts'
import { newPhone } from '../support/database/seed.ts'
import { blocksOf } from './connect-page.ts'
import { joinServer } from './server.ts'

const hasPython = spawnSync('python3', ['-c', 'import asyncio, json, urllib.request']).status === 0

/** LiveKit: a dispatch runs the agent at once, and a call ends as `failure` says, in Python. */
const standIn = (failure: string) => `
import asyncio, json, sys, types
api, agents = types.ModuleType("livekit.api"), types.ModuleType("livekit.agents")
class TwirpError(Exception):
    def __init__(self, status, metadata):
        self.status, self.metadata = status, metadata
class Fields:
    def __init__(self, **fields):
        self.__dict__.update(fields)
for name in ("CreateAgentDispatchRequest", "CreateSIPParticipantRequest", "DeleteRoomRequest"):
    setattr(api, name, type(name, (Fields,), {}))
api.TwirpError = TwirpError
class Sip:
    async def create_sip_participant(self, request):
        assert request.sip_call_to.startswith("+") and request.wait_until_answered
        ${failure}
class Context:
    def __init__(self, metadata):
        self.job, self.api = Fields(metadata=metadata), Fields(sip=Sip())
        self.callbacks, self.ended = [], asyncio.Event()
        self.room = Fields(name="room", on=lambda event, act: None)
    async def connect(self):
        pass
    def add_shutdown_callback(self, callback):
        self.callbacks.append(callback)
    def shutdown(self):
        self.ended.set()
async def run(metadata):
    import agent
    context = Context(metadata)
    await agent.entrypoint(context)
    if not context.ended.is_set():
        context.shutdown()  # the person hangs up
    for callback in context.callbacks:
        await callback()
jobs = set()
class Dispatch:
    async def create_dispatch(self, request):
        assert json.loads(request.metadata)["callId"] == request.room
        jobs.add(asyncio.create_task(run(request.metadata)))
class LiveKitAPI:
    agent_dispatch = Dispatch()
    async def __aenter__(self):
        return self
    async def __aexit__(self, *error):
        pass
api.LiveKitAPI = LiveKitAPI
class Agent:
    def __init__(self, instructions):
        pass
class AgentSession:
    async def start(self, agent, room):
        pass
agents.Agent, agents.AgentSession, agents.JobContext, agents.WorkerOptions = Agent, AgentSession, Context, Fields
agents.cli, agents.function_tool = None, lambda: (lambda tool: tool)
sys.modules["livekit.api"], sys.modules["livekit.agents"] = api, agents
`

describe('The recipe for LiveKit Agents', () => {
  const [dispatcher = '', agent = ''] = blocksOf('calls/livekit', 'python')

  it.skipIf(!hasPython).each([
    ['answered', 'pass'],
    ['busy', 'raise TwirpError(429, {"sip_status_code": "486"})'],
    ['failed', 'raise TwirpError(404, {"sip_status_code": "404"})'],
    ['released', 'raise TwirpError(429, {})'],
    ['abandoned', 'raise TwirpError(408, {})'],
  ])(
    'The recipe for LiveKit Agents claims a lead, says that it dials, and reports %s (needs python3)',
    { timeout: 120_000 },
    async (outcome, failure) => {
      const server = await joinServer()
      const dir = mkdtempSync(join(tmpdir(), 'lead-intake-livekit-'))
      const { key } = await server.addKey('manage')
      await server.addCampaign('spring')
      mkdirSync(join(dir, 'livekit'))
      writeFileSync(join(dir, 'livekit/__init__.py'), standIn(failure))
      writeFileSync(join(dir, 'lead_intake.py'), dispatcher)
      writeFileSync(join(dir, 'agent.py'), agent)
      const env = {
        ...process.env,
        LEAD_INTAKE_URL: server.base,
        LEAD_INTAKE_KEY: key,
        SIP_OUTBOUND_TRUNK_ID: 'ST_1',
      }
      const program = spawn('python3', ['lead_intake.py'], {
        cwd: dir,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let complaints = ''
      program.stderr.setEncoding('utf8').on('data', (text) => {
        complaints += text
      })
      onTestFinished(() => {
        program.kill('SIGKILL')
        rmSync(dir, { recursive: true, force: true })
      })
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const phoneNumber = newPhone()
      const body = JSON.stringify({ campaignId: 'spring', phoneNumber })
      const created = await fetch(`${server.base}/api/v1/leads`, { method: 'POST', headers, body })
      const { leadId } = ((await created.json()) as { data: { leadId: string } }).data
      const callsOf = async () => {
        const answer = await fetch(`${server.base}/api/v1/leads/${leadId}/calls`, { headers })
        return ((await answer.json()) as { data: { calls: { outcome: string | null }[] } }).data.calls
      }
      let calls = await callsOf()
      while (!calls.some((call) => call.outcome !== null)) {
        if (program.exitCode !== null) throw new Error(complaints)
        await sleep(100)
        calls = await callsOf()
      }
      expect(calls).toEqual([expect.objectContaining({ outcome })])
      const { results } = await server.db
        .prepare('select dialled_at_ms is not null as isDialled from calls where phone_number = ?1')
        .bind(phoneNumber)
        .all()
      expect(results).toEqual([{ isDialled: 1 }])
    },
  )
})

it('The recipe for n8n sends a lead that the service takes, with the record in its Idempotency-Key', () => {
  const [pasted = ''] = blocksOf('automation/n8n', 'json')
  type Parameters = {
    headerParameters: { parameters: { name: string; value: string }[] }
    jsonBody: string
  }
  const { nodes } = JSON.parse(pasted) as { nodes: [{ parameters: Parameters }] }
  const { headerParameters, jsonBody } = nodes[0].parameters
  const item = { id: 7, phone: '+14155550123', name: 'Ada "the first"' }
  /** As n8n evaluates an expression. */
  const evaluated = (expression: string) => {
    const [, code] = /^=\{\{ (.+) \}\}$/s.exec(expression) ?? []
    return new Function('$json', `return ${code}`)(item) as string
  }
  const reading = readCreate(evaluated(jsonBody))
  expect(reading).toMatchObject({ isValid: true, value: { campaignId: 'spring' } })
  expect(JSON.parse(evaluated(jsonBody))).toEqual({
    campaignId: 'spring',
    phoneNumber: item.phone,
    externalId: '7',
    metadata: { name: item.name },
  })
  expect(headerParameters.parameters.map(({ name, value }) => [name, evaluated(value)])).toEqual([
    ['Idempotency-Key', 'crm-7'],
  ])
})
