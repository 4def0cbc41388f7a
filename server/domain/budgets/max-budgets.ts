/** How many budgets an account can have: each of its requests compares all of them. */
export const MAX_BUDGETS = 20;
