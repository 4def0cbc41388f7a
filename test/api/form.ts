const BOUNDARY = "----hub-test-boundary";

export const formType = `multipart/form-data; boundary=${BOUNDARY}`;
export const formEnd = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** Returns the beginning of a form with one file, up to its content. */
export const formStart = (name = "file", filename = "a.bin") =>
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
      "Content-Type: text/html\r\n\r\n",
  );

/** Returns a form with one file, whose part claims to be HTML. */
export const formOf = (content: Uint8Array, name?: string) => Buffer.concat([formStart(name), content, formEnd]);
