import { DIGITAL_SOURCE_TYPE, GENERATOR } from "./mark";

const MAX_MODEL_LENGTH = 200;

/**
 * Returns the XMP packet that says that a model generated the content, with an even number of bytes. It depends only on the
 * model, so that a repeat after a crash stores the same bytes.
 */
export function writeXmpPacket(model: string): Buffer {
  const attributes = [
    `xmlns:xmp="http://ns.adobe.com/xap/1.0/"`,
    `xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"`,
    `xmp:CreatorTool="${GENERATOR}"`,
    `Iptc4xmpExt:DigitalSourceType="${DIGITAL_SOURCE_TYPE}"`,
    `Iptc4xmpExt:AISystemUsed="${escapeXml(model.slice(0, MAX_MODEL_LENGTH))}"`,
  ];
  const text =
    // cspell:disable-next-line
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n` +
    `<x:xmpmeta xmlns:x="adobe:ns:meta/">\n` +
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n` +
    `<rdf:Description rdf:about="" ${attributes.join(" ")}/>\n` +
    `</rdf:RDF>\n</x:xmpmeta>\n`;
  const packet = Buffer.from(`${text}<?xpacket end="r"?>`);
  return packet.length % 2 === 0 ? packet : Buffer.from(`${text}\n<?xpacket end="r"?>`);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 does not allow become spaces. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, " ")
    .replace(/[&<>"]/g, (character) => entities[character]!);
