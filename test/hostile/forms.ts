const PART_BYTES = 64 * 1024;
/** As long as a boundary may be. */
const LONG = "-".repeat(10) + "b".repeat(60);

/** A form that is cheap to send and may be expensive to parse. */
export interface HostileForm {
  name: string;
  boundary: string;
  /** The text that the form repeats. */
  unit: string;
  /** The texts before and after the repetitions. */
  around: [string, string];
}

const disposition = 'Content-Disposition: form-data; name="file"; filename="a.png"';
const inFile = (name: string, unit: string, boundary = LONG): HostileForm => ({
  name,
  boundary,
  unit,
  around: [`--${boundary}\r\n${disposition}\r\n\r\n`, `\r\n--${boundary}--\r\n`],
});
const outside = (name: string, unit: string, boundary: string): HostileForm => ({
  name,
  boundary,
  unit,
  around: ["", `\r\n--${boundary}--\r\n`],
});

/** Kinds of form that have blocked servers. */
export const hostileForms: HostileForm[] = [
  inFile("a file of bytes", "\0\u0001\u0002abc"),
  inFile("a file of line breaks", "\r"),
  inFile("a file of whole line breaks", "\r\n"),
  inFile("a file of almost-boundaries", `\r\n--${LONG.slice(0, -1)}`),
  inFile("a file of the boundary's letter", "b"),
  outside("tiny parts", "\r\n--b", "b"),
  outside("parts of long headers", `\r\n--b\r\n${"a:b\r\n".repeat(16_000)}\r\n`, "b"),
  outside("a header that never ends", `\r\n--b\r\n${"x".repeat(1_000)}`, "b"),
  outside("a preamble of dashes", "--", LONG),
];

/** Returns a request with such a form of about this many bytes, which arrives as fast as it is read. */
export function sendForm({ boundary, unit, around: [start, end] }: HostileForm, bytes: number): Request {
  const middle = Buffer.from(unit.repeat(Math.ceil(PART_BYTES / unit.length)), "latin1");
  let remaining = bytes;
  let hasEnded = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(start || "\r\n")),
    async pull(controller) {
      await new Promise(setImmediate);
      if (remaining > 0) controller.enqueue(Uint8Array.from(middle));
      else if (hasEnded) controller.close();
      else controller.enqueue(Buffer.from(end));
      hasEnded = remaining <= 0;
      remaining -= middle.length;
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return new Request("http://hub.test/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}
