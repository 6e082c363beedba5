// Every migration, bundled for the stores of companies. A test compares the list with the folder.
import m2000 from '../../../migrations/2000_init.sql'
import m2001 from '../../../migrations/2001_consent_texts.sql'
import m2002 from '../../../migrations/2002_dialer_errors.sql'
import m2003 from '../../../migrations/2003_search_list.sql'
import m2004 from '../../../migrations/2004_number_spellings.sql'
import m2005 from '../../../migrations/2005_sources.sql'
import m2006 from '../../../migrations/2006_people.sql'
import m2007 from '../../../migrations/2007_source_noes.sql'
import m2008 from '../../../migrations/2008_one_phone.sql'
import m2009 from '../../../migrations/2009_lost_calls.sql'
import m2010 from '../../../migrations/2010_fewer_reads.sql'
import m2011 from '../../../migrations/2011_dialers.sql'
import m2012 from '../../../migrations/2012_mentions.sql'
import m2013 from '../../../migrations/2013_posts.sql'
import m2014 from '../../../migrations/2014_webhook_format.sql'
import m2015 from '../../../migrations/2015_origin.sql'
import m2016 from '../../../migrations/2016_calls.sql'
import m2017 from '../../../migrations/2017_gate.sql'
import m2018 from '../../../migrations/2018_inbound.sql'

export type Migrations = readonly (readonly [name: string, text: string])[]

export const bundledMigrations: Migrations = [
  ['2000_init.sql', m2000],
  ['2001_consent_texts.sql', m2001],
  ['2002_dialer_errors.sql', m2002],
  ['2003_search_list.sql', m2003],
  ['2004_number_spellings.sql', m2004],
  ['2005_sources.sql', m2005],
  ['2006_people.sql', m2006],
  ['2007_source_noes.sql', m2007],
  ['2008_one_phone.sql', m2008],
  ['2009_lost_calls.sql', m2009],
  ['2010_fewer_reads.sql', m2010],
  ['2011_dialers.sql', m2011],
  ['2012_mentions.sql', m2012],
  ['2013_posts.sql', m2013],
  ['2014_webhook_format.sql', m2014],
  ['2015_origin.sql', m2015],
  ['2016_calls.sql', m2016],
  ['2017_gate.sql', m2017],
  ['2018_inbound.sql', m2018],
]
