-- Where a lead came from, as a letter and an id, and what its import was called. Leads of before have neither.
ALTER TABLE `leads` ADD `origin` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `import_name` text;