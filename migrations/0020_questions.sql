-- What each side that is asked can see at the moment a phase stops for its answer.
alter table phase add column views json;
-- The number of the first question of the same stop; null for questions put before this was kept.
alter table request add column halt int;
