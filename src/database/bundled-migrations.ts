// Every migration, bundled for the stores of companies. A test compares the list with the folder.
import m0000 from '../../migrations/0000_init.sql'
import m0001 from '../../migrations/0001_filters_and_idempotency.sql'
import m0002 from '../../migrations/0002_campaign_ids_and_status.sql'
import m0003 from '../../migrations/0003_calling.sql'
import m0004 from '../../migrations/0004_change_erase_tell.sql'
import m0005 from '../../migrations/0005_statistics.sql'
import m0006 from '../../migrations/0006_key_hours.sql'
import m0007 from '../../migrations/0007_agents.sql'
import m0008 from '../../migrations/0008_number_memory.sql'
import m0009 from '../../migrations/0009_webhooks.sql'
import m0010 from '../../migrations/0010_bounds.sql'
import m0011 from '../../migrations/0011_lead_events.sql'
import m0012 from '../../migrations/0012_waits.sql'
import m0013 from '../../migrations/0013_self_service.sql'
import m0014 from '../../migrations/0014_search.sql'
import m0015 from '../../migrations/0015_alerts.sql'
import m0016 from '../../migrations/0016_scheduled_at.sql'
import m0017 from '../../migrations/0017_rights.sql'
import m0018 from '../../migrations/0018_own_stores.sql'
import m0019 from '../../migrations/0019_key_ends.sql'

export type Migrations = readonly (readonly [name: string, text: string])[]

export const bundledMigrations: Migrations = [
  ['0000_init.sql', m0000],
  ['0001_filters_and_idempotency.sql', m0001],
  ['0002_campaign_ids_and_status.sql', m0002],
  ['0003_calling.sql', m0003],
  ['0004_change_erase_tell.sql', m0004],
  ['0005_statistics.sql', m0005],
  ['0006_key_hours.sql', m0006],
  ['0007_agents.sql', m0007],
  ['0008_number_memory.sql', m0008],
  ['0009_webhooks.sql', m0009],
  ['0010_bounds.sql', m0010],
  ['0011_lead_events.sql', m0011],
  ['0012_waits.sql', m0012],
  ['0013_self_service.sql', m0013],
  ['0014_search.sql', m0014],
  ['0015_alerts.sql', m0015],
  ['0016_scheduled_at.sql', m0016],
  ['0017_rights.sql', m0017],
  ['0018_own_stores.sql', m0018],
  ['0019_key_ends.sql', m0019],
]
