import sharp from "sharp";

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: "#c60" } });
const latin1 = (text: string) => Buffer.from(text, "latin1");
const riff = (kind: string) => Buffer.concat([latin1(`RIFF\x24\0\0\0${kind}`), Buffer.alloc(28, 1)]);
const tensors = JSON.stringify({ weight: { dtype: "F32", shape: [1], data_offsets: [0, 4] } });
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(tensors.length));

/** A small file of every type that the hub accepts. */
export const samples: [mediaType: string, content: Buffer][] = [
  ["image/png", await picture.clone().png().toBuffer()],
  ["image/jpeg", await picture.clone().jpeg().toBuffer()],
  ["image/webp", await picture.clone().webp().toBuffer()],
  ["image/gif", await picture.clone().gif().toBuffer()],
  ["image/avif", await picture.clone().avif().toBuffer()],
  ["video/mp4", latin1("\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41\0\0\0\bfree")],
  [
    "video/webm",
    latin1("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\bB\x82\x84webmB\x87\x81\x04"),
  ],
  ["audio/mpeg", latin1(`ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x64${"\0".repeat(64)}`)],
  ["audio/mpeg", latin1(`\xff\xfb\x90\x64${"\0".repeat(64)}`)],
  ["audio/wav", riff("WAVE")],
  ["audio/ogg", latin1(`OggS\0\x02${"\0".repeat(20)}\x01\x1e\x01vorbis`)],
  ["video/ogg", latin1(`OggS\0\x02${"\0".repeat(20)}\x01\x2a\x80theora\x03`)],
  ["audio/flac", latin1(`fLaC\0\0\0\x22${"\0".repeat(34)}`)],
  ["application/pdf", latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <<>> endobj\n%%EOF")],
  ["application/x-safetensors", Buffer.concat([length, Buffer.from(tensors), Buffer.alloc(4)])],
  ["text/plain", Buffer.from("Zwölf Boxkämpfer\r\n\tjagen <b>Viktor</b> 5 < 6 & so on\n")],
  ["text/plain", Buffer.from("< 5 is not markup")],
  ["text/plain", Buffer.from('{"one": 1}\n{"two": 2}\n')],
  ["application/json", Buffer.from(' {"a": ["<html>", 1]}\n')],
  ["application/json", Buffer.from("[]")],
];

/** Files that the hub rejects, with the expected detail of the error. */
export const rejectedSamples: [name: string, content: Buffer, reason: RegExp][] = [
  ["an empty file", Buffer.alloc(0), /is empty/],
  ["HTML", Buffer.from("<!DOCTYPE html><script>alert(1)</script>"), /HTML/],
  ["HTML after a byte order mark and white space", Buffer.from("\ufeff\n\t <HTML><body onload=alert(1)>"), /HTML/],
  ["a lone script", Buffer.from("<script>alert(1)</script>"), /HTML/],
  ["a comment and then HTML", Buffer.from("<!-- x --><svg onload=alert(1)>"), /HTML/],
  ["XML", Buffer.from('<?xml version="1.0"?><a/>'), /XML/],
  ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), /SVG/],
  ["HTML after 4,000 spaces", Buffer.from(`${" ".repeat(4_000)}<html>`), /HTML/],
  ["HTML in UTF-16", Buffer.concat([latin1("\xff\xfe"), Buffer.from("<html>", "utf16le")]), /must be PNG/],
  ["text in Latin-1", latin1("Zw\xf6lf"), /must be PNG/],
  ["text with a NUL", Buffer.from("a\0b"), /must be PNG/],
  ["text that turns binary", Buffer.concat([Buffer.from("x".repeat(70_000)), Buffer.from([0xff])]), /must be PNG/],
  ["text that ends inside a character", Buffer.from("ö").subarray(0, 1), /must be PNG/],
  ["an executable", latin1("\x7fELF\x02\x01\x01\0\0\0\0\0"), /must be PNG/],
  ["a ZIP", latin1("PK\x03\x04\x14\0\0\0\b\0"), /must be PNG/],
  ["a HEIC", latin1("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), /must be PNG/],
  ["a QuickTime video", latin1("\0\0\0\x14ftypqt  \0\0\0\0qt  "), /must be PNG/],
  ["a Matroska video", latin1("\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska"), /must be PNG/],
  ["an AVI video", riff("AVI "), /must be PNG/],
  ["a TIFF", latin1("II*\0\x08\0\0\0"), /must be PNG/],
  ["zeros", Buffer.alloc(100), /must be PNG/],
  ["a malformed safetensors header", Buffer.concat([length, Buffer.from('{"a":{'.padEnd(80))]), /must be PNG/],
];
