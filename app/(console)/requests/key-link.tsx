import { Link } from "../../ui/link";
import type { Request } from "./types";

/** Names the key of a request and links to it; a request from the console has none. */
export const KeyLink = ({ keyOfRequest: key }: { keyOfRequest: Request["key"] }) =>
  key === null ? (
    <span>Console</span>
  ) : (
    <Link
      href={key.scope === "api" ? `/keys/${key.id}` : "/settings/connections"}
      title={key.name}
      className="max-w-48 truncate hover:underline"
    >
      {key.name}
    </Link>
  );
