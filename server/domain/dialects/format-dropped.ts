const SAFE_NAME = /^[\w.-]{1,64}$/;
const MAX_NAMES = 32;

/** Returns the value of the header that names what was dropped; null if nothing was. */
export function formatDropped(dropped: Set<string>): string | null {
  const names = [...dropped].filter((name) => SAFE_NAME.test(name)).slice(0, MAX_NAMES);
  // Names that a header cannot have come from the client.
  if (names.length < dropped.size) names.push("other");
  return names.length > 0 ? names.join(",") : null;
}
