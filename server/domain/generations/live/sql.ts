/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */

/** SQL for the number of the newest log line of the generation `g`; null without one. */
export const newestLineSql = "(SELECT max(l.n) FROM generation_log l WHERE l.generation_id = g.id)";

/** SQL for the number of the newest preview of the generation `g`; null without one, and when it does not run. */
export const newestPreviewSql =
  "(SELECT p.n FROM generation_preview p WHERE g.status = 'running' AND p.generation_id = g.id)";
