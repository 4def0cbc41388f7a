-- What a scrape of /metrics sums and counts without reading every account. `owed` and `state` rarely change, so updates of
-- an account's amounts stay within their page.
CREATE INDEX account_owing ON account (owed) WHERE owed > 0;
CREATE INDEX automatic_top_up_paused ON automatic_top_up (account_id) WHERE state = 'paused';
