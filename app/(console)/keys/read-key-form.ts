const DAY_MS = 86_400_000;

/** Returns the form's values as input of `keys.create`. */
export function readKeyForm(form: FormData) {
  const text = (name: string) => (form.get(name) as string | null) ?? "";
  const days = Number(text("expiry"));
  const limit = text("limit") === "" ? null : Number(text("limit"));
  return {
    name: text("name"),
    expires_at: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
    require_idempotency: form.has("idempotent"),
    spend_limit: limit,
    spend_limit_reset: limit === null ? null : ((text("reset") || null) as "day" | "month" | null),
  };
}
