import { listWorkers } from "../domain/workers";
import { procedure, router } from "./procedure";

export const workers = router({
  list: procedure("read").query(async ({ ctx }) => {
    const { workers, models, slots } = await listWorkers(ctx);
    return {
      workers: workers.map(({ seen_at, ...worker }) => ({ ...worker, seen_at: seen_at?.toISOString() ?? null })),
      models,
      slots,
    };
  }),
});
