import { ArrowLeft } from "lucide-react";
import { Link } from "../../ui/link";

export const BackToCharacters = () => (
  <Link href="/characters" className="mb-3 inline-flex items-center gap-1.5 text-sm text-soft hover:text-ink">
    <ArrowLeft size={16} aria-hidden />
    Characters
  </Link>
);
