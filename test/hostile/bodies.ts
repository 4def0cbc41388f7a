/** A body that is cheap to send and may be expensive to parse. */
export interface HostileBody {
  name: string;
  /** Returns a body of at most this many bytes. */
  make: (maxBytes: number) => Buffer;
}

const START = '{"model":"sandbox-text","messages":[{"role":"user","content":"hi"}],"max_tokens":1,"name":"n","input":';

/** Returns a request with one more member, in which `item` is repeated up to the size. */
const repeat = (name: string, open: string, item: string, close: string, maxItems = Infinity): HostileBody => ({
  name,
  make(maxBytes) {
    const room = maxBytes - START.length - open.length - close.length - 1;
    const count = Math.min(maxItems, Math.floor(room / Buffer.byteLength(item)));
    return Buffer.from(`${START}${open}${item.repeat(count)}${close}}`);
  },
});

const message = (content: string) => `{"role":"user","content":${content}},`;
const messages = (name: string, item: string, maxItems = Infinity): HostileBody => ({
  name,
  make(maxBytes) {
    const count = Math.min(maxItems, Math.floor((maxBytes - 100) / Buffer.byteLength(item)));
    const end = '{"role":"user","content":"hi"}]}';
    return Buffer.from(`{"model":"sandbox-text","max_tokens":1,"messages":[${item.repeat(count)}${end}`);
  },
});
const content = (name: string, item: string): HostileBody => ({
  name,
  make(maxBytes) {
    const count = Math.floor((maxBytes - 100) / Buffer.byteLength(item));
    return Buffer.from(
      `{"model":"sandbox-text","max_tokens":1,"messages":[{"role":"user","content":"${item.repeat(count)}"}]}`,
    );
  },
});
const raw = (name: string, make: (maxBytes: number) => Buffer): HostileBody => ({ name, make });

/** Kinds of body that have blocked servers. */
export const hostileBodies: HostileBody[] = [
  repeat("a wide list of numbers", "[", "0,", "0]"),
  repeat("a wide list of empty objects", "[", "{},", "0]"),
  repeat("a wide list of lists", "[", "[[]],", "0]"),
  repeat("as many values as are allowed", "[", "0,", "0]", 19_900),
  repeat("as many objects as are allowed", "[", '{"a":{}},', "0]", 6_500),
  repeat("members with the same name", "{", '"a":0,', '"a":0}'),
  raw("members with different names", (maxBytes) => {
    const count = Math.min(19_900, Math.floor(maxBytes / 14));
    return Buffer.from(`${START}{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}}`);
  }),
  raw("unknown members of the body", (maxBytes) => {
    const count = Math.min(19_900, Math.floor(maxBytes / 14));
    return Buffer.from(`{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`);
  }),
  repeat("deep lists", "", "[", ""),
  repeat("deep objects", "", '{"a":', ""),
  repeat("a long key", '{"', "k", '":0}'),
  repeat("a long number", "", "1", ""),
  repeat("spaces", "", " ", "0"),
  content("a long text", "a"),
  content("a text of escapes", "\\u0041"),
  content("a text of line breaks", "a\\n"),
  content("a text of backslashes", "\\\\"),
  content("a text of quotes", '\\"'),
  content("a text of emoji", "😀"),
  content("a text of accents", "é"),
  content("a text of lone surrogates", "\\ud800"),
  messages("a message of each text", message('"a"')),
  messages("as many messages as are allowed", message('"a"'), 9_900),
  messages("as many images as are allowed", message('[{"type":"image_url","image_url":{"url":"data:,a"}}]'), 7_000),
  raw("invalid UTF-8", (maxBytes) => Buffer.alloc(maxBytes, 0xff)),
  raw("a truncated document", (maxBytes) => Buffer.from(`${START}"${"a".repeat(maxBytes - START.length - 1)}`)),
];
