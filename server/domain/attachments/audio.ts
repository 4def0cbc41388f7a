/** Higher than the rate of any known model; most use 10 to 32 tokens per second. */
const MAX_TOKENS_PER_SECOND = 100;
/** Encoders pad the last window of a recording; the longest known window has 30 seconds. */
const WINDOW_SECONDS = 30;
/** The lowest rate of MPEG audio, layer III, is 8 kbit/s. */
const MIN_MP3_BYTES_PER_SECOND = 1_000;
const MIN_SAMPLE_RATE = 8_000;
const PCM_TAGS = [1, 3];

/**
 * Returns the maximum number of tokens of a recording with this head and this many bytes. Infinity for formats whose length
 * their bytes do not bound: FLAC and Opus store hours of silence in a few bytes.
 */
export function maxAudioTokens(head: Buffer, bytes: number): number {
  const bytesPerSecond = findWavRate(head) ?? (isMp3(head) ? MIN_MP3_BYTES_PER_SECOND : null);
  if (bytesPerSecond === null) return Infinity;
  return Math.ceil(MAX_TOKENS_PER_SECOND * (bytes / bytesPerSecond + WINDOW_SECONDS));
}

/** Returns the bytes per second of plain samples in a WAV file; null for everything else. */
function findWavRate(head: Buffer): number | null {
  if (!/^RIFF[^]{4}WAVE(?:fmt) \x10\0\0\0/.test(head.toString("latin1", 0, 20)) || head.length < 36) return null;
  const [tag, channels, sampleRate] = [head.readUInt16LE(20), head.readUInt16LE(22), head.readUInt32LE(24)];
  const [bytesPerFrame, bits] = [head.readUInt16LE(32), head.readUInt16LE(34)];
  const isPlain = PCM_TAGS.includes(tag) && sampleRate >= MIN_SAMPLE_RATE && bits % 8 === 0;
  // Other programs may read an inconsistent header differently, so it is not trusted.
  return isPlain && bytesPerFrame > 0 && bytesPerFrame === (channels * bits) / 8 ? sampleRate * bytesPerFrame : null;
}

/** Returns whether a recording begins with a frame of MPEG audio, layer III, after a tag that the head contains completely. */
function isMp3(head: Buffer): boolean {
  const isTagged = head.toString("latin1", 0, 3) === "ID3";
  // The size of a tag is written in four bytes of seven bits, without the ten bytes of its head.
  const size = isTagged ? 10 + head.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0) : 0;
  return /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xef]/.test(head.toString("latin1", size, size + 3));
}
