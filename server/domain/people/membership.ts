import type { Role } from "../../context";
import { int4, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Lets a person act for an account; keeps the role of somebody who may already. */
export const addMember = statement({
  params: [int4, int4, text, timestamptz],
  row: {},
  text: `
    INSERT INTO membership (account_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, person_id) DO NOTHING`,
});

/** Changes the role of a member, and returns the row if there is one. */
export const updateRole = statement({
  params: [int4, int4, text],
  row: { role: textOf<Role>() },
  text: "UPDATE membership SET role = $3 WHERE account_id = $1 AND person_id = $2 RETURNING role",
});

/** Removes a member, and returns the row if there was one. */
export const deleteMember = statement({
  params: [int4, int4],
  row: { role: textOf<Role>() },
  text: "DELETE FROM membership WHERE account_id = $1 AND person_id = $2 RETURNING role",
});
