/** SQL: the states, divided by commas, in which a generation holds an amount of its account. */
export const unsettledStatesSql = "'queued', 'running', 'awaiting_supply'";
