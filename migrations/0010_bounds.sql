-- Written by hand. The index holds what single campaigns suppress alone: a number of the whole company costs no row more.
CREATE INDEX `suppressions_campaign` ON `suppressions` (`campaign_number`,`phone_number`) WHERE "suppressions"."campaign_number" <> 0;
