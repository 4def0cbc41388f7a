import { createCharacter } from "../../server/domain/characters/edit-character";
import type { Hub } from "../../server/domain/hub";
import { readEnv } from "../../server/env";
import type { Account, Ctx } from "../../server/context";
import { cancelCharacter, resumeCharacter, startCharacter } from "../../server/domain/characters/training";
import { composeHub } from "../../server/compose-hub";
import { startSandboxWorker } from "../../server/process/sandbox-worker";

// A hub that trains one character after another, in a process that tests kill.
const env = readEnv();
const { hub } = await composeHub(env, env.DATABASE_URL!);
const [account, image] = [Number(process.argv[2]), process.argv[3]!];
const ctx: Ctx<Hub> = { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
startSandboxWorker(hub);
process.on("disconnect", () => process.exit(0));
process.send!("ready");

for (let n = 0; ; n += 1) {
  const images = [image];
  const fields = { name: `n ${n}`, base_model: "sandbox-trainer", trigger_word: "[slow:0.3]", images, parameters: {} };
  const id = String((await createCharacter(ctx, fields)).id);
  await startCharacter(ctx, id, { parameters: { steps: 5 } });
  if (n % 2 === 0) continue;
  await cancelCharacter(ctx, id).then(
    () => resumeCharacter(ctx, id),
    () => undefined,
  );
}
