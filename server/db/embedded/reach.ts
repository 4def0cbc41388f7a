import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Owner } from "./owner";

/** Returns whether a user may enter every folder down to `target`, and enter or execute the target itself. */
export async function canReach(owner: Owner, target: string): Promise<boolean> {
  for (let folder = await realpath(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const execute = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if (!(mode & execute)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
