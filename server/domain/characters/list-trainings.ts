import type { Ctx } from "../../context";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { Status } from "../generations/row";
import type { Character } from "./character";
import type { CharactersHub } from "./hub";

const MAX_TRAININGS = 20;

const listedColumns = {
  id: true,
  status: true,
  estimatedCost: true,
  billedCost: true,
  createdAt: true,
  completedAt: true,
} as const;

/** Returns the newest trainings of the account's character, newest first. */
export const listTrainings = (ctx: Ctx<CharactersHub>, { id }: Pick<Character, "id">) =>
  ctx.hub.db.prisma.generation.findMany({
    where: { characterId: id, accountId: ctx.account.id },
    orderBy: { characterVersion: "desc" },
    take: MAX_TRAININGS,
    select: listedColumns,
  });

type Training = Awaited<ReturnType<typeof listTrainings>>[number];

/** Returns a training as the console shows it. */
export const serializeTraining = ({ id, status, estimatedCost, billedCost, createdAt, completedAt }: Training) => ({
  id,
  status: status as Status,
  estimated_cost: toEuros(estimatedCost),
  billed_cost: toEurosOrNull(billedCost),
  created_at: createdAt.toISOString(),
  completed_at: completedAt?.toISOString() ?? null,
});
