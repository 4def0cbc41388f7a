-- Of a month: how many of the generations have lost the value since. With as many as there are, the sums lose it, too.
ALTER TABLE usage_label_sum ADD COLUMN erased BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_label_sum ADD CONSTRAINT usage_label_sum_erased_of_months CHECK (erased = 0 OR (erased > 0 AND grain = 'month'));
