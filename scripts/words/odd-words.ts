/** Words that a reader of the code would have to decode, each with what the project says instead (docs/glossary.md). */
export const oddWords: Readonly<Record<string, string>> = {
  announce: "report",
  apprentice: "test trainer",
  arrive: "on…, store",
  breath: "batch",
  bring: "resolve",
  conclude: "finalize",
  converse: "send request",
  crew: "job pool",
  exempt: "allowlist",
  express: "to upstream input",
  fault: "issue, error",
  faults: "issues, errors",
  fly: "track",
  forever: "never expires",
  furnished: "seeded",
  gate: "limiter",
  given: "args, input",
  glance: "thumbnail",
  greet: "banner",
  hasty: "asynchronous",
  hear: "apply, on…",
  inexpressible: "unsupported",
  judge: "classify",
  lacking: "missing",
  lane: "concurrency group, limiter",
  lanes: "concurrency groups",
  least: "min",
  liar: "malicious",
  likeness: "skeleton",
  linger: "drain",
  longest: "max",
  look: "find, check",
  most: "max",
  nudge: "dispatch",
  nudged: "dispatched",
  owed: "pending",
  patience: "timeout, grace period",
  refusal: "error, rejection",
  refuse: "reject",
  shown: "displayed",
  stranger: "other account",
  tell: "format, emit, report",
  tidy: "purge",
  told: "reported, emitted",
  trouble: "error",
  understands: "is compatible",
  wishes: "options",
};

/** Odd in a name, and plain English in a sentence. */
export const plainInComments: ReadonlySet<string> = new Set(
  ["express", "given", "least", "longest", "look", "most", "shown"], // prettier-ignore
);

/** Verbs that say nothing without an object: no exported name may be one of them. */
export const bareVerbs: ReadonlySet<string> = new Set([
  ...["accept", "advance", "again", "arrive", "ask", "attempt", "begin", "call", "check", "claim", "complete", "conclude"],
  ...["deliver", "describe", "end", "execute", "express", "fail", "find", "finish", "flush", "get", "hear", "interpret"],
  ...["judge", "keep", "list", "look", "make", "open", "prepare", "present", "read", "record", "render", "restore"],
  ...["route", "run", "say", "seal", "send", "settle", "start", "take", "tell", "train", "wake", "work", "write"],
]); // prettier-ignore
