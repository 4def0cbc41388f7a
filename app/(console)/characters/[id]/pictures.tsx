import { Card } from "../../../ui/card";
import { ownPath } from "../../../ui/own-path";
import { Picture } from "../picture";
import type { Character } from "../types";

/** Shows the pictures that a character is trained on. */
export function Pictures({ character: { pictures, images } }: { character: Character }) {
  const more = images.length - pictures.length;
  return (
    <Card title={images.length === 1 ? "1 picture" : `${images.length} pictures`}>
      {pictures.length === 0 && <p className="text-sm text-soft">No pictures yet.</p>}
      <ul aria-label="Pictures" className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
        {pictures.map(({ text, file }, index) => (
          <li key={index} className="aspect-square overflow-hidden rounded-lg border border-line" title={text}>
            <a
              href={file ? ownPath(file.url) : /^https?:/i.test(text) ? text : undefined}
              target="_blank"
              rel="noreferrer"
              aria-label={`Picture ${index + 1}`}
              className="block size-full"
            >
              <Picture file={file} />
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-3 text-sm text-soft">And {more} more.</p>}
    </Card>
  );
}
