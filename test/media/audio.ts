const SAMPLES_PER_SECOND = 8_000;
const HERTZ = 440;

/** Returns a WAV file with a tone of 440 Hz. */
export function makeWav(seconds: number): Buffer {
  const samples = Buffer.alloc(2 * Math.round(seconds * SAMPLES_PER_SECOND));
  for (let at = 0; at < samples.length; at += 2) {
    samples.writeInt16LE(Math.round(8_000 * Math.sin((Math.PI * HERTZ * at) / SAMPLES_PER_SECOND)), at);
  }
  const head = Buffer.from("RIFF....WAVEfmt ....................data....", "latin1");
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(16, 16);
  // PCM with one channel of 16 bits.
  for (const [at, value] of [[20, 1], [22, 1], [32, 2], [34, 16]] as const) head.writeUInt16LE(value, at); // prettier-ignore
  head.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  head.writeUInt32LE(2 * SAMPLES_PER_SECOND, 28);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const FRAMES_PER_SECOND = 44_100 / 1_152;

/** Returns an MP3 file of silence: frames of MPEG 1, layer III, 32 kbit/s, 44.1 kHz, mono. */
export function makeMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(104);
  Buffer.from("fffb10c0", "hex").copy(frame);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * FRAMES_PER_SECOND) }, () => frame));
}
