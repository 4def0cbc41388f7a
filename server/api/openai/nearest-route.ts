/** A route that works. */
interface Route {
  method: string;
  path: string;
}

/** Names of a chat in other APIs, and in newer ones of OpenAI. */
const CHAT_WORDS = ["responses", "messages", "generatecontent", "streamgeneratecontent", "converse", "complete"];
const CHAT_PATH = "/v1/chat/completions";

/** Returns the route that a caller of an unknown path probably means; null when none is near. */
export function findNearestRoute(routes: Route[], path: string): Route | null {
  const words = toWords(path);
  if (words.some((word) => CHAT_WORDS.includes(word))) return routes.find((route) => route.path === CHAT_PATH) ?? null;
  let nearest: Route | null = null;
  let best = 0;
  for (const route of routes) {
    const own = toWords(route.path);
    const shared = own.filter((word) => words.some((other) => isSimilar(word, other))).length;
    // Of two routes with equally many words in common, the one with fewer others is nearer.
    const score = shared - (own.length - shared) / 10;
    if (shared > 0 && score > best) [nearest, best] = [route, score];
  }
  return nearest;
}

const toWords = (path: string) =>
  path
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && word !== "v" && word !== "vbeta" && word !== "id");

/** Returns whether two words are equal but for a plural s. */
const isSimilar = (word: string, other: string) => word === other || word === `${other}s` || other === `${word}s`;
