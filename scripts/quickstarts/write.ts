import { readFile, writeFile } from "node:fs/promises";
import { guides } from "../../app/(console)/quickstarts/guides";
import { pageOf, replaceSteps } from "./render-guide";

for (const guide of guides) await writeFile(pageOf(guide), replaceSteps(await readFile(pageOf(guide), "utf8"), guide));
