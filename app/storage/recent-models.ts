const COOKIE = "playground_models";
const MAX_MODELS = 10;
const YEAR_S = 31_536_000;

export { COOKIE as RECENT_MODELS_COOKIE };

/** Returns the models that the account last used in this browser, the newest first, from the cookie's value. */
export function parseRecentModels(cookie: string | undefined, accountId: number): string[] {
  const [owner, ...models] = (cookie ?? "").split(" ");
  return owner === String(accountId) ? models.map(decodeModel).slice(0, MAX_MODELS) : [];
}

function decodeModel(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Returns the list with this model first. */
export const addRecentModel = (models: string[], model: string): string[] =>
  [model, ...models.filter((one) => one !== model)].slice(0, MAX_MODELS);

/** Stores the models in a cookie, so that the server renders the playground with the one that was used last. */
export function storeRecentModels(accountId: number, models: string[]): void {
  const value = [String(accountId), ...models.map(encodeURIComponent)].join(" ");
  document.cookie = `${COOKIE}=${encodeURIComponent(value)}; path=/playground; max-age=${YEAR_S}; samesite=lax`;
}

/** Removes the cookie, when the session ends. */
export function clearRecentModels(): void {
  document.cookie = `${COOKIE}=; path=/playground; max-age=0; samesite=lax`;
}
