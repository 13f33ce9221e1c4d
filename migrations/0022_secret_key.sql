-- The key of a phase's shuffles, where the rules show it before the game is over: between two battles of a campaign.
alter table phase add column secret_key text;
