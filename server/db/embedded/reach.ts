import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Owner } from "./owner";

/** Whether a user may pass every folder down to `target`, and pass or run the target itself. */
export async function reaches(owner: Owner, target: string): Promise<boolean> {
  for (let place = await realpath(target); ; place = path.dirname(place)) {
    const { mode, uid, gid } = await stat(place);
    const execute = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if (!(mode & execute)) return false;
    if (place === path.dirname(place)) return true;
  }
}
