-- The events that name an end user, to erase the name.
CREATE INDEX CONCURRENTLY event_of_budget ON event (account_id) WHERE name = 'budget.threshold';
