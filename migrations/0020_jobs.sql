-- Jobs are picked up by graphile-worker, which has a schema of its own. A row here says what is to be done and how often
-- it failed; graphile-worker's says only that there is something to do.
drop index job_ready;
drop index job_queue;
drop index job_dedupe;
alter table job rename column attempts to failures;
alter table job
  drop column locked_until,
  drop column locked_by,
  -- The smaller, the sooner.
  add column priority smallint not null default 50,
  -- A process died while this job was one of several it had begun: done alone from now on.
  add column suspect boolean not null default false,
  -- So many processes died while this job was the only one they had begun.
  add column deaths int not null default 0,
  -- Its author and the operator were told that it goes wrong; it is tried again, alone, at growing intervals.
  add column troubled_at timestamptz;
update job set failures = 0 where dead_at is not null;
update job set priority = case kind when 'mail' then 10 when 'run' then 30 when 'send' then 40 else 50 end;
alter table job drop column dead_at;
create index job_due on job (run_at);
create index job_queue on job (queue, id) where queue is not null;
create index job_dedupe on job (dedupe_key, run_at) where dedupe_key is not null;

-- The processes that take jobs. Whoever has not been heard of for half a minute is dead: his jobs are free again. Times
-- are the database's own, so that clocks of several machines need not agree.
create table process (
  -- As graphile-worker writes it into the jobs that the process has begun.
  id text primary key,
  host text not null,
  pid int not null,
  -- The same for all processes of one running system that see each other's numbers.
  place text not null,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now()
);
