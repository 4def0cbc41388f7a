interface Told {
  name: string;
  created_at: Date;
}

/**
 * The envelope of an event as text (specification, section 6), made of `data`, the text that was written down once:
 * the same bytes at every attempt. `id` is the delivery's, or in the feed the event's own.
 */
export const buildEnvelope = (id: string, { name, created_at }: Told, data: string): string =>
  `{"id":${JSON.stringify(id)},"event":${JSON.stringify(name)},"created_at":"${created_at.toISOString()}","data":${data}}`;
