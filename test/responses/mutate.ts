import type { Json } from "./open-responses";

/** Values that a member does not expect. */
const STRANGE: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "__proto__",
  "x".repeat(300),
  [],
  {},
  [null],
  [[]],
  { type: null },
  { type: "constructor" },
  { type: "item_reference", id: "rs_00000000000000000000000000000000o0" },
  { toString: 1, hasOwnProperty: 2 },
];

/** Returns a copy of a value in which one to three places are missing, repeated or strange. */
export function mutate(value: Json, random: () => number): Json {
  const copy = structuredClone(value);
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) change(copy, random);
  return copy;
}

function change(root: Json, random: () => number): void {
  let place = root;
  for (;;) {
    const names = Object.keys(place);
    if (names.length === 0) return;
    const name = names[Math.floor(random() * names.length)]!;
    const inner = place[name];
    if (typeof inner === "object" && inner !== null && random() < 0.8) {
      place = inner as Json;
      continue;
    }
    const kind = random();
    if (kind < 0.2 && !Array.isArray(place)) delete place[name];
    else if (kind < 0.3 && Array.isArray(place)) place.push(structuredClone(inner));
    else place[name] = structuredClone(STRANGE[Math.floor(random() * STRANGE.length)]);
    return;
  }
}
