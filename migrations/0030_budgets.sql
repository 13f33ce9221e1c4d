-- What may be spent on somebody's behalf in a time (mails to an address, codes, reports once more): shared by all
-- processes. The columns are those that rate-limiter-flexible writes.
create table budget (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index budget_expire on budget (expire);
